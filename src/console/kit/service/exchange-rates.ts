import { effect, signal } from '@preact/signals'
import { ApiError, get } from './api.ts'
import { settingChanges } from './session.ts'

type Exchange = { base_currency: string; exchange_rates: Record<string, number> }

/** The currencies that amounts can be converted from; undefined while they are not known. */
const convertible = signal<ReadonlySet<string> | undefined>(undefined)
let isRequested = false

/** Reads the exchange rates again, if something shows which are missing. */
export function reloadRates(): void {
  if (!isRequested) return
  get<Exchange>('/api/currency/exchange/').then(
    ({ body }) => {
      convertible.value = new Set([body.base_currency, ...Object.keys(body.exchange_rates)])
    },
    (error) => {
      // without them, nothing is said about them
      if (!(error instanceof ApiError)) throw error
    },
  )
}

/** Whether a currency has no exchange rate, so that totals and price ranges cannot include its amounts. */
export function hasNoRate(currency: string): boolean {
  if (!isRequested) {
    isRequested = true
    // at once, and when this window changes a setting
    effect(() => {
      settingChanges.value
      reloadRates()
    })
  }
  return currency !== '' && convertible.value !== undefined && !convertible.value.has(currency)
}
