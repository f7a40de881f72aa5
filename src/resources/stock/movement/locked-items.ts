import type { Statement } from '../../../database/text-query.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, isZero, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { stockErrors } from '../stock-errors.ts'

/** What actions change of a stock item, with the types of the columns. */
const columns = {
  part: 'integer',
  quantity: 'numeric',
  location: 'integer',
  status: 'integer',
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

const names = Object.keys(columns)
const UPDATE = `update stock_item item
  set updated = now(), ${names.map((name) => `${name} = changed.${name}`).join(', ')}
  from json_to_recordset($1::json) changed (pk integer, ${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})
  where item.pk = changed.pk`

/**
 * A stock item that is locked until the transaction ends. Actions change it here, and `stockItemWrites` writes what they
 * changed; `in_stock` says how it was when it was locked.
 */
export type LockedItem = {
  readonly pk: number
  /** What its ETag shows. */
  readonly version: string
  part: number
  /** In the units of the part. */
  quantity: Decimal
  location: number | null
  status: number
  batch: string | null
  packaging: string | null
  supplier_part: number | null
  purchase_price: Decimal | null
  purchase_price_currency: string
  customer: number | null
  sales_order: number | null
  belongs_to: number | null
  /** The build order that makes it, or made it. */
  build: number | null
  is_building: boolean
  /** The build order that used it up. */
  consumed_by: number | null
  stocktake_date: string | null
  stocktake_user: number | null
  /** How much of it is put by for sales orders. Triggers write it; who moves allocations says here what they did. */
  allocated_to_sales_orders: Decimal
  /** The same for build orders. */
  allocated_to_build_orders: Decimal
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
  /** The part that it is of, and the templates above that, as it was locked. */
  readonly part_path: readonly number[]
  /** Others are installed in it. */
  readonly holds_items: boolean
  /** A line of a return order names it. */
  readonly is_returned: boolean
  /** What is to be done with it when it is stored. */
  pendingWrite?: 'changed' | 'deleted'
  /** The item into which it went as a whole: what is put by of it is put by of that from then on. */
  mergedInto?: LockedItem
}

/** What else a transaction locks with stock items. */
type More = {
  /** Locks between the items and the sums of their parts. */
  beforeSums?: (items: ReadonlyMap<number, LockedItem>) => Promise<unknown>
  /**
   * Parts besides those of the items whose sums will change: a statement that gives them, whose values begin at `$2`. All sums are locked
   * at once, in the order of their keys, as a second step could meet somebody who has them the other way round.
   */
  parts?: { text: string; values: unknown[] }
  /** The items come out of order: where somebody has one, it is not waited for, and missing among those that are given. */
  skipLocked?: boolean
}

/**
 * Locks stock items against every other writer, always in the order of their keys, and the sums of their parts after them.
 * Gives them by key; a key that is nobody's is missing. Every action that changes stock begins with it.
 */
export const lockStockItems = (tx: Tx, pks: readonly number[], more?: More): Promise<Map<number, LockedItem>> =>
  lockStockItemsOf(tx, NAMED, named(pks), more)

/** The same for the items whose keys a statement with these values gives. */
export async function lockStockItemsOf(
  tx: Tx,
  items: string,
  values: unknown[],
  { beforeSums, parts, skipLocked = false }: More = {},
): Promise<Map<number, LockedItem>> {
  const rows = lockRows(items, values, skipLocked)
  if (!beforeSums && !parts && !skipLocked) {
    const sums = `select lock_quantities(array(select part from stock_item where pk = any(array(${items}))))`
    const [locked = []] = await tx.pipeline(rows, { text: sums, values })
    return byKey(locked as LockedItem[])
  }
  const [found = []] = await tx.pipeline(rows)
  const locked = byKey(found as LockedItem[])
  await beforeSums?.(locked)
  const own = [...new Set([...locked.values()].map((item) => item.part))]
  if (parts) await tx.query(`select lock_quantities($1::integer[] || array(${parts.text}))`, [own, ...parts.values])
  else await tx.query('select lock_quantities($1::integer[])', [own])
  return locked
}

/** The same without the sums, for who changes these with a single statement, whose trigger locks all of them. */
export async function lockItemsAlone(tx: Tx, pks: readonly number[]): Promise<Map<number, LockedItem>> {
  const [locked = []] = await tx.pipeline(lockRows(NAMED, named(pks)))
  return byKey(locked as LockedItem[])
}

const NAMED = 'select unnest($1::integer[])'
const named = (pks: readonly number[]): unknown[] => [[...new Set(pks)]]
const byKey = (items: readonly LockedItem[]): Map<number, LockedItem> => new Map(items.map((item) => [item.pk, item]))

const lockRows = (items: string, values: unknown[], skipLocked = false): Statement => ({
  text: `select item.*, item.xmin::text as version, part.path as part_path,
      exists (select from stock_item inside where inside.belongs_to = item.pk) as holds_items,
      exists (select from return_order_line line where line.item = item.pk) as is_returned
    from stock_item item join part on part.pk = item.part
    where item.pk = any(array(${items})) order by item.pk for no key update of item${skipLocked ? ' skip locked' : ''}`,
  values,
})

/**
 * The items that a body names, locked and in the body's order. 400 on `items` for one that was deleted since the body was
 * read.
 */
export async function lockNamedItems(tx: Tx, pks: readonly number[], field: string): Promise<LockedItem[]> {
  const locked = await lockStockItems(tx, pks)
  const errors = pks.map((pk): Errors => (locked.has(pk) ? {} : { [field]: [unknownReference(pk)] }))
  if (errors.some((entry) => Object.keys(entry).length)) throw invalid({ items: errors })
  return pks.map((pk) => locked.get(pk) as LockedItem)
}

/**
 * Changes how much there is of an item: never below 0, and at 0 an item that is not kept when it is empty is to be deleted,
 * unless others are installed in it, it was sold, or a return order names it, whose line would be deleted with it. The only place where actions change a quantity of stock. Gives by how much it
 * changed: the `change` of the entry in the item's history.
 */
export function setQuantity(item: LockedItem, quantity: Decimal): Decimal {
  const before = item.quantity
  item.quantity = compare(quantity, '0') > 0 ? quantity : '0'
  const stays = !item.delete_on_deplete || item.holds_items || item.is_returned || item.sales_order !== null
  const isUsedUp = item.quantity === '0' && !stays
  item.pendingWrite = isUsedUp ? 'deleted' : 'changed'
  return subtract(item.quantity, before)
}

/** How much of an item is allocated to sales orders and build orders, in units of its part. */
export const allocatedQuantity = (item: LockedItem): Decimal =>
  add(item.allocated_to_sales_orders, item.allocated_to_build_orders)

/** How much of an item is not put by for orders, in units of its part. */
export const unallocated = (item: LockedItem): Decimal => subtract(item.quantity, allocatedQuantity(item))

/** For what orders some of an item is put by, as a text for the user; undefined when nothing is. */
export const allocatedTo = (item: LockedItem): ErrorMessage | undefined =>
  isZero(item.allocated_to_sales_orders)
    ? isZero(item.allocated_to_build_orders)
      ? undefined
      : stockErrors.item_allocated_to_build_order
    : stockErrors.item_allocated_to_sales_order

/** Why so much cannot be taken off an item; undefined when it can. What is put by for orders stays with it. */
export const allocationProblem = (item: LockedItem, taken: Decimal): ErrorMessage | undefined =>
  compare(taken, unallocated(item)) > 0 ? allocated(item) : undefined

const allocated = (item: LockedItem): ErrorMessage =>
  stockErrors.quantity_allocated_to_orders({ allocated: normalize(allocatedQuantity(item)) })

/**
 * Writes what was changed of locked items. Those whose pendingWrite is to be deleted go, with their history. 400 when less would be left of
 * one than is put by for orders.
 */
export function stockItemWrites(items: Iterable<LockedItem>): Statement[] {
  const all = [...new Set(items)]
  const short = all.find((item) => !item.mergedInto && compare(item.quantity, allocatedQuantity(item)) < 0)
  if (short)
    throw invalidObject(
      stockErrors.stock_item_short_of_allocations({ pk: short.pk, allocated: normalize(allocatedQuantity(short)) }),
    )
  const changed = all.filter(({ pendingWrite }) => pendingWrite === 'changed')
  const deleted = all.filter(({ pendingWrite }) => pendingWrite === 'deleted')
  const merged = deleted.filter(({ mergedInto }) => mergedInto)
  return [
    ...(changed.length ? [{ text: UPDATE, values: [JSON.stringify(changed)] }] : []),
    ...(merged.length ? handOver(merged) : []),
    ...(deleted.length
      ? [{ text: 'delete from stock_item where pk = any($1::integer[])', values: [deleted.map(({ pk }) => pk)] }]
      : []),
  ]
}

/** What is put by of items that were merged into others is put by of these; for one line of a build order together. */
function handOver(merged: readonly LockedItem[]): Statement[] {
  const keys = [merged.map(({ pk }) => pk), merged.map(({ mergedInto }) => mergedInto?.pk)]
  return [
    {
      text: `update sales_order_allocation allocation set item = merged.survivor
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

/** What every action on stock needs. */
export type StockContext = { tx: Tx; caller: Caller; scannedAt?: string }
