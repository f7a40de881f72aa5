import * as input from '../../kit/definition/input.ts'
import { FieldError } from '../../kit/request/errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import type { ExchangeRates } from '../../kit/values/exchange-rates.ts'
import { builtInChoices } from '../../settings/choices.ts'
import { setting } from '../../settings/live.ts'
import { serviceErrors } from '../service-errors.ts'

/** The supported currencies, by ISO 4217 code. */
export const CURRENCIES: readonly input.Choice[] = builtInChoices.currency.map(({ value, display_name }) => ({
  value,
  label: display_name,
}))

/** Decimal places of a rate, as stored and shown. */
export const MAX_RATE_DECIMALS = 10

const decimal = input.decimal({ digits: 20, places: MAX_RATE_DECIMALS, round: true, form: 'number' })

/** An exchange rate in a body: greater than zero, rounded to the stored places. */
export const positiveRate: input.Input<Decimal> = {
  ...decimal,
  read(value, reading, fail) {
    const rate = decimal.read(value, reading, fail)
    if (compare(rate, '0') <= 0) throw new FieldError(serviceErrors.invalid_exchange_rate)
    return rate
  },
}

/** The currency for comparing and summing prices, and for new amounts without one. */
export const defaultCurrency = (services: { settings: Pick<Services['settings'], 'get'> }): string =>
  setting(services, 'INVENTREE_DEFAULT_CURRENCY')

/**
 * The stored exchange rates. All of them refer to one base currency, the default currency when they were set, which may have changed since;
 * amounts convert the same from any base. Empty when none was ever set.
 */
export async function readRates(tx: Pick<Tx, 'query'>): Promise<ExchangeRates> {
  const rows = await tx.query<{ base: string; currency: string; rate: string }>(
    `select base, currency, rate::text as rate from currency_rate
     where base = (select base from currency_rate order by updated desc, pk desc limit 1)`,
  )
  const [first] = rows
  return new Map([...(first ? [[first.base, '1'] as const] : []), ...rows.map((row) => [row.currency, row.rate] as const)])
}
