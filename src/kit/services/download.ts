import { lookup as lookUp } from 'node:dns/promises'
import { get as getHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { get as getHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Why something could not be fetched, in words for whoever gave its address. */
export class NotFetched extends Error {}

export type DownloadOptions = {
  /** How many bytes are read at most. */
  limit: number
  /** How long all of it may take. */
  milliseconds?: number
  /** What the service calls itself. */
  userAgent?: string
}

/** Fetches what lies at an address of the public internet. @throws NotFetched */
export type Download = (address: string, options: DownloadOptions) => Promise<Buffer>

/** How often one address may lead to another. */
const REDIRECTS = 3

/** Networks that are not the public internet: of this machine, of the house, of one link, for documentation, or that wrap another. */
const OWN: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
const own = new BlockList()
for (const [network, bits] of OWN) own.addSubnet(network, bits, 'ipv4')
/** All of IPv6 that is given out for the public internet; in it, what wraps IPv4 or is for documentation. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  own.addSubnet(network, bits, 'ipv6')

/** Whether an IP address belongs to the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !own.check(address, 'ipv4')
  return isIP(address) === 6 && global6.check(address, 'ipv6') && !own.check(address, 'ipv6')
}

type Ways = { isAllowed?: (address: string) => boolean; resolve?: (host: string) => Promise<string[]> }

/**
 * Makes what fetches. The address that a name stands for is looked up once, checked, and then connected to, at each step of the way: a
 * name that stands for something else a moment later leads nowhere else.
 * @param ways.isAllowed which addresses may be connected to; by default those of the public internet
 * @param ways.resolve the addresses that a name stands for
 */
export function downloader({ isAllowed = isPublic, resolve = resolveName }: Ways = {}): Download {
  const lookup: LookupFunction = (host, { all }, done) => {
    resolve(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const [first] = found
        if (!first || !addresses.every(isAllowed)) done(new NotFetched(NOT_PUBLIC), [])
        else if (all) done(null, found)
        else done(null, first.address, first.family)
      },
      () => done(new NotFetched(`there is no host ${host}`), []),
    )
  }
  return async (address, { limit, milliseconds = 10_000, userAgent = 'Stockroom' }) => {
    const signal = AbortSignal.timeout(milliseconds)
    try {
      let url = new URL(address)
      for (let step = 0; step <= REDIRECTS; step++) {
        if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new NotFetched('only http and https are fetched')
        if (url.username || url.password) throw new NotFetched('an address with a password is not fetched')
        // a host that is an IP address is connected to without being looked up
        const host = url.hostname.replace(/^\[|\]$/g, '')
        if (isIP(host) && !isAllowed(host)) throw new NotFetched(NOT_PUBLIC)
        const answer = await ask(url, { lookup, signal, agent: false, headers: { 'user-agent': userAgent, accept: '*/*' } })
        const { statusCode = 0, headers } = answer
        if (statusCode >= 300 && statusCode < 400 && headers.location) {
          answer.destroy()
          url = new URL(headers.location, url)
          continue
        }
        if (statusCode !== 200) {
          answer.destroy()
          throw new NotFetched(`it was answered ${statusCode}`)
        }
        return await readAll(answer, limit)
      }
      throw new NotFetched('it leads from one address to another too often')
    } catch (error) {
      if (error instanceof NotFetched) throw error
      if (signal.aborted) throw new NotFetched('it took too long')
      throw new NotFetched(error instanceof TypeError ? 'it leads to what is no address' : 'no connection could be made')
    }
  }
}

const NOT_PUBLIC = 'its host is not in the public internet'

const resolveName = async (host: string): Promise<string[]> => (await lookUp(host, { all: true })).map(({ address }) => address)

const ask = (url: URL, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getHttps : getHttp
    get(url, options, resolve).on('error', reject)
  })

async function readAll(answer: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limit) throw new NotFetched(`it has more than ${limit} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
