/** Number of decimals beyond those of its currency that an agreed price may have: hundredths of a cent. */
const EXTRA_DECIMALS = 2
/** Minimum number of significant digits of a price. */
const SIGNIFICANT = 3
const MAX = 10

/**
 * Number of decimals of a displayed unit price: all of an agreed price, as rounding would change it. A calculated price has more, and is
 * rounded to the decimals of its currency, or to three significant digits if it is very small.
 * @param digits the decimals of its currency
 */
export function decimalsOf(price: number | string, digits: number): number {
  const amount = Math.abs(Number(price))
  const exact = /\.(\d*?)0*$/.exec(amount.toFixed(MAX))?.[1]?.length ?? 0
  if (exact <= digits + EXTRA_DECIMALS) return Math.max(digits, exact)
  return Math.min(MAX, Math.max(digits, SIGNIFICANT - 1 - Math.floor(Math.log10(amount))))
}
