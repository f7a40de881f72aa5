import { compare, type Decimal, formatMoney } from '../../../kit/values/decimal.ts'
import { convert, type ExchangeRates } from '../../../kit/values/exchange-rates.ts'

/** The price of one pack from a minimum number of packs on. */
export type PriceBreak = {
  /** In packs of the supplier part. */
  quantity: Decimal
  /** Per pack; a break without a price is ignored. */
  price: Decimal | null
  price_currency: string
}

/**
 * The price per pack for a number of packs, in the given currency, as `1.250000`: that of the highest break that the quantity reaches;
 * below the smallest break, the smallest break's (docs/interface/orders.md#prices-and-totals). Null when there are no price breaks. Without
 * an exchange rate, the price is not converted.
 *
 * @param breaks in any order
 */
export function findSupplierPartPrice(
  breaks: PriceBreak[],
  quantity: Decimal,
  currency: string,
  rates: ExchangeRates,
): Decimal | null {
  const pricedBreaks = breaks.filter((one) => one.price !== null).sort((one, other) => compare(one.quantity, other.quantity))
  const priceBreak = pricedBreaks.findLast((one) => compare(one.quantity, quantity) <= 0) ?? pricedBreaks[0]
  if (priceBreak === undefined || priceBreak.price === null) return null
  return formatMoney(convert(priceBreak.price, priceBreak.price_currency, currency, rates) ?? priceBreak.price)
}
