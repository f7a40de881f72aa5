import { type Config, isLoopback, isWildcardHost } from '../../config.ts'
import { listOwnAddresses } from '../../network.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1']

/**
 * Returns the check whether the host of a request, with or without a port, is a known name of the service: that of SITE_URL,
 * this machine itself, HOST, or one of ALLOWED_HOSTS, so that no other site can point a name at it. If it listens on all interfaces and
 * SITE_URL names only this machine, its own addresses count as well: a request to an IP address was not led here by the name of another
 * site.
 */
export function createHostCheck({ siteUrl, allowedHosts, host }: Config): (host: string) => boolean {
  if (allowedHosts === '*') return () => true
  const site = parseHostName(new URL(siteUrl).host)
  const names = new Set([...LOOPBACK_HOSTS, site, ...[host, ...allowedHosts].map((name) => removeBrackets(name.toLowerCase()))])
  const acceptsOwnAddresses = isWildcardHost(host) && isLoopback(site)
  return (hostHeader) => {
    const name = parseHostName(hostHeader)
    return names.has(name) || (acceptsOwnAddresses && listOwnAddresses().includes(name))
  }
}

const parseHostName = (host: string): string => removeBrackets(host.toLowerCase().replace(/:\d*$/, ''))

const removeBrackets = (name: string): string => name.replace(/^\[(.*)\]$/, '$1')
