import { compare, multiply } from './exact.ts'

/** Factor from which a quantity has to be confirmed: a digit too many or too few. */
const UNUSUAL_FACTOR = 10
/** Quantity above which it has to be confirmed if there was none before. */
const LARGE_QUANTITY = 1_000

/**
 * Whether a quantity differs so much from the previous or expected one that it may be a typing error. Zero and text that is not a
 * number are not checked.
 * @param checksDecrease whether much smaller quantities are unusual as well; false where part of a quantity is taken or added
 */
export function isUnusual(amount: unknown, previous: number | string, checksDecrease = true): boolean {
  const text = String(amount ?? '').trim()
  if (!/^\d+\.?\d*$/.test(text) || compare(text, 0) === 0) return false
  if (compare(previous, 0) <= 0) return compare(text, LARGE_QUANTITY) > 0
  return (
    compare(text, multiply(UNUSUAL_FACTOR, previous)) >= 0 ||
    (checksDecrease && compare(multiply(UNUSUAL_FACTOR, text), previous) <= 0)
  )
}
