import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockErrors } from '../stock-errors.ts'

/** What of a stock item tells whether something happened to it. */
export type ItemState = {
  pk: number
  quantity: Decimal
  location: number | null
  status: number
  /** The newest entry of its history, of those that were not taken back. */
  entry: number | null
  /** Of all that is known of it but its moment and its sums: changes, too, that are no part of its history. */
  digest: string
  /** Those that were split off it. */
  children: number[]
  /** What its ETag shows. */
  version: string
}

/** Goes back over what was taken back, which may go back over more. (`+ 0`: by the index of the item, not through all entries from the last.) */
const NEWEST_ENTRY = `with recursive entry (pk, back_to) as (
    (select pk, back_to from stock_tracking where stock_tracking.item = item.pk order by pk + 0 desc limit 1)
    union all
    select before.pk, before.back_to from entry join stock_tracking before on before.pk = entry.back_to
  )
  select coalesce(nullif(back_to, 0), case when back_to is null then pk end) from entry order by pk limit 1`

/** Stock items as they are: of the keys in the first value. */
export const STATES = `select pk, quantity::text as quantity, location, status, xmin::text as version, (${NEWEST_ENTRY}) as entry,
    md5((to_jsonb(item) - '{updated,parent,opening_quantity,allocated_to_sales_orders,allocated_to_build_orders}'::text[])::text) as digest,
    array(select child.pk from stock_item child where child.parent = item.pk order by child.pk limit 1000) as children
  from stock_item item where pk = any($1::integer[])`

/** Stock items as they are, by key. */
export async function readStates(tx: Tx, pks: readonly number[]): Promise<Map<number, ItemState>> {
  const rows = await tx.query<ItemState>(STATES, [pks])
  return new Map(rows.map((row) => [row.pk, row]))
}

/** What happened to an item since it was left so, in words; empty for nothing. It is locked. */
function movedSince(left: ItemState, now: ItemState | undefined): ErrorMessage[] {
  const { pk } = left
  if (!now) return [stockErrors.stock_item_deleted({ pk })]
  const moved: ErrorMessage[] = []
  if (compare(now.quantity, left.quantity) !== 0)
    moved.push(
      stockErrors.stock_item_quantity_changed({
        pk,
        quantity: normalize(now.quantity),
        quantity_before: normalize(left.quantity),
      }),
    )
  if (now.location !== left.location) moved.push(elsewhere(pk, now.location, left.location))
  if (now.status !== left.status)
    moved.push(stockErrors.stock_item_status_changed({ pk, status: now.status, status_before: left.status }))
  if (moved.length === 0 && now.entry !== left.entry)
    moved.push(stockErrors.stock_item_has_newer_history({ pk, entry: now.entry ?? 'none' }))
  return moved
}

/** The error of an item that is in another location than it was, of which one may be none. */
function elsewhere(pk: number, location: number | null, location_before: number | null): ErrorMessage {
  if (location === null) return stockErrors.stock_item_moved_to_nowhere({ pk, location_before: location_before ?? '' })
  if (location_before === null) return stockErrors.stock_item_moved_from_nowhere({ pk, location })
  return stockErrors.stock_item_moved({ pk, location, location_before })
}

/**
 * The same of an item that is changed back.
 * @param isWhole nothing else of it may have changed either, such as its batch code, which is no part of its history
 */
export function changedSince(left: ItemState, now: ItemState | undefined, isWhole: boolean): ErrorMessage[] {
  const moved = movedSince(left, now)
  return moved.length === 0 && isWhole && now?.digest !== left.digest ? [stockErrors.stock_item_changed({ pk: left.pk })] : moved
}

/** How many items are told of by themselves. */
const TOLD = 20

/** What happened to each of several items, as a refusal says it. */
export function tellMoved(moved: readonly (readonly ErrorMessage[])[]): ErrorMessage[] {
  const told = moved.slice(0, TOLD).flat()
  return moved.length > TOLD ? [...told, stockErrors.more_stock_items_changed({ count: moved.length - TOLD })] : told
}

type Use = 'in_sales_order' | 'in_build_order' | 'in_return_order' | 'split' | 'has_attachment'

/** What uses an item that was made, or came of it: of the keys in the first value, of each item one. */
const USES = `select distinct on (pk) pk, what from (
    select item as pk, 'in_sales_order' as what from sales_order_allocation where item = any($1::integer[])
    union all select stock_item, 'in_build_order' from build_allocation where stock_item = any($1::integer[])
    union all select install_into, 'in_build_order' from build_allocation where install_into = any($1::integer[])
    union all select item, 'in_return_order' from return_order_line where item = any($1::integer[])
    union all select parent, 'split' from stock_item where parent = any($1::integer[])
    union all select belongs_to, 'split' from stock_item where belongs_to = any($1::integer[])
    union all select stock_item, 'has_attachment' from stock_item_attachment where stock_item = any($1::integer[])
  ) use order by pk`

/**
 * The same for items that were made, which go with it: nothing at all may have happened to them. They may be as many as there are
 * serial numbers in a delivery.
 * @param now how they are, by key
 * @returns of each to which something happened what that is
 */
export async function touchedSince(
  tx: Tx,
  left: readonly ItemState[],
  now: ReadonlyMap<number, ItemState>,
): Promise<ErrorMessage[][]> {
  if (left.length === 0) return []
  const uses = await tx.query<{ pk: number; what: Use }>(USES, [left.map(({ pk }) => pk)])
  const useOf = new Map(uses.map(({ pk, what }) => [pk, what]))
  return left.flatMap((state) => {
    const changed = changedSince(state, now.get(state.pk), true)
    if (changed.length > 0) return [changed]
    const use = useOf.get(state.pk)
    return use === undefined ? [] : [[stockErrors[`stock_item_now_${use}`]({ pk: state.pk })]]
  })
}
