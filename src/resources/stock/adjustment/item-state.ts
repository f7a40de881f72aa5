import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockErrors } from '../stock-errors.ts'

/** State of a stock item, for detecting later changes. */
export type ItemState = {
  pk: number
  quantity: Decimal
  location: number | null
  status: number
  /** Newest entry of its history that was not undone. */
  entry: number | null
  /** Digest of all columns except timestamps and sums, which also covers changes outside its history. */
  digest: string
  /** Keys of the items split off it. */
  children: number[]
  /** Version in its ETag. */
  version: string
}

/**
 * Skips undone entries, whose undo entries may themselves be undone. (`+ 0`: makes PostgreSQL use the index of the item, instead of
 * scanning all entries from the last.)
 */
const NEWEST_ENTRY = `with recursive entry (pk, back_to) as (
    (select pk, back_to from stock_tracking where stock_tracking.item = item.pk order by pk + 0 desc limit 1)
    union all
    select before.pk, before.back_to from entry join stock_tracking before on before.pk = entry.back_to
  )
  select coalesce(nullif(back_to, 0), case when back_to is null then pk end) from entry order by pk limit 1`

/** Current states of the stock items with the keys in the first parameter. */
export const STATES_QUERY = `select pk, quantity::text as quantity, location, status, xmin::text as version, (${NEWEST_ENTRY}) as entry,
    md5((to_jsonb(item) - '{updated,parent,opening_quantity,allocated_to_sales_orders,allocated_to_build_orders,allocated_to_transfer_orders}'::text[])::text) as digest,
    array(select child.pk from stock_item child where child.parent = item.pk order by child.pk limit 1000) as children
  from stock_item item where pk = any($1::integer[])`

/** Reads the current states of stock items, by key. */
export async function readStates(tx: Tx, pks: readonly number[]): Promise<Map<number, ItemState>> {
  const rows = await tx.query<ItemState>(STATES_QUERY, [pks])
  return new Map(rows.map((row) => [row.pk, row]))
}

/** Returns the changes of a locked item since it was left in a state, as errors; empty for none. */
function findTrackedChanges(previous: ItemState, current: ItemState | undefined): ErrorMessage[] {
  const { pk } = previous
  if (!current) return [stockErrors.stock_item_deleted({ pk })]
  const changes: ErrorMessage[] = []
  if (compare(current.quantity, previous.quantity) !== 0)
    changes.push(
      stockErrors.stock_item_quantity_changed({
        pk,
        quantity: normalize(current.quantity),
        quantity_before: normalize(previous.quantity),
      }),
    )
  if (current.location !== previous.location) changes.push(locationChangedError(pk, current.location, previous.location))
  if (current.status !== previous.status)
    changes.push(stockErrors.stock_item_status_changed({ pk, status: current.status, status_before: previous.status }))
  if (changes.length === 0 && current.entry !== previous.entry)
    changes.push(stockErrors.stock_item_has_newer_history({ pk, entry: current.entry ?? 'none' }))
  return changes
}

/** Returns the error of a moved item; one of the locations may be none. */
function locationChangedError(pk: number, location: number | null, location_before: number | null): ErrorMessage {
  if (location === null) return stockErrors.stock_item_moved_to_nowhere({ pk, location_before: location_before ?? '' })
  if (location_before === null) return stockErrors.stock_item_moved_from_nowhere({ pk, location })
  return stockErrors.stock_item_moved({ pk, location, location_before })
}

/**
 * Returns the changes of an item that is to be restored.
 * @param coversAllColumns whether any other change counts too, such as of its batch code, which is not in its history
 */
export function findChanges(previous: ItemState, current: ItemState | undefined, coversAllColumns: boolean): ErrorMessage[] {
  const changes = findTrackedChanges(previous, current)
  return changes.length === 0 && coversAllColumns && current?.digest !== previous.digest
    ? [stockErrors.stock_item_changed({ pk: previous.pk })]
    : changes
}

/** Maximum number of items with errors of their own. */
const MAX_REPORTED_ITEMS = 20

/** Combines the changes of several items into the errors of a response. */
export function reportChanges(changes: readonly (readonly ErrorMessage[])[]): ErrorMessage[] {
  const messages = changes.slice(0, MAX_REPORTED_ITEMS).flat()
  return changes.length > MAX_REPORTED_ITEMS
    ? [...messages, stockErrors.more_stock_items_changed({ count: changes.length - MAX_REPORTED_ITEMS })]
    : messages
}

type Use = 'in_sales_order' | 'in_transfer_order' | 'in_build_order' | 'in_return_order' | 'split' | 'has_attachment'

/** One use of each created item with a key in the first parameter: an order, an item split off or installed, or an attachment. */
const USES_QUERY = `select distinct on (pk) pk, use_type from (
    select item as pk, 'in_sales_order' as use_type from sales_order_allocation where item = any($1::integer[])
    union all select item, 'in_transfer_order' from transfer_order_allocation where item = any($1::integer[])
    union all select stock_item, 'in_build_order' from build_allocation where stock_item = any($1::integer[])
    union all select install_into, 'in_build_order' from build_allocation where install_into = any($1::integer[])
    union all select item, 'in_return_order' from return_order_line where item = any($1::integer[])
    union all select parent, 'split' from stock_item where parent = any($1::integer[])
    union all select belongs_to, 'split' from stock_item where belongs_to = any($1::integer[])
    union all select stock_item, 'has_attachment' from stock_item_attachment where stock_item = any($1::integer[])
  ) use order by pk`

/**
 * Returns the changes of created items that an undo deletes: any change counts. There may be as many as serial numbers in a delivery.
 * @param current their current states, by key
 * @returns the changes of each changed item
 */
export async function findLaterUses(
  tx: Tx,
  previous: readonly ItemState[],
  current: ReadonlyMap<number, ItemState>,
): Promise<ErrorMessage[][]> {
  if (previous.length === 0) return []
  const uses = await tx.query<{ pk: number; use_type: Use }>(USES_QUERY, [previous.map(({ pk }) => pk)])
  const usesByItem = new Map(uses.map(({ pk, use_type }) => [pk, use_type]))
  return previous.flatMap((state) => {
    const changed = findChanges(state, current.get(state.pk), true)
    if (changed.length > 0) return [changed]
    const use = usesByItem.get(state.pk)
    return use === undefined ? [] : [[stockErrors[`stock_item_now_${use}`]({ pk: state.pk })]]
  })
}
