import { LRUCache } from 'lru-cache'
import type { QueryResultRow } from 'pg'
import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { roles, signedIn } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../../../kit/sql/run-query.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { type OrderKind, tableName } from '../../order/order-kind.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import { SALES_ORDER } from '../../order/so/so-kind.ts'
import { buildStockValueStatement, buildValueHistoryStatement } from '../../part/stocktake/count-parts.ts'

/** Number of months with a figure of their own, the current one included. */
const MONTHS = 12
/** Maximum number of days in the course of the stock value: the latest. */
const MAX_DAYS = 100
/** Share of the counted parts from which on their value is a figure: before that it would rise with the number of counted parts. */
const MIN_COUNTED_SHARE = 0.9
/** Milliseconds for which the value of all stock and its course are reused: they read every stock item and stocktake. */
const VALUE_MAX_AGE_MS = 5 * 60_000

const MoneyRange = {
  cost_min: Type.String({ format: 'decimal', description: 'The value by the minimum prices.' }),
  cost_max: Type.String({ format: 'decimal', description: 'The value by the maximum prices.' }),
}

const Months = (help: string) =>
  Type.Optional(
    Type.Array(
      Type.Object({
        month: Type.String({ description: 'The month, such as 2026-11.' }),
        count: Type.Integer({ description: 'The number of orders.' }),
      }),
      { description: `${help} in each of the last ${MONTHS} months, the current one last.` },
    ),
  )

type ValueDay = { date: string; cost_min: string; cost_max: string; parts: number }
type StockValue = { cost_min: string; cost_max: string; unpriced: number }

type Computed<Row = QueryResultRow> = { rows: Row[]; calculated: string }

/** Computed rows by database and statement. Requests that arrive while a statement runs share its rows. */
const cachesByDatabase = new WeakMap<object, LRUCache<string, Promise<Computed>>>()

export const readFigures = view({
  path: '/api/web/figures/',
  summary: 'Get the figures of the home page',
  description: `The value of all stock with its course, and the orders received and shipped by month: those that the account can view. The value is computed as in stocktakes, at most every ${VALUE_MAX_AGE_MS / 60_000} minutes; its course is that of the parts with stocktakes.`,
  access: signedIn,
  response: Type.Object({
    stock_value: Type.Optional(
      Type.Object({
        currency: Type.String({ description: 'The currency of the values.' }),
        ...MoneyRange,
        unpriced: Type.Integer({ description: 'The number of stock items without a known price, which count as 0.' }),
        calculated: Type.String({ format: 'date-time', description: 'When it was computed.' }),
        history: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...MoneyRange, parts: Type.Integer() }), {
          description:
            'The value of the counted parts on days with stocktakes, by the latest stocktake of each part; empty without the permission to view stocktakes.',
        }),
      }),
    ),
    received: Months('The purchase orders completed'),
    shipped: Months('The sales orders completed'),
  }),
  async read(request) {
    const { caller } = request
    const query = queryThrough(request)
    const canView = (...names: string[]) => names.every((name) => roles(name)(caller, 'view'))
    return {
      ...(canView('stock', 'part') ? { stock_value: await readStockValue(request, query, canView('stocktake')) } : {}),
      ...(canView('purchase_order') ? { received: await countByMonth(query, PURCHASE_ORDER) } : {}),
      ...(canView('sales_order') ? { shipped: await countByMonth(query, SALES_ORDER) } : {}),
    }
  },
})

async function readStockValue(services: Services, query: RunQuery, hasHistory: boolean) {
  const currency = defaultCurrency(services)
  const rates = await readRates({ query })
  const current = await readCached<StockValue>(services, query, buildStockValueStatement(currency, rates))
  const history = hasHistory
    ? (await readCached<ValueDay>(services, query, buildValueHistoryStatement(currency, rates))).rows
    : []
  const counted = history.at(-1)?.parts ?? 0
  return {
    currency,
    ...(current.rows[0] as StockValue),
    calculated: current.calculated,
    history: history.filter(({ parts }) => parts >= counted * MIN_COUNTED_SHARE).slice(-MAX_DAYS),
  }
}

/** Runs a statement, unless its rows are recent; they are the same for all callers. */
function readCached<Row extends QueryResultRow>(
  { database }: Services,
  query: RunQuery,
  statement: string,
): Promise<Computed<Row>> {
  // reads of the same page share a connection, by an object of their own
  const { origin } = database
  const cache = cachesByDatabase.get(origin) ?? new LRUCache<string, Promise<Computed>>({ max: 8, ttl: VALUE_MAX_AGE_MS })
  cachesByDatabase.set(origin, cache)
  const cached = cache.get(statement)
  if (cached) return cached as Promise<Computed<Row>>
  const computed = query<Row>(statement, []).then((rows) => ({ rows, calculated: new Date().toISOString() }))
  cache.set(statement, computed)
  computed.catch(() => cache.delete(statement))
  return computed
}

/** The number of orders completed in each month, also of months without one. */
async function countByMonth(query: RunQuery, kind: OrderKind) {
  return query<{ month: string; count: number }>(
    `select to_char(month, 'YYYY-MM') as month, count(o.pk)::integer as count
     from generate_series(date_trunc('month', current_date) - interval '${MONTHS - 1} months', current_date, '1 month') month
     left join ${tableName(kind.table)} o on o.${kind.states.completedOn} >= month and o.${kind.states.completedOn} < month + interval '1 month'
     group by month order by month`,
    [],
  )
}
