/** What may be some thousands, or as many thousandths. */
const EITHER = /^([-+]?[1-9]\d{0,2})'(\d{3})$/

/**
 * A number as somebody typed it, with a point before decimals, which a comma and a point may both stand for. What stands between thousands is
 * left out where it can be nothing else: `1,234,567`. What may be five thousand or five becomes `5'000`, which is no number to anybody, so that
 * it is asked for (`bothOf`) rather than guessed.
 * @param sign what the reader writes before decimals: then `5.000`, or `5,000`, is what may be either
 */
export function readNumber(typed: string, sign: string): string {
  const [whole = '', decimals, ...more] = typed.trim().split(sign)
  const [first = '', ...groups] = whole.split(sign === ',' ? '.' : ',')
  const isGrouped = more.length === 0 && groups.length > 0 && groups.every((group) => EITHER.test(`${first}'${group}`))
  if (!isGrouped) return typed.replace(',', '.')
  if (groups.length === 1 && decimals === undefined) return `${first}'${groups[0]}`
  return [first + groups.join(''), ...(decimals === undefined ? [] : [decimals])].join('.')
}

/** Both numbers that `readNumber` could not tell apart, with a point before decimals; undefined for any other text. */
export function bothOf(given: string): { thousands: string; decimals: string } | undefined {
  const [, whole, rest = ''] = EITHER.exec(given) ?? []
  return whole === undefined ? undefined : { thousands: whole + rest, decimals: `${whole}.${rest.replace(/0+$/, '') || '0'}` }
}
