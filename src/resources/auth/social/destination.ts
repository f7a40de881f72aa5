const MAX_DESTINATION_LENGTH = 1000

/** A path, and not the address of another host: `//host` and `/\host` are. */
const PATH = /^\/(?!\/)[^\\\p{Cc}]*$/u

/**
 * Where a browser goes when it is signed in, as a path below the service's own address: what `next` asks for, or `/` when that
 * leads anywhere else.
 */
export function destination(siteUrl: string, next: string | undefined): string {
  if (next === undefined || !PATH.test(next)) return '/'
  const { href } = new URL(siteUrl + next)
  if (!href.startsWith(`${siteUrl}/`) || href.length > siteUrl.length + MAX_DESTINATION_LENGTH) return '/'
  // leaving out `..` may have made another host of what was none
  const path = href.slice(siteUrl.length)
  return PATH.test(path) ? path : '/'
}
