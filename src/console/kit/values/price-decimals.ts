/** How many more decimals than its currency has a price may be agreed on with: hundredths of a cent. */
const AGREED = 2
/** The fewest digits of a price that matter. */
const SIGNIFICANT = 3
const MAX = 10

/**
 * How many decimals of a unit price are shown: those that somebody agreed on, as rounding them would make another price. One that was
 * calculated has more, and is rounded to its currency's, or to three digits that matter where it is very small.
 * @param digits the decimals that its currency has
 */
export function decimalsOf(price: number | string, digits: number): number {
  const amount = Math.abs(Number(price))
  const exact = /\.(\d*?)0*$/.exec(amount.toFixed(MAX))?.[1]?.length ?? 0
  if (exact <= digits + AGREED) return Math.max(digits, exact)
  return Math.min(MAX, Math.max(digits, SIGNIFICANT - 1 - Math.floor(Math.log10(amount))))
}
