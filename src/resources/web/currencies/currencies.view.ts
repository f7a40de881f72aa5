import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { isoTimestamp } from '../../../kit/definition/field.ts'
import { staff } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { toExact, toPlainText } from '../../../kit/values/decimal.ts'
import { RATES_HOOK, setting } from '../../../settings/live.ts'
import { rebaseRates } from '../../currency/exchange.ts'
import { LAST_UPDATE } from '../../currency/fetch-rates.ts'
import { CURRENCIES, defaultCurrency, readRates } from '../../currency/rates.ts'

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
const instantOrNull = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

/** Schema of a currency with its rates. */
export const currencySchema = Type.Object({
  code: Type.String({ description: 'Its ISO 4217 code.' }),
  name: Type.String({ description: 'Its English name.' }),
  rate: textOrNull('The value of one unit of the default currency in it, which conversions use; null if it is unknown.'),
  is_own: Type.Boolean({ description: 'Whether this is a manual rate, which updates do not replace.' }),
  live_rate: textOrNull('The rate that the last update brought; null for none.'),
  updated: instantOrNull('When the rate was set or fetched.'),
})

const response = Type.Object({
  base_currency: Type.String({ description: 'The default currency, on which all rates are based.' }),
  currencies: Type.Array(currencySchema, { description: 'All supported currencies.' }),
  plugin: Type.String({ description: 'The plugin that supplies the live rates (`CURRENCY_UPDATE_PLUGIN`); empty for none.' }),
  plugin_name: textOrNull('Its name; null while it is not enabled.'),
  interval_days: Type.Integer({ description: 'The days between updates (`CURRENCY_UPDATE_INTERVAL`); 0 for never.' }),
  updated: instantOrNull('When live rates were last fetched, or replaced through the API; null for never.'),
  failure: Type.Union(
    [
      Type.Object({
        failed: Type.String({ format: 'date-time', description: 'When it failed.' }),
        code: Type.String({ description: 'The code of the error.' }),
        parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'The parameters of the error.' }),
        message: Type.String({ description: 'The error in words.' }),
      }),
      Type.Null(),
    ],
    { description: 'The last update, if it failed; null after a success.' },
  ),
})

/** Currencies with live and manual rates, as the console shows them. */
export const listCurrencies = view({
  path: '/api/web/currencies/',
  summary: 'List the currencies with their exchange rates',
  description:
    'All supported currencies with live and manual rates, the plugin that supplies the live ones, and the error of the last update. Set a manual rate with `PATCH /api/web/currencies/{currency}/`; fetch live ones with `POST /api/currency/refresh/`.',
  access: staff,
  response,
  read: async (request) => {
    const query = queryThrough(request)
    const base = defaultCurrency(request)
    const plugin = setting(request, 'CURRENCY_UPDATE_PLUGIN')
    const [last] = await query<{ updated: string | null }>(
      `select ${isoTimestamp(LAST_UPDATE)} as updated from currency_rate`,
      [],
    )
    const [failure] = await query<Record<string, unknown>>(
      `select ${isoTimestamp('failed')} as failed, code, parameters, message from currency_failure order by failed desc limit 1`,
      [],
    )
    return {
      base_currency: base,
      currencies: await readCurrencies({ query }, request),
      plugin,
      plugin_name: request.plugins.withHook(RATES_HOOK).find(({ key }) => key === plugin)?.title ?? null,
      interval_days: setting(request, 'CURRENCY_UPDATE_INTERVAL'),
      updated: last?.updated ?? null,
      failure: failure ?? null,
    }
  },
})

type Row = { currency: string; is_own: boolean; live_rate: string | null; updated: string }

/** All currencies with their rates, based on the default currency whatever base they were set for. */
export async function readCurrencies(tx: Pick<Tx, 'query'>, services: Pick<Services, 'settings'>) {
  const base = defaultCurrency(services)
  const rates = rebaseRates(base, await readRates(tx))
  const rows = await tx.query<Row>(
    `select currency, is_own, trim_scale(live_rate)::text as live_rate, ${isoTimestamp('updated')} as updated
     from currency_rate where base = $1`,
    [base],
  )
  const rowByCode = new Map(rows.map((row) => [row.currency, row]))
  return CURRENCIES.map(({ value, label }) => {
    const code = String(value)
    const stored = rates.get(code)
    const rate = stored === undefined ? null : toPlainText(toExact(stored))
    const { is_own = false, live_rate = null, updated = null } = rowByCode.get(code) ?? {}
    return { code, name: label, rate, is_own, live_rate: is_own ? live_rate : code === base ? null : rate, updated }
  })
}
