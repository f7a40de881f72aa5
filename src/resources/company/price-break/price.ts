import { compare, type Decimal, formatMoney } from '../../../kit/values/decimal.ts'
import { convert, type ExchangeRates } from '../../currency/exchange-rates.ts'

/** What a supplier asks for one pack when at least so many are bought. */
export type PriceBreak = {
  /** In packs of the supplier part. */
  quantity: Decimal
  /** Per pack; a break without a price does not count. */
  price: Decimal | null
  price_currency: string
}

/**
 * The price of one pack when so many packs are bought, in the given currency, as `1.250000`: that of the highest break
 * that the quantity reaches; below the smallest break, the smallest break's. Null when there are no price breaks. A
 * break's price for which an exchange rate is missing is taken as the number it is. (The reference description of
 * orders and stock, section 7.)
 *
 * @param breaks in any order
 */
export function supplierPartPrice(
  breaks: PriceBreak[],
  quantity: Decimal,
  currency: string,
  rates: ExchangeRates,
): Decimal | null {
  const priced = breaks.filter((one) => one.price !== null).sort((one, other) => compare(one.quantity, other.quantity))
  const reached = priced.findLast((one) => compare(one.quantity, quantity) <= 0) ?? priced[0]
  if (reached === undefined || reached.price === null) return null
  return formatMoney(convert(reached.price, reached.price_currency, currency, rates) ?? reached.price)
}
