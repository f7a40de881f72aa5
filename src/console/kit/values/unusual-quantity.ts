import { compare, times } from './exact.ts'

/** Factor from which a quantity has to be confirmed: a digit too many or too few. */
const FACTOR = 10
/** Quantity above which it has to be confirmed if there was none before. */
const LARGE_QUANTITY = 1_000

/**
 * Whether a quantity differs so much from the previous or expected one that it may be a typing error. 0 is none, and text that is not a
 * number is not checked.
 * @param isLessOdd whether much smaller quantities are unusual too: not when part of a quantity is taken or added
 */
export function isUnusual(amount: unknown, before: number | string, isLessOdd = true): boolean {
  const text = String(amount ?? '').trim()
  if (!/^\d+\.?\d*$/.test(text) || compare(text, 0) === 0) return false
  if (compare(before, 0) <= 0) return compare(text, LARGE_QUANTITY) > 0
  return compare(text, times(FACTOR, before)) >= 0 || (isLessOdd && compare(times(FACTOR, text), before) <= 0)
}
