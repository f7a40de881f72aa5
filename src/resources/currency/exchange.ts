import { Type } from 'typebox'
import { isoTimestamp } from '../../kit/definition/field.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { type Decimal, isZero, quantize, toJsonNumber } from '../../kit/values/decimal.ts'
import { convert, type ExchangeRates } from '../../kit/values/exchange-rates.ts'
import { requestConvertedPrices } from '../part/pricing/price-runs.ts'
import { MAX_RATE_DECIMALS, readRates } from './rates.ts'

export const exchangeSchema = Type.Object({
  base_currency: Type.String({ description: 'The default currency, on which all rates are based.' }),
  exchange_rates: Type.Record(Type.String(), Type.Number(), {
    description:
      'By currency code, the value of one unit of the default currency in that currency. Currencies without a rate are missing.',
  }),
  updated: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When a rate was last set; null before the first one.',
  }),
})

/** The exchange rates for clients: based on this currency, whatever base they were set for. */
export async function readExchange(tx: Pick<Tx, 'query'>, base: string) {
  const rates = rebaseRates(base, await readRates(tx))
  const [last] = await tx.query<{ updated: string | null }>(
    `select ${isoTimestamp('max(updated)')} as updated from currency_rate`,
  )
  return {
    base_currency: base,
    exchange_rates: Object.fromEntries([...rates].map(([code, rate]) => [code, toJsonNumber(rate)])),
    updated: last?.updated ?? null,
  }
}

/** Converts the rates to another base currency, to 10 decimals; empty if its own rate is unknown. */
export function rebaseRates(base: string, rates: ExchangeRates): ExchangeRates {
  if (!rates.has(base)) return new Map()
  const converted = [...rates.keys()].sort().map((code) => [code, convert('1', base, code, rates)] as const)
  return new Map(
    converted.flatMap(([code, rate]): [string, Decimal][] => {
      const rounded = rate === null ? '0' : quantize(rate, MAX_RATE_DECIMALS)
      return isZero(rounded) ? [] : [[code, rounded]]
    }),
  )
}

/**
 * Stores rates based on this currency: null removes one. Prices that depend on a changed rate are recomputed in the background. With
 * `keepsOthers`, rates not given are converted to the new base and keep the time at which they were set; otherwise they are deleted.
 */
export async function storeRates(
  tx: Tx,
  base: string,
  newRates: ReadonlyMap<string, Decimal | null>,
  keepsOthers: boolean,
): Promise<void> {
  await tx.query('lock table currency_rate in share row exclusive mode')
  const before = rebaseRates(base, await readRates(tx))
  const rows = await tx.query<{ currency: string; updated: string }>('delete from currency_rate returning currency, updated')
  const updated = new Map(rows.map((row) => [row.currency, row.updated]))
  const previousRates = keepsOthers ? [...before].filter(([code]) => !newRates.has(code)) : []
  const givenRates = [...newRates].filter((entry): entry is [string, Decimal] => entry[1] !== null)
  const storedRates = [...previousRates, ...givenRates].filter(([code]) => code !== base)
  await tx.query(
    `insert into currency_rate (base, currency, rate, updated)
     select $1, entry.currency, entry.rate, coalesce(entry.updated, now())
     from unnest($2::text[], $3::numeric[], $4::timestamptz[]) entry (currency, rate, updated)`,
    [
      base,
      storedRates.map(([code]) => code),
      storedRates.map(([, rate]) => rate),
      storedRates.map(([code]) => (newRates.has(code) ? null : (updated.get(code) ?? null))),
    ],
  )
  const after = rebaseRates(base, await readRates(tx))
  const isSame = before.size === after.size && [...after].every(([code, rate]) => before.get(code) === rate)
  if (!isSame) await requestConvertedPrices(tx, base)
}
