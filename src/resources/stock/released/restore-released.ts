import { invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, subtract, toJsonNumber } from '../../../kit/values/decimal.ts'
import { ACTIVE_STATES_SQL } from '../../build/build-status.ts'
import { openStates } from '../../order/order-kind.ts'
import { SALES_ORDER } from '../../order/so/so-kind.ts'
import { TRANSFER_ORDER } from '../../order/transfer-order/transfer-order-kind.ts'
import type { LockedItem } from '../movement/locked-items.ts'
import type { HistoryEvent } from '../movement/stock-history.ts'
import { stockErrors } from '../stock-errors.ts'
import { RELEASE_KINDS, type ReleaseKind } from './release-kinds.ts'

/** A release of a stock item, and whether its order still accepts the stock. */
type ReleasedAllocation = {
  pk: number
  kind: ReleaseKind
  order: number
  reference: string
  stock_item: number
  line: number
  quantity: Decimal
  /** Whether the order is open, and still has the line and shipment of the allocation. */
  is_open: boolean
  /** Shortage of the line of a sales order or transfer order; null for a build order, which checks that when it is completed. */
  missing: Decimal | null
}

/** Locks the orders of these releases, before their stock items. */
export async function lockOrdersOfReleases(tx: Tx, pks: readonly number[]): Promise<void> {
  if (pks.length === 0) return
  for (const { orders, column } of [RELEASE_KINDS.sales, RELEASE_KINDS.transfer, RELEASE_KINDS.build])
    await tx.query(
      `select from ${orders} where pk in (select ${column} from released_allocation where pk = any($1::integer[]))
       order by pk for no key update`,
      [pks],
    )
}

const SELECT_RELEASED = `
  select r.pk, 'sales' as kind, o.pk as "order", o.reference, r.stock_item, r.line, r.quantity::text,
    o.status in ${openStates(SALES_ORDER)} and l.pk is not null
      and (r.shipment is null or exists (select from sales_order_shipment s where s.pk = r.shipment and s.shipment_date is null)) as is_open,
    (l.quantity - l.shipped - coalesce((select sum(a.quantity) from sales_order_allocation a where a.is_open and a.line = l.pk), 0))::text
      as missing
  from released_allocation r join sales_order o on o.pk = r.sales_order left join sales_order_line l on l.pk = r.line and l."order" = o.pk
  where r.pk = any($1::integer[]) and r.restored is null
  union all
  select r.pk, 'transfer', o.pk, o.reference, r.stock_item, r.line, r.quantity::text,
    o.status in ${openStates(TRANSFER_ORDER)} and l.pk is not null,
    (l.quantity - l.transferred - coalesce((select sum(a.quantity) from transfer_order_allocation a where a.is_open and a.line = l.pk), 0))::text
  from released_allocation r join transfer_order o on o.pk = r.transfer_order
  left join transfer_order_line l on l.pk = r.line and l."order" = o.pk
  where r.pk = any($1::integer[]) and r.restored is null
  union all
  select r.pk, 'build', o.pk, o.reference, r.stock_item, r.line, r.quantity::text,
    o.status in ${ACTIVE_STATES_SQL} and l.pk is not null
      and (r.install_into is null or exists (select from stock_item s where s.pk = r.install_into and s.is_building)),
    null
  from released_allocation r join build_order o on o.pk = r.build left join build_line l on l.pk = r.line and l.build = o.pk
  where r.pk = any($1::integer[]) and r.restored is null
  order by 1`

const RESTORE_SALES = `with released as (select * from released_allocation where pk = any($1::integer[]) and sales_order is not null),
  increased as (
    update sales_order_allocation a set quantity = a.quantity + r.quantity
    from released r where a.pk = r.allocation and a.line = r.line and a.item = r.stock_item and a.is_open returning r.pk
  )
  insert into sales_order_allocation (line, shipment, item, quantity)
  select line, shipment, stock_item, quantity from released where pk not in (select pk from increased) order by pk`
const RESTORE_TRANSFERS = `with released as (
    select * from released_allocation where pk = any($1::integer[]) and transfer_order is not null
  ), increased as (
    update transfer_order_allocation a set quantity = a.quantity + r.quantity
    from released r where a.pk = r.allocation and a.line = r.line and a.item = r.stock_item and a.is_open returning r.pk
  )
  insert into transfer_order_allocation (line, item, quantity)
  select line, stock_item, quantity from released where pk not in (select pk from increased) order by pk`
const RESTORE_BUILDS = `insert into build_allocation (build_line, stock_item, quantity, install_into)
  select line, stock_item, quantity, install_into from released_allocation
  where pk = any($1::integer[]) and build is not null order by pk
  on conflict (build_line, stock_item, install_into) do update set quantity = build_allocation.quantity + excluded.quantity`

const MARK_RESTORED = 'update released_allocation set restored = now() where pk = any($1::integer[])'

/**
 * Reads the releases of items that are locked and changed back, and counts them as allocated again for the existing items.
 * @param items the existing items, by key
 * @returns the statements that allocate the stock again, once the items are stored, and the history events of each item
 * @throws Problem 400 when an order is closed, or no longer needs the stock
 */
export async function readReleased(tx: Tx, pks: readonly number[], items: ReadonlyMap<number, LockedItem>) {
  const rows = pks.length === 0 ? [] : await tx.query<ReleasedAllocation>(SELECT_RELEASED, [pks])
  const unrestorable = new Set<string>()
  const missing = new Map<string, Decimal>()
  for (const { kind, line, quantity, reference, is_open, missing: before } of rows) {
    const remaining = before === null ? null : subtract(missing.get(`${kind}-${line}`) ?? before, quantity)
    if (!is_open || (remaining !== null && compare(remaining, '0') < 0)) unrestorable.add(reference)
    if (remaining !== null) missing.set(`${kind}-${line}`, remaining)
  }
  if (unrestorable.size > 0)
    throw invalidObject(...[...unrestorable].map((reference) => stockErrors.released_stock_not_restorable({ reference })))
  for (const { kind, stock_item, quantity } of rows) {
    const item = items.get(stock_item)
    const name = RELEASE_KINDS[kind].sum
    if (item) item[name] = add(item[name], quantity)
  }
  return {
    writes:
      rows.length === 0
        ? []
        : [RESTORE_SALES, RESTORE_TRANSFERS, RESTORE_BUILDS, MARK_RESTORED].map((text) => ({
            text,
            values: [rows.map(({ pk }) => pk)],
          })),
    listEvents: (item: number): HistoryEvent[] =>
      rows
        .filter(({ stock_item }) => stock_item === item)
        .map(({ kind, order, quantity }) => ({
          type: 'STOCK_UPDATE',
          deltas: { allocated: toJsonNumber(quantity), [RELEASE_KINDS[kind].delta]: order },
        })),
  }
}
