/** Number of decimals beyond those of its currency that an agreed price may have: hundredths of a cent. */
const EXTRA_DECIMALS = 2
/** Minimum number of significant digits of a price. */
const MIN_SIGNIFICANT_DIGITS = 3
const MAX_DECIMALS = 10

/**
 * Number of decimals of a displayed unit price: all of an agreed price, as rounding would change it. A calculated price has more, and is
 * rounded to the decimals of its currency, or to three significant digits if it is very small.
 * @param currencyDecimals the decimals of its currency
 */
export function getPriceDecimals(price: number | string, currencyDecimals: number): number {
  const amount = Math.abs(Number(price))
  const exact = /\.(\d*?)0*$/.exec(amount.toFixed(MAX_DECIMALS))?.[1]?.length ?? 0
  if (exact <= currencyDecimals + EXTRA_DECIMALS) return Math.max(currencyDecimals, exact)
  return Math.min(MAX_DECIMALS, Math.max(currencyDecimals, MIN_SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(amount))))
}
