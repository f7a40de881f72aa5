import { Decimal } from 'decimal.js'

/** Precision of the service: 40 digits hold the product of the largest price and the largest quantity. */
const ExactDecimal = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 })

/** A quantity or an amount of money: as the service returns it, or as a string with a decimal point. */
export type Amount = string | number

/** Product of two amounts, without binary rounding errors. */
export const multiply = (a: Amount, b: Amount): string => new ExactDecimal(a).times(b).toString()

/** Difference of two amounts. */
export const subtract = (a: Amount, b: Amount): string => new ExactDecimal(a).minus(b).toString()

/** Sum of the amounts; `0` for none. */
export const sumAmounts = (amounts: readonly Amount[]): string =>
  amounts.reduce((total: Decimal, amount) => total.plus(amount), new ExactDecimal(0)).toString()

/** Compares two amounts: above 0 if the first is larger, 0 if they are equal. */
export const compare = (a: Amount, b: Amount): number => new ExactDecimal(a).comparedTo(b)

/** Quotient of two amounts, of which the second is not 0; to 40 digits. */
export const divide = (a: Amount, b: Amount): string => new ExactDecimal(a).div(b).toString()
