import { invalidObject } from '../../../../kit/request/problem.ts'
import { within } from '../../../../kit/sql/run-query.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { compare, type Decimal, jsonNumber } from '../../../../kit/values/decimal.ts'
import { createStockItems } from '../../../stock/movement/create-stock-items.ts'
import { type LockedItem, lockStockItems, setQuantity, storeStockItems } from '../../../stock/movement/locked-items.ts'
import { requireLocation } from '../../../stock/movement/one-item.ts'
import { copyOf } from '../../../stock/movement/split-stock.ts'
import { type HistoryEvent, recordHistory } from '../../../stock/movement/stock-history.ts'
import { kinds } from '../../kinds.ts'
import { findLinked } from '../../linked.ts'
import { type ItemState, movedSince, readStates, touchedSince } from './item-state.ts'
import type { Undoing } from './undoing.ts'

type Before = Pick<LockedItem, 'pk' | 'quantity' | 'location' | 'stocktake_date' | 'stocktake_user'> & {
  /** The newest entry of its history. */
  entry: number | null
}

/** What moving, counting or removing did to a stock item. */
export type AdjustmentMade = {
  kind: 'adjustment'
  action: 'move' | 'count' | 'remove'
  before: Before
  after: ItemState | null
  /** What was split off, as an item of its own. */
  split: ItemState | null
  /** The whole row of an item that was used up and deleted. */
  row: Row | null
}

/** A row of stock as it was locked, with the columns that actions do not know, and the items that were split off it. */
type Row = LockedItem & { barcode_data: string; metadata: unknown; children: number[] }

/**
 * What has to be known to take an adjustment back, when it is done; undefined when it changed nothing.
 * @param before the item as it was locked before it, and its state
 */
export async function rememberAdjustment(
  tx: Tx,
  action: AdjustmentMade['action'],
  before: LockedItem,
  { entry, children }: ItemState,
): Promise<AdjustmentMade | undefined> {
  const { pk, quantity, location, stocktake_date, stocktake_user } = before
  const after = (await readStates(tx, [pk])).get(pk) ?? null
  if (after?.version === before.version) return undefined
  const isSplit = action === 'move' && after !== null && compare(after.quantity, quantity) < 0
  const row = after ? null : { ...(before as Row), children }
  const split = isSplit ? await readSplit(tx, pk) : null
  return {
    kind: 'adjustment',
    action,
    before: { pk, quantity, location, stocktake_date, stocktake_user, entry },
    after,
    split,
    row,
  }
}

/** The item that was split off an item last, which is locked. */
async function readSplit(tx: Tx, parent: number): Promise<ItemState | null> {
  const made = await tx.first<{ pk: number }>('select max(pk) as pk from stock_item where parent = $1', [parent])
  return made ? ((await readStates(tx, [made.pk])).get(made.pk) ?? null) : null
}

/** Takes it back. @throws Problem 400, naming what happened since */
export async function undoAdjustment(context: Undoing, made: AdjustmentMade): Promise<void> {
  const { tx, notes } = context
  const { before, after, split, row } = made
  const locked = await lockStockItems(tx, [before.pk, ...(split ? [split.pk] : [])])
  const backTo = before.entry ?? 0
  if (!after) return makeAnew(context, made.action, row as Row, locked, backTo)
  const states = await readStates(tx, [...locked.keys()])
  const moved = [...movedSince(after, states.get(before.pk)), ...(split ? await touchedSince(tx, [split], states) : [])]
  if (moved.length > 0) throw invalidObject(...moved)
  const item = locked.get(before.pk) as LockedItem
  const change = setQuantity(item, before.quantity)
  // an item may have been there with nothing in it
  item.fate = 'changed'
  if (made.action === 'move' && !split) {
    if (before.location !== null && before.location !== item.location) await requireLocation(tx, before.location)
    item.location = before.location
  }
  if (made.action === 'count')
    Object.assign(item, { stocktake_date: before.stocktake_date, stocktake_user: before.stocktake_user })
  const parts = split ? [locked.get(split.pk) as LockedItem] : []
  for (const part of parts) Object.assign(part, { fate: 'deleted', mergedInto: item })
  await storeStockItems(tx, [item, ...parts])
  await recordHistory(context, [{ ...eventOf(made.action, item, change, split !== null), item: item.pk, change, notes, backTo }])
}

function eventOf(action: AdjustmentMade['action'], item: LockedItem, change: Decimal, isMerged: boolean): HistoryEvent {
  const quantity = jsonNumber(item.quantity)
  if (isMerged) return { type: 'MERGED_STOCK_ITEMS', deltas: { location: item.location, quantity } }
  if (action === 'move') return { type: 'STOCK_MOVE', deltas: { location: item.location, quantity } }
  if (action === 'count') return { type: 'STOCK_COUNT', deltas: { quantity } }
  return { type: 'STOCK_ADD', deltas: { added: jsonNumber(change), quantity } }
}

/**
 * Makes an item again that was used up and deleted: under its key, which its labels carry, as its row was. Its earlier history and its
 * attachments are gone.
 */
async function makeAnew(
  context: Undoing,
  action: AdjustmentMade['action'],
  row: Row,
  locked: ReadonlyMap<number, LockedItem>,
  backTo: number,
): Promise<void> {
  const { tx, notes } = context
  if (locked.size > 0) throw invalidObject(`Stock item ${row.pk} is there again`)
  const gone = await goneOf(tx, row)
  if (gone.length > 0) throw invalidObject(...gone)
  const history = { ...eventOf(action, row, row.quantity, false), notes, backTo }
  const item = {
    ...copyOf(row, row.quantity),
    pk: row.pk,
    parent: row.parent,
    serial: row.serial,
    barcode: row.barcode_data || null,
  }
  await createStockItems(context, [{ ...item, history }])
  await tx.query('update stock_item set stocktake_date = $2, stocktake_user = $3, metadata = $4 where pk = $1', [
    row.pk,
    row.stocktake_date,
    row.stocktake_user,
    JSON.stringify(row.metadata ?? null),
  ])
  await tx.query('update stock_item set parent = $1 where pk = any($2::integer[]) and parent is null', [row.pk, row.children])
}

/** What an item had that is not there any more, or is another's. */
async function goneOf(tx: Tx, row: Row): Promise<string[]> {
  const places = {
    part: row.part,
    stock_location: row.location,
    supplier_part: row.supplier_part,
    purchase_order: row.purchase_order,
  }
  const gone: string[] = []
  for (const [table, pk] of Object.entries(places))
    if (pk !== null && !(await tx.first(`select from ${table} where pk = $1 for key share`, [pk])))
      gone.push(`The ${table.replaceAll('_', ' ')} ${pk} of stock item ${row.pk} is gone`)
  if (row.barcode_data && (await findLinked(within(tx), row.barcode_data, kinds)))
    gone.push(`The barcode of stock item ${row.pk} is in use`)
  return gone
}
