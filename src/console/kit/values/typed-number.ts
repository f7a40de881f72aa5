/** An ambiguous number: its separator may be a thousands separator or a decimal separator. */
const AMBIGUOUS_NUMBER = /^([-+]?[1-9]\d{0,2})'(\d{3})$/

/**
 * Converts a number that the user typed to one with a decimal point; both comma and point may be typed for that. Thousands separators are
 * removed if they are unambiguous: `1,234,567`. A number that may be five thousand or five becomes `5'000`, which is not a valid number, so
 * that the user is asked (`getReadings`) instead of guessing.
 * @param decimalSeparator the user's decimal separator, which determines whether `5.000` or `5,000` is ambiguous
 */
export function readNumber(typed: string, decimalSeparator: string): string {
  const [whole = '', decimals, ...more] = typed.trim().split(decimalSeparator)
  const [first = '', ...groups] = whole.split(decimalSeparator === ',' ? '.' : ',')
  const isGrouped = more.length === 0 && groups.length > 0 && groups.every((group) => AMBIGUOUS_NUMBER.test(`${first}'${group}`))
  if (!isGrouped) return typed.replace(',', '.')
  if (groups.length === 1 && decimals === undefined) return `${first}'${groups[0]}`
  return [first + groups.join(''), ...(decimals === undefined ? [] : [decimals])].join('.')
}

/** Both readings of a number that `readNumber` found ambiguous, with a decimal point; undefined for any other text. */
export function getReadings(text: string): { thousands: string; decimals: string } | undefined {
  const [, whole, rest = ''] = AMBIGUOUS_NUMBER.exec(text) ?? []
  return whole === undefined ? undefined : { thousands: whole + rest, decimals: `${whole}.${rest.replace(/0+$/, '') || '0'}` }
}
