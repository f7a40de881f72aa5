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

/** The exchange rate of a currency: for a manual rate also the last fetched one. */
export type StoredRate = {
  rate: Decimal
  /** When it was set; null for now. */
  updated: string | null
  /** Whether it is a manual rate, which updates do not replace. */
  isOwn: boolean
  liveRate: Decimal | null
  liveUpdated: string | null
}

type RateRow = {
  base: string
  currency: string
  rate: Decimal
  updated: string
  is_own: boolean
  live_rate: Decimal | null
  live_updated: string | null
}

/**
 * Changes the rates based on this currency. Rates of a previous default currency are converted to it first, and keep the time at which they
 * were set. Prices that depend on a changed rate are recomputed in the background.
 */
export async function changeRates(tx: Tx, base: string, change: (rates: Map<string, StoredRate>) => void): Promise<void> {
  await tx.query('lock table currency_rate in share row exclusive mode')
  const before = rebaseRates(base, await readRates(tx))
  const rows = await tx.query<RateRow>(
    `delete from currency_rate returning base, currency, rate::text as rate, updated, is_own, live_rate::text as live_rate, live_updated`,
  )
  const rates = rebaseRows(base, before, rows)
  change(rates)
  rates.delete(base)
  const entries = [...rates]
  await tx.query(
    `insert into currency_rate (base, currency, rate, updated, is_own, live_rate, live_updated)
     select $1, entry.currency, entry.rate, coalesce(entry.updated, now()), entry.is_own, entry.live_rate,
       case when entry.live_rate is not null then coalesce(entry.live_updated, now()) end
     from unnest($2::text[], $3::numeric[], $4::timestamptz[], $5::boolean[], $6::numeric[], $7::timestamptz[])
       entry (currency, rate, updated, is_own, live_rate, live_updated)`,
    [
      base,
      entries.map(([code]) => code),
      entries.map(([, { rate }]) => rate),
      entries.map(([, { updated }]) => updated),
      entries.map(([, { isOwn }]) => isOwn),
      entries.map(([, { isOwn, liveRate }]) => (isOwn ? liveRate : null)),
      entries.map(([, { liveUpdated }]) => liveUpdated),
    ],
  )
  const after = rebaseRates(base, await readRates(tx))
  const isSame = before.size === after.size && [...after].every(([code, rate]) => before.get(code) === rate)
  if (!isSame) await requestConvertedPrices(tx, base)
}

/** The stored rows by currency, converted to another base. An own rate between two currencies stays one, whichever is the base. */
function rebaseRows(base: string, rates: ExchangeRates, rows: readonly RateRow[]): Map<string, StoredRate> {
  const previousBase = rows[0]?.base
  const rowByCurrency = new Map(rows.map((row) => [row.currency, row]))
  const liveRates = rebaseRates(base, new Map([...listLiveRates(rows), ...(previousBase ? [[previousBase, '1'] as const] : [])]))
  return new Map(
    [...rates].flatMap(([code, rate]): [string, StoredRate][] => {
      const row = rowByCurrency.get(code === previousBase ? base : code)
      if (code === base || !row) return []
      const { updated, is_own: isOwn, live_updated: liveUpdated } = row
      return [[code, { rate, updated, isOwn, liveRate: isOwn ? (liveRates.get(code) ?? null) : null, liveUpdated }]]
    }),
  )
}

const listLiveRates = (rows: readonly RateRow[]): [string, Decimal][] =>
  rows.flatMap(({ currency, rate, is_own, live_rate }) => {
    const liveRate = is_own ? live_rate : rate
    return liveRate === null ? [] : [[currency, liveRate]]
  })

/**
 * Sets rates based on this currency: null removes one. With `keepsOthers`, rates not given remain; otherwise they are deleted. Own rates
 * remain own ones.
 */
export const storeRates = (
  tx: Tx,
  base: string,
  newRates: ReadonlyMap<string, Decimal | null>,
  keepsOthers: boolean,
): Promise<void> =>
  changeRates(tx, base, (rates) => {
    if (!keepsOthers) for (const code of rates.keys()) if (!newRates.has(code)) rates.delete(code)
    for (const [code, rate] of newRates) {
      const { isOwn = false, liveRate = null, liveUpdated = null } = rates.get(code) ?? {}
      if (rate === null) rates.delete(code)
      else rates.set(code, { rate, updated: null, isOwn, liveRate, liveUpdated })
    }
  })

/** Stores fetched rates based on this currency. Rates not given remain; behind a manual rate the fetched one waits. */
export const storeFetchedRates = (tx: Tx, base: string, fetchedRates: ReadonlyMap<string, Decimal>): Promise<void> =>
  changeRates(tx, base, (rates) => {
    for (const [code, rate] of fetchedRates) {
      const previous = rates.get(code)
      if (previous?.isOwn) rates.set(code, { ...previous, liveRate: rate, liveUpdated: null })
      else rates.set(code, { rate, updated: null, isOwn: false, liveRate: null, liveUpdated: null })
    }
  })

/** Sets the own rate of a currency; null ends it, and the last fetched rate applies again, if there is one. */
export const storeOwnRate = (tx: Tx, base: string, currency: string, rate: Decimal | null): Promise<void> =>
  changeRates(tx, base, (rates) => {
    const previous = rates.get(currency)
    const [liveRate, liveUpdated] = previous?.isOwn
      ? [previous.liveRate, previous.liveUpdated]
      : [previous?.rate ?? null, previous?.updated ?? null]
    if (rate !== null) rates.set(currency, { rate, updated: null, isOwn: true, liveRate, liveUpdated })
    else if (liveRate === null) rates.delete(currency)
    else rates.set(currency, { rate: liveRate, updated: liveUpdated, isOwn: false, liveRate: null, liveUpdated: null })
  })
