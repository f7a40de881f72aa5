import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Extracts the address from a proxy's name for its client: `192.0.2.1:5678`, `[2001:db8::1]:5678`, `fe80::1%eth0`. */
export function extractAddress(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? []
  const [address = ''] = (bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1')).split('%', 1)
  return address
}

/** The current addresses by which other machines reach this one. */
export const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.filter(({ internal }) => !internal).map(({ address }) => address),
  )

/** Returns a function that checks whether an address is in one of these networks. @param networks addresses, and networks in the form of 10.0.0.0/8 */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const blockList = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) blockList.addAddress(address, family)
    else blockList.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && blockList.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Returns a function that checks whether an address belongs to a trusted proxy, by the setting TRUST_PROXY. */
export function createProxyCheck(proxies: boolean | readonly string[]): (address: string) => boolean {
  if (typeof proxies === 'boolean') return () => proxies
  const isProxy = createNetworkMatcher(proxies)
  return (peerAddress) => isProxy(extractAddress(peerAddress))
}

/**
 * The network that an address is counted under: its /64 for IPv6, since a client usually holds a whole /64; the address itself for IPv4,
 * also if it is written as IPv6 (`::ffff:192.0.2.1`). A string that is not an address stays unchanged.
 */
export function getNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const groups = parseGroups(address)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [groups[6], groups[7]].flatMap((group = 0) => [group >> 8, group & 255]).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of an IPv6 address, in any notation. */
function parseGroups(address: string): number[] {
  const [plain = ''] = address.split('%', 1)
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const between = Array<string>(8 - head.length - tail.length).fill('0')
  return [...head, ...between, ...tail].map((group) => Number.parseInt(group, 16))
}
