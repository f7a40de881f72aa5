import type { Resource } from '../../kit/definition/resource.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { defaultCurrency, readRates } from '../currency/rates.ts'
import { orderErrors } from './order-errors.ts'
import { type OrderKind, tableName } from './order-kind.ts'
import { lineAmount, orderTotal, type PricedLine } from './total.ts'

/** Maximum total that the column can hold. */
const MAX_TOTAL = '9999999999999.999999'

/** A stored order; the total as text with all decimals. */
export type StoredOrder = {
  pk: number
  total_price: Decimal | null
  total_price_currency: string
  order_currency: string | null
  company_currency: string | null
  /** Sums of its lines and extra lines, by currency. */
  sums: { currency: string; sum: Decimal }[]
}

type Context = Pick<Services, 'settings'> & { tx: Tx }

/**
 * The currency of an order's total: its own; otherwise that of its company; otherwise the default currency.
 *
 * @param companyCurrency null when the order has no company
 */
export const totalCurrency = (
  services: Pick<Services, 'settings'>,
  orderCurrency: unknown,
  companyCurrency: string | null | undefined,
): string => (orderCurrency as string | null) || companyCurrency || defaultCurrency(services)

/**
 * Recomputes and stores the totals of orders: the sum over lines and extra lines in the order's currency. Called after every change of an
 * order, a line or an extra line, in its transaction. Locks the orders, in key order.
 *
 * The lines are summed by currency in the database; `orderTotal` converts and rounds.
 */
export async function recomputeTotals(context: Context, kind: OrderKind, orders: readonly number[]): Promise<void> {
  const orderKeys = [...new Set(orders)]
  const [, stored = []] = await context.tx.pipeline(
    // a separate statement, so that the sums include rows that others committed while we waited for the lock
    {
      text: `select from ${tableName(kind.table)} where pk = any($1::integer[]) order by pk for no key update`,
      values: [orderKeys],
    },
    totalsStatement(kind, orderKeys),
  )
  await storeTotals(context, kind, stored as StoredOrder[])
}

/** The statement for the sums of the lines of orders, which must be locked. */
export function totalsStatement(kind: OrderKind, orders: readonly number[]) {
  const { price } = kind.lines
  return {
    text: `select o.pk, o.total_price, o.total_price_currency, o.order_currency, company.currency as company_currency,
       (select coalesce(json_agg(summed), '[]') from (
         select currency, sum(amount)::text as sum from (
           select ${price}_currency as currency, ${lineAmount(price)} as amount from ${tableName(kind.lines.table)}
           where "order" = o.pk and ${price} <> 0
           union all
           select price_currency, ${lineAmount('price')} from ${tableName(kind.extraLines)} where "order" = o.pk and price <> 0
         ) priced group by currency) summed) as sums
     from ${tableName(kind.table)} o left join company on company.pk = o.${kind.company}
     where o.pk = any($1::integer[]) order by o.pk`,
    values: [orders],
  }
}

/** Stores the totals of locked orders, given the rows of `totalsStatement`. */
export async function storeTotals(context: Context, kind: OrderKind, locked: readonly StoredOrder[]): Promise<void> {
  const { tx } = context
  const table = tableName(kind.table)
  if (locked.length === 0) return
  const lines = new Map(
    locked.map(({ pk, sums }) => [pk, sums.map(({ currency, sum }): PricedLine => ({ quantity: '1', price: sum, currency }))]),
  )
  const currencies = locked.map((order) => totalCurrency(context, order.order_currency, order.company_currency))
  const foreign = locked.some(({ pk }, at) => lines.get(pk)?.some(({ currency }) => currency !== currencies[at]))
  const rates = foreign ? await readRates(tx) : new Map()
  const fresh = locked.map((order, at) => {
    const currency = currencies[at] as string
    return { ...order, total: orderTotal(lines.get(order.pk) ?? [], currency, rates), currency }
  })
  for (const { total } of fresh) {
    if (total !== null && (compare(total, MAX_TOTAL) > 0 || compare(total, `-${MAX_TOTAL}`) < 0))
      throw invalid({ total_price: [orderErrors.order_total_too_large] })
  }
  const changed = fresh.filter((order) => order.total !== order.total_price || order.currency !== order.total_price_currency)
  if (changed.length === 0) return
  await tx.query(
    `update ${table} o set total_price = fresh.total, total_price_currency = fresh.currency
     from unnest($1::integer[], $2::numeric[], $3::text[]) fresh (pk, total, currency) where o.pk = fresh.pk`,
    [changed.map(({ pk }) => pk), changed.map(({ total }) => total), changed.map(({ currency }) => currency)],
  )
}

/** Hooks of every order line table that update the total of its order, and of the order that it was moved from. */
export const totalsHooks = (kind: OrderKind): Pick<Resource, 'afterCreate' | 'afterUpdate' | 'afterDelete'> => ({
  afterCreate: ({ after, ...context }) => recomputeTotals(context, kind, [after('order') as number]),
  afterUpdate: ({ before, after, ...context }) =>
    recomputeTotals(
      context,
      kind,
      [after('order'), before?.order].filter((order) => typeof order === 'number'),
    ),
  afterDelete: (context, rows) =>
    recomputeTotals(
      context,
      kind,
      rows.map((row) => row.order as number),
    ),
})
