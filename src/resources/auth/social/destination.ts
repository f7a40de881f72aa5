const LONGEST = 1000

/**
 * Where a browser goes when it is signed in, as a path below the service's own address: what `next` asks for, or `/` when that
 * leads anywhere else.
 */
export function destination(siteUrl: string, next: string | undefined): string {
  if (next === undefined || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(next)) return '/'
  const { href } = new URL(siteUrl + next)
  return href.startsWith(`${siteUrl}/`) && href.length <= siteUrl.length + LONGEST ? href.slice(siteUrl.length) : '/'
}
