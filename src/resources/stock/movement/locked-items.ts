import type { Statement } from '../../../database/text-query.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, isZero, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { ALLOCATED_COLUMNS } from '../allocated-quantities.ts'
import { stockErrors } from '../stock-errors.ts'

/** Columns of a stock item that actions change, with their types. */
const columns = {
  part: 'integer',
  quantity: 'numeric',
  location: 'integer',
  status: 'integer',
  status_custom_key: 'integer',
  batch: 'text',
  packaging: 'text',
  supplier_part: 'integer',
  purchase_price: 'numeric',
  purchase_price_currency: 'text',
  customer: 'integer',
  sales_order: 'integer',
  belongs_to: 'integer',
  build: 'integer',
  consumed_by: 'integer',
  is_building: 'boolean',
  stocktake_date: 'date',
  stocktake_user: 'integer',
} as const

const columnNames = Object.keys(columns)
const UPDATE = `update stock_item item
  set updated = now(), ${columnNames.map((name) => `${name} = changed.${name}`).join(', ')}
  from json_to_recordset($1::json) changed (pk integer, ${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})
  where item.pk = changed.pk`

/**
 * A stock item that is locked until the transaction ends. Actions change it here, and `stockItemWrites` writes the changes; `in_stock` is
 * the value at the time of locking.
 */
export type LockedItem = {
  readonly pk: number
  /** The value of its ETag. */
  readonly version: string
  part: number
  /** In the units of the part. */
  quantity: Decimal
  location: number | null
  status: number
  /** Key of the custom state of that status. A trigger clears it when only the status changes. */
  status_custom_key: number | null
  batch: string | null
  packaging: string | null
  supplier_part: number | null
  purchase_price: Decimal | null
  purchase_price_currency: string
  customer: number | null
  sales_order: number | null
  belongs_to: number | null
  /** The build order that makes or made it. */
  build: number | null
  is_building: boolean
  /** The build order that consumed it. */
  consumed_by: number | null
  stocktake_date: string | null
  stocktake_user: number | null
  /** Quantity allocated to sales orders. Triggers maintain the column; code that moves allocations updates this copy. */
  allocated_to_sales_orders: Decimal
  /** Quantity allocated to build orders, maintained in the same way. */
  allocated_to_build_orders: Decimal
  /** Quantity allocated to transfer orders, maintained in the same way. */
  allocated_to_transfer_orders: Decimal
  readonly serial: string | null
  readonly parent: number | null
  readonly in_stock: boolean
  readonly delete_on_deplete: boolean
  readonly purchase_order: number | null
  readonly expiry_date: string | null
  readonly owner: number | null
  readonly link: string
  readonly notes: string | null
  readonly tags: string[]
  /** The path from its part up through the templates, as of locking. */
  readonly part_path: readonly number[]
  /** Whether its part is trackable, as of locking. */
  readonly trackable: boolean
  /** Whether other items are installed in it. */
  readonly holds_items: boolean
  /** Whether a line of a return order refers to it. */
  readonly is_returned: boolean
  /** The write that is due when the item is stored. */
  pendingWrite?: 'changed' | 'deleted'
  /** The item into which it was merged as a whole; its allocations are moved to that item. */
  mergedInto?: LockedItem
}

/** Further rows that a transaction locks with stock items. */
type LockOptions = {
  /** Locks rows between the items and the sums of their parts. */
  beforeSums?: (items: ReadonlyMap<number, LockedItem>) => Promise<unknown>
  /**
   * Further parts whose sums will change: a statement that returns them, whose values begin at `$2`. All sums are locked in one statement,
   * in the order of their keys, as a second step could deadlock with a transaction that locks them in the other order.
   */
  parts?: { text: string; values: unknown[] }
  /** Whether the items are not in lock order: items locked by others are then skipped, and missing from the result. */
  skipLocked?: boolean
}

/**
 * Locks stock items against every other writer, always in the order of their keys, and then the sums of their parts. Returns them by key;
 * unknown keys are missing. Every action that changes stock begins with it.
 */
export const lockStockItems = (tx: Tx, pks: readonly number[], options?: LockOptions): Promise<Map<number, LockedItem>> =>
  lockStockItemsByQuery(tx, KEYS_QUERY, keysParameter(pks), options)

