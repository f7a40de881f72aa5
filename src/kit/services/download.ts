import { lookup as lookUp } from 'node:dns/promises'
import { get as getHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { createNetworkMatcher, listOwnAddresses } from '../../network.ts'
import type { ErrorMessage } from '../values/message.ts'
import { fetchErrors } from '../values/value-errors.ts'

/** The reason why a URL could not be fetched, in words for the user who entered it. */
export class FetchError extends Error {
  readonly reason: ErrorMessage

  constructor(reason: ErrorMessage) {
    super(reason.message)
    this.reason = reason
  }
}

export type DownloadOptions = {
  /** Maximum number of bytes to read. */
  limit: number
  /** Maximum time for the whole download. */
  milliseconds?: number
  /** The User-Agent of the service. */
  userAgent?: string
  /** Hosts that may be internal, each with its port if that is not the default of its scheme. */
  internalHosts?: readonly string[]
  /** Maximum number of redirects to follow; 3 by default. */
  maxRedirects?: number
}

/**
 * Fetches the body of an http or https URL of the public internet, or of a host that FETCH_ALLOWED_HOSTS allows.
 * @throws FetchError
 */
export type Download = (url: string, options: DownloadOptions) => Promise<Buffer>

/** Networks outside the public internet: this machine, private networks, link-local and documentation addresses, and tunnels. */
const isSpecial = createNetworkMatcher([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])

/** The IPv6 range assigned to the public internet. */
const isGlobalIPv6 = createNetworkMatcher(['2000::/3'])

/** Whether an IP address belongs to the public internet. */
export function isPublic(address: string): boolean {
  const version = isIP(address)
  return (version === 4 || (version === 6 && isGlobalIPv6(address))) && !isSpecial(address)
}

/** Check of the addresses that may be connected to. */
export type AddressCheck = {
  /** Throws FetchError for a URL whose host is an IP address that is not allowed: Node connects to it without a lookup. */
  requireAllowed: (url: URL) => void
  /** Looks a host name up, and fails if one of its addresses is not allowed. */
  lookup: LookupFunction
}

export type AddressCheckOptions = {
  /** FETCH_ALLOWED_HOSTS: host names, addresses and networks (CIDR) that may be internal. */
  allowedHosts?: readonly string[]
  /** Returns the addresses of a host name. */
  resolve?: (host: string) => Promise<string[]>
  /** Returns the addresses of this machine. */
  own?: () => readonly string[]
}

/**
 * Creates the address check. Each host name is resolved once, its addresses are checked, and one of them is connected to, so that a name
 * whose addresses change right after (DNS rebinding) reaches nothing else. The addresses of this machine are internal, too.
 */
export function createAddressCheck(options: AddressCheckOptions = {}): AddressCheck {
  const { allowedHosts = [], resolve = resolveName, own = listOwnAddresses } = options
  const isAllowedNetwork = createNetworkMatcher(allowedHosts.filter((host) => isIP(host.split('/', 1)[0] as string)))
  const isAllowed = (address: string) => isAllowedNetwork(address) || (isPublic(address) && !own().includes(address))

  const requireAllowed = ({ hostname }: URL) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !isAllowed(host)) throw new FetchError(fetchErrors.fetch_host_not_public)
  }
  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const entries = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = entries
        if (!first || !(allowedHosts.includes(host) || addresses.every(isAllowed)))
          done(new FetchError(fetchErrors.fetch_host_not_public), [])
        else if (all) done(null, entries)
        else done(null, first.address, first.family)
      },
      () => done(new FetchError(fetchErrors.fetch_unknown_host({ host })), []),
    )
  }
  return { requireAllowed, lookup }
}

/** Creates the checked download. */
export function createDownload(checkOptions: AddressCheckOptions = {}): Download {
  const check = createAddressCheck(checkOptions)
  return async (firstUrl, options) => {
    const { limit, milliseconds = 10_000, userAgent = 'Stockroom', internalHosts = [], maxRedirects = 3 } = options
    const signal = AbortSignal.timeout(milliseconds)
    const headers = { 'user-agent': userAgent, accept: '*/*' }
    try {
      let url = new URL(firstUrl)
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchError(fetchErrors.fetch_scheme_not_allowed)
        if (url.username || url.password) throw new FetchError(fetchErrors.fetch_with_password)
        const canBeInternal = internalHosts.includes(url.host)
        if (!canBeInternal) check.requireAllowed(url)
        const lookup = canBeInternal ? undefined : check.lookup
        const response = await sendGet(url, { lookup, signal, agent: false, headers })
        const { statusCode = 0 } = response
        if (statusCode >= 300 && statusCode < 400 && response.headers.location) {
          response.destroy()
          url = new URL(response.headers.location, url)
          continue
        }
        if (statusCode !== 200) {
          response.destroy()
          throw new FetchError(fetchErrors.fetch_bad_status({ status: statusCode }))
        }
        return await readAll(response, limit)
      }
      throw new FetchError(maxRedirects ? fetchErrors.fetch_too_many_redirects : fetchErrors.fetch_redirected)
    } catch (error) {
      if (error instanceof FetchError) throw error
      if (signal.aborted) throw new FetchError(fetchErrors.fetch_timeout)
      throw new FetchError(error instanceof TypeError ? fetchErrors.fetch_invalid_redirect : fetchErrors.fetch_no_connection)
    }
  }
}

const resolveName = async (host: string): Promise<string[]> => (await lookUp(host, { all: true })).map(({ address }) => address)

const sendGet = (url: URL, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? getHttps : getHttp
    send(url, options, resolve).on('error', reject)
  })

async function readAll(response: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limit) throw new FetchError(fetchErrors.fetch_too_large({ max_bytes: limit }))
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
