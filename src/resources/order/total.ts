import { add, compare, type Decimal, divide, formatMoney, isZero, multiply } from '../../kit/values/decimal.ts'
import { convert, type ExchangeRates } from '../../kit/values/exchange-rates.ts'

/**
 * SQL of the amount of a line: quantity times price, less its discount in percent. Exact, because PostgreSQL multiplies decimals without
 * rounding.
 */
export const lineAmount = (price: string, quantity = 'quantity', discount = 'discount'): string =>
  `${quantity} * ${price} * (100 - ${discount}) * 0.01`

/** Amount that a line or extra line adds to the total of its order. */
export type PricedLine = {
  /** In the unit that the price is for: packs for a purchase order line. */
  quantity: Decimal
  /** Price of one; a line without a price, or with a price of zero, adds nothing. */
  price: Decimal | null
  currency: string
}

/**
 * Computes the total of an order over its lines and extra lines, in the order's currency, as `5.000000`. `0.000000` without lines; null
 * when an exchange rate is missing. It is rounded once, at the end, and does not depend on the order of the lines.
 */
export function orderTotal(lines: Iterable<PricedLine>, currency: string, rates: ExchangeRates): Decimal | null {
  const sums = new Map<string, Decimal>()
  for (const line of lines) {
    if (line.price === null || isZero(line.price)) continue
    sums.set(line.currency, add(sums.get(line.currency) ?? '0', multiply(line.quantity, line.price)))
  }

  let total = '0'
  for (const [code, sum] of [...sums].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const converted = convert(sum, code, currency, rates)
    if (converted === null) return null
    total = add(total, converted)
  }
  return formatMoney(total)
}

/**
 * Computes the purchase price of one base unit of received stock: the line's pack price divided by the pack quantity, in the line's
 * currency, as `100.000000`. Null when the line has no price, or a negative one: a refund by a supplier is not a
 * cost of the stock.
 *
 * @param price of one pack
 * @param packQuantity base units in a pack, above zero; a RangeError is thrown for zero
 */
export const receivedUnitPrice = (price: Decimal | null, packQuantity: Decimal): Decimal | null =>
  price === null || compare(price, '0') < 0 ? null : formatMoney(divide(price, packQuantity))
