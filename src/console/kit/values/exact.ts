import { Decimal } from 'decimal.js'

/** Precision of the service: 40 digits hold the product of the largest price and the largest quantity. */
const Exact = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 })

/** A quantity or an amount of money: as the service returns it, or as a text with a decimal point. */
export type Amount = string | number

/** Product of two amounts, without binary rounding errors. */
export const times = (one: Amount, other: Amount): string => new Exact(one).times(other).toString()

/** Difference of two amounts. */
export const minus = (one: Amount, other: Amount): string => new Exact(one).minus(other).toString()

/** Sum of the amounts; `0` for none. */
export const sum = (amounts: readonly Amount[]): string =>
  amounts.reduce((all: Decimal, amount) => all.plus(amount), new Exact(0)).toString()

/** Compares two amounts: above 0 if the first is larger, 0 if they are equal. */
export const compare = (one: Amount, other: Amount): number => new Exact(one).comparedTo(other)

/** Quotient of two amounts, of which the second is not 0; to 40 digits. */
export const divide = (one: Amount, other: Amount): string => new Exact(one).div(other).toString()