/** Locks stock items like `lockStockItems`, with their keys from a statement with these values. */
export async function lockStockItemsByQuery(
  tx: Tx,
  items: string,
  values: unknown[],
  { beforeSums, parts, skipLocked = false }: LockOptions = {},
): Promise<Map<number, LockedItem>> {
  const rows = lockRows(items, values, skipLocked)
  if (!beforeSums && !parts && !skipLocked) {
    const sums = `select lock_quantities(array(select part from stock_item where pk = any(array(${items}))))`
    const [locked = []] = await tx.pipeline(rows, { text: sums, values })
    return indexByKey(locked as LockedItem[])
  }
  const [itemRows = []] = await tx.pipeline(rows)
  const locked = indexByKey(itemRows as LockedItem[])
  await beforeSums?.(locked)
  const itemParts = [...new Set([...locked.values()].map((item) => item.part))]
  if (parts) await tx.query(`select lock_quantities($1::integer[] || array(${parts.text}))`, [itemParts, ...parts.values])
  else await tx.query('select lock_quantities($1::integer[])', [itemParts])
  return locked
}

/** Locks stock items without the sums, for callers that change these with a single statement, whose trigger locks all of them. */
export async function lockItemsWithoutSums(tx: Tx, pks: readonly number[]): Promise<Map<number, LockedItem>> {
  const [locked = []] = await tx.pipeline(lockRows(KEYS_QUERY, keysParameter(pks)))
  return indexByKey(locked as LockedItem[])
}

const KEYS_QUERY = 'select unnest($1::integer[])'
const keysParameter = (pks: readonly number[]): unknown[] => [[...new Set(pks)]]
const indexByKey = (items: readonly LockedItem[]): Map<number, LockedItem> => new Map(items.map((item) => [item.pk, item]))

const lockRows = (items: string, values: unknown[], skipLocked = false): Statement => ({
  text: `select item.*, item.xmin::text as version, part.path as part_path, part.trackable,
      exists (select from stock_item inside where inside.belongs_to = item.pk) as holds_items,
      exists (select from return_order_line line where line.item = item.pk) as is_returned
    from stock_item item join part on part.pk = item.part
    where item.pk = any(array(${items})) order by item.pk for no key update of item${skipLocked ? ' skip locked' : ''}`,
  values,
})

/**
 * Locks the items that a body names, and further ones. Returns those of the body in its order. 400 on `items` for an item that was deleted
 * since the body was read.
 */
export async function lockWithRequestedItems(
  tx: Tx,
  pks: readonly number[],
  field: string,
  further: readonly number[],
): Promise<{ items: LockedItem[]; locked: Map<number, LockedItem> }> {
  const locked = await lockStockItems(tx, [...pks, ...further])
  const errors = pks.map((pk): Errors => (locked.has(pk) ? {} : { [field]: [unknownReference(pk)] }))
  if (errors.some((entry) => Object.keys(entry).length)) throw invalid({ items: errors })
  return { items: pks.map((pk) => locked.get(pk) as LockedItem), locked }
}

/** Locks the items that a body names, and returns them in the body's order. 400 on `items` for an item that was deleted since the body was read. */
export const lockRequestedItems = async (tx: Tx, pks: readonly number[], field: string): Promise<LockedItem[]> =>
  (await lockWithRequestedItems(tx, pks, field, [])).items

/**
 * Changes the quantity of an item: never below 0. At 0 the item is deleted if it is set to be deleted when depleted, unless other items are
 * installed in it, it was sold, or a return order line refers to it, which would be deleted with it. Actions change quantities of stock
 * only here. Returns the difference: the `change` of the entry in the item's history.
 */
export function setQuantity(item: LockedItem, quantity: Decimal): Decimal {
  const before = item.quantity
  item.quantity = compare(quantity, '0') > 0 ? quantity : '0'
  const isPreserved = !item.delete_on_deplete || item.holds_items || item.is_returned || item.sales_order !== null
  const isDepleted = item.quantity === '0' && !isPreserved
  item.pendingWrite = isDepleted ? 'deleted' : 'changed'
  return subtract(item.quantity, before)
}

