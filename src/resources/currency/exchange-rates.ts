import { type Decimal, exact, plain } from '../../kit/values/decimal.ts'

/**
 * By currency code, how many units of the currency one unit of the base currency is worth. The base currency is in it
 * too, with 1.
 */
export type ExchangeRates = ReadonlyMap<string, Decimal>

/**
 * An amount of money in another currency, to 40 digits; it is rounded where it is stored. Null when a rate is missing
 * or not above zero; none is needed from a currency to itself.
 */
export function convert(amount: Decimal, from: string, to: string, rates: ExchangeRates): Decimal | null {
  if (from === to) return amount
  const source = exact(rates.get(from) ?? '0')
  const target = exact(rates.get(to) ?? '0')
  return source.gt(0) && target.gt(0) ? plain(exact(amount).times(target).div(source)) : null
}
