import { compare, times } from './exact.ts'

/** From this factor on, a quantity is asked about: a digit too many or too few. */
const FACTOR = 10
/** Where there was nothing before, more than this is asked about. */
const MANY = 1_000

/**
 * Whether a quantity differs so much from the one before it, or the expected one, that it may be a slip. Nothing at all is no slip, and what is
 * no number is not judged.
 * @param isLessOdd whether much less is asked about too: not where a part of it is taken or added
 */
export function isUnusual(amount: unknown, before: number | string, isLessOdd = true): boolean {
  const text = String(amount ?? '').trim()
  if (!/^\d+\.?\d*$/.test(text) || compare(text, 0) === 0) return false
  if (compare(before, 0) <= 0) return compare(text, MANY) > 0
  return compare(text, times(FACTOR, before)) >= 0 || (isLessOdd && compare(times(FACTOR, text), before) <= 0)
}
