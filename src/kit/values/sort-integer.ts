/** The largest sort integer: the maximum of its column. */
export const MAX_SORT_INTEGER = 2147483647

/**
 * The integer by which a serial number or reference is sorted: the digits at its beginning, otherwise those at its end, otherwise 0; larger values
 * become 2147483647.
 */
export function toSortInteger(text: string): number {
  const trimmed = text.trim()
  const digits = /^[0-9]+/.exec(trimmed)?.[0] ?? trailingDigits(trimmed)
  return Math.min(Number(digits), MAX_SORT_INTEGER)
}

/** Returns the digits at the end. Uses a loop: a regular expression for them takes quadratic time on a long text. */
export function trailingDigits(text: string): string {
  let start = text.length
  while (start > 0 && text.charCodeAt(start - 1) >= 48 && text.charCodeAt(start - 1) <= 57) start--
  return text.slice(start)
}
