import { Decimal } from 'decimal.js'

/** As the service counts: 40 digits hold the product of the largest price and the largest quantity. */
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 })

/** A quantity or an amount of money: as the service gives it, or as a text with a point. */
export type Amount = string | number

/** One times the other, without what binary fractions would add. */
export const times = (one: Amount, other: Amount): string => new Exact(one).times(other).toString()

/** One without the other. */
export const minus = (one: Amount, other: Amount): string => new Exact(one).minus(other).toString()

/** All together; `0` of none. */
export const sum = (amounts: readonly Amount[]): string =>
  amounts.reduce((all: Decimal, amount) => all.plus(amount), new Exact(0)).toString()

/** Which of two is larger: above 0 where the first is, 0 where neither. */
export const compare = (one: Amount, other: Amount): number => new Exact(one).comparedTo(other)

/** One divided by the other, which is not nothing; to 40 digits. */
export const over = (one: Amount, other: Amount): string => new Exact(one).div(other).toString()
