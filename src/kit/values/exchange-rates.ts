import { type Decimal, toExact, toPlainText } from './decimal.ts'

/** Units per currency for one unit of the base currency, by currency code. Includes the base currency, with 1. */
export type ExchangeRates = ReadonlyMap<string, Decimal>

/**
 * Converts an amount of money to another currency, to 40 digits; it is rounded when stored. Null when a rate is missing or not above zero;
 * converting a currency to itself needs none.
 */
export function convert(amount: Decimal, from: string, to: string, rates: ExchangeRates): Decimal | null {
  if (from === to) return amount
  const source = toExact(rates.get(from) ?? '0')
  const target = toExact(rates.get(to) ?? '0')
  return source.gt(0) && target.gt(0) ? toPlainText(toExact(amount).times(target).div(source)) : null
}
