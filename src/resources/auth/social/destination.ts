const MAX_DESTINATION_LENGTH = 1000

/** A path, and not the address of another host, as `//host` and `/\host` are. */
const PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/** Returns the redirect target after a sign-in, as a path below the service's own address: `next`, or `/` when that leads anywhere else. */
export function toDestination(siteUrl: string, next: string | undefined): string {
  if (next === undefined || !PATH.test(next)) return '/'
  const { href } = new URL(siteUrl + next)
  if (!href.startsWith(`${siteUrl}/`) || href.length > siteUrl.length + MAX_DESTINATION_LENGTH) return '/'
  // resolving `..` may have turned a path into another host
  const path = href.slice(siteUrl.length)
  return PATH.test(path) ? path : '/'
}
