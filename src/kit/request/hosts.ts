import { type Config, isEverywhere, isLoopback } from '../../config.ts'
import { ownAddresses } from '../../network.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1']

/**
 * Returns the check whether the host of a request, with or without a port, is a known name of the service (decision 35): that of SITE_URL,
 * this machine itself, HOST, or one of ALLOWED_HOSTS, so that no other site can point a name at it. If it listens on all interfaces and
 * SITE_URL names only this machine, its own addresses count as well: a request to an IP address was not led here by the name of another
 * site.
 */
export function createHostCheck({ siteUrl, allowedHosts, host }: Config): (host: string) => boolean {
  if (allowedHosts === '*') return () => true
  const site = nameOf(new URL(siteUrl).host)
  const names = new Set([...LOOPBACK_HOSTS, site, ...[host, ...allowedHosts].map((name) => withoutBrackets(name.toLowerCase()))])
  const byAddress = isEverywhere(host) && isLoopback(site)
  return (hostHeader) => {
    const name = nameOf(hostHeader)
    return names.has(name) || (byAddress && ownAddresses().includes(name))
  }
}

const nameOf = (host: string): string => withoutBrackets(host.toLowerCase().replace(/:\d*$/, ''))

const withoutBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, '$1')