/** Quantity of an item that is allocated to orders, in units of its part. */
export const allocatedQuantity = (item: Pick<LockedItem, (typeof ALLOCATED_COLUMNS)[number]>): Decimal =>
  ALLOCATED_COLUMNS.reduce((sum: Decimal, name) => add(sum, item[name]), '0')

/** Quantity of an item that is not allocated to orders, in units of its part. */
export const unallocatedQuantity = (item: LockedItem): Decimal => subtract(item.quantity, allocatedQuantity(item))

/** Returns a message with the kinds of orders that an item is allocated to; undefined when it is not allocated. */
export const findAllocationError = (item: LockedItem): ErrorMessage | undefined =>
  !isZero(item.allocated_to_sales_orders)
    ? stockErrors.item_allocated_to_sales_order
    : !isZero(item.allocated_to_build_orders)
      ? stockErrors.item_allocated_to_build_order
      : !isZero(item.allocated_to_transfer_orders)
        ? stockErrors.item_allocated_to_transfer_order
        : undefined

/** Returns why a quantity cannot be taken from an item; undefined when it can. Allocated stock stays with the item. */
export const allocationProblem = (item: LockedItem, quantity: Decimal): ErrorMessage | undefined =>
  compare(quantity, unallocatedQuantity(item)) > 0 ? allocatedQuantityError(item) : undefined

const allocatedQuantityError = (item: LockedItem): ErrorMessage =>
  stockErrors.quantity_allocated_to_orders({ allocated: normalize(allocatedQuantity(item)) })

/**
 * Writes the changes of locked items. Items whose `pendingWrite` is `deleted` are deleted, with their history. 400 when less of an item
 * would remain than is allocated.
 */
export function stockItemWrites(items: Iterable<LockedItem>): Statement[] {
  const all = [...new Set(items)]
  const overallocated = all.find((item) => !item.mergedInto && compare(item.quantity, allocatedQuantity(item)) < 0)
  if (overallocated)
    throw invalidObject(
      stockErrors.stock_item_short_of_allocations({
        pk: overallocated.pk,
        allocated: normalize(allocatedQuantity(overallocated)),
      }),
    )
  const changed = all.filter(({ pendingWrite }) => pendingWrite === 'changed')
  const deleted = all.filter(({ pendingWrite }) => pendingWrite === 'deleted')
  const merged = deleted.filter(({ mergedInto }) => mergedInto)
  return [
    ...(changed.length ? [{ text: UPDATE, values: [JSON.stringify(changed)] }] : []),
    ...(merged.length ? reassignAllocations(merged) : []),
    ...(deleted.length
      ? [{ text: 'delete from stock_item where pk = any($1::integer[])', values: [deleted.map(({ pk }) => pk)] }]
      : []),
  ]
}

/** Moves the allocations of merged items to the items that they were merged into; those of one build order line are combined. */
function reassignAllocations(merged: readonly LockedItem[]): Statement[] {
  const keys = [merged.map(({ pk }) => pk), merged.map(({ mergedInto }) => mergedInto?.pk)]
  return [
    {
      text: `update sales_order_allocation allocation set item = merged.survivor
        from unnest($1::integer[], $2::integer[]) merged (item, survivor) where allocation.item = merged.item`,
      values: keys,
    },
    {
      text: `update transfer_order_allocation allocation set item = merged.survivor
        from unnest($1::integer[], $2::integer[]) merged (item, survivor) where allocation.item = merged.item`,
      values: keys,
    },
    {
      text: `insert into build_allocation (build_line, stock_item, quantity, install_into, is_open)
        select build_line, survivor, sum(quantity), install_into, bool_or(is_open)
        from build_allocation join unnest($1::integer[], $2::integer[]) merged (item, survivor) on merged.item = stock_item
        group by build_line, survivor, install_into
        on conflict (build_line, stock_item, install_into) do update set quantity = build_allocation.quantity + excluded.quantity`,
      values: keys,
    },
  ]
}

/** The context of every action on stock. */
export type StockContext = { tx: Tx; caller: Caller; scannedAt?: string }
