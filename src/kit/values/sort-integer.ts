/** The largest sort integer: what the column that holds it can hold. */
export const MAX_SORT_INTEGER = 2147483647

/**
 * The integer that a serial number or reference is sorted by: the digits at its beginning, else those at its end, else
 * 0; larger values are taken as 2147483647. (The reference description of orders and stock, section 5.)
 */
export function sortInteger(text: string): number {
  const trimmed = text.trim()
  const digits = /^[0-9]+/.exec(trimmed)?.[0] ?? trailingDigits(trimmed)
  return Math.min(Number(digits), MAX_SORT_INTEGER)
}

/** The digits at the end. Read by hand: a regular expression for them takes quadratic time on a long text. */
export function trailingDigits(text: string): string {
  let start = text.length
  while (start > 0 && text.charCodeAt(start - 1) >= 48 && text.charCodeAt(start - 1) <= 57) start--
  return text.slice(start)
}
