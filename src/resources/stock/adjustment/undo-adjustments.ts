import { invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { queryWithin } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { type Decimal, subtract, toJsonNumber } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { kinds } from '../../barcode/kinds.ts'
import { findLinked } from '../../barcode/linked.ts'
import { createStockItems } from '../movement/create-stock-items.ts'
import { type LockedItem, lockStockItems, type StockContext, setQuantity, stockItemWrites } from '../movement/locked-items.ts'
import { requireLocation } from '../movement/one-item.ts'
import { copyItem } from '../movement/split-stock.ts'
import { type HistoryEntry, type HistoryEvent, historyWrites } from '../movement/stock-history.ts'
import { type ItemStatus, statusDeltas } from '../read-status.ts'
import { lockOrdersOfReleases, readReleased } from '../released/restore-released.ts'
import { stockErrors } from '../stock-errors.ts'
import { findChanges, findLaterUses, type ItemState, readStates, reportChanges } from './item-state.ts'

/** Undoable actions on stock items. */
export type UndoableAction = 'move' | 'count' | 'add' | 'remove' | 'status'

type Before = Pick<LockedItem, 'pk' | 'quantity' | 'location' | 'stocktake_date' | 'stocktake_user'> &
  // only if they changed
  Partial<Pick<LockedItem, 'status' | 'status_custom_key' | 'batch' | 'packaging'>> & {
    /** Newest entry of its history. */
    entry: number | null
  }

/** Effect of a move, count, addition, removal or status change on a stock item. */
export type ItemAdjustment = {
  kind: 'adjustment'
  action: UndoableAction
  before: Before
  after: ItemState | null
  /** The item split off. */
  split: ItemState | null
  /** The whole row of a depleted and deleted item. */
  row: Row | null
  /** Allocations that it released, by their key in the history of orders. Adjustments stored by earlier versions have none. */
  released?: readonly number[]
}

/** A locked row of stock, with the columns that actions do not use, and the items split off it. */
export type Row = LockedItem & { barcode_data: string; metadata: unknown; children: number[] }

/** Caller and transaction of the undo; the notes of its history entries. */
export type UndoContext = StockContext & Services & { notes: string }

const listReleased = (adjustments: readonly ItemAdjustment[]): number[] => adjustments.flatMap(({ released = [] }) => released)

/**
 * Locks the orders from which adjustments released stock, the stock items of adjustments, and the items split off them; for items to be
 * recreated also the items that are to be split off them again, and the sums of their parts.
 */
export async function lockAdjustedItems(tx: Tx, adjustments: readonly ItemAdjustment[]): Promise<Map<number, LockedItem>> {
  await lockOrdersOfReleases(tx, listReleased(adjustments))
  return lockStockItems(
    tx,
    adjustments.flatMap(({ before, split, row }) => [before.pk, ...(split ? [split.pk] : []), ...(row?.children ?? [])]),
    { parts: { text: 'select unnest($2::integer[])', values: [adjustments.flatMap(({ row }) => row?.part ?? [])] } },
  )
}

/** Undoes adjustments of stock items, all or none. @throws Problem 400, naming the changes since then */
export async function undoAdjustments(context: UndoContext, adjustments: readonly ItemAdjustment[]): Promise<void> {
  const { tx } = context
  const splits = adjustments.flatMap(({ split }) => split ?? [])
  const locked = await lockAdjustedItems(tx, adjustments)
  const states = await readStates(tx, [...locked.keys()])
  const existing = adjustments.filter(({ after }) => after !== null)
  const missing = adjustments.filter(({ after }) => after === null)
  const changes = [
    ...existing.map(({ before, after }) =>
      // other fields that the adjustment changed are restored too, but never over newer values
      findChanges(after as ItemState, states.get(before.pk), before.status !== undefined || hasBatchOrPackagingChange(before)),
    ),
    ...(await findLaterUses(tx, splits, states)),
    ...missing.map(({ before }) => (locked.has(before.pk) ? [stockErrors.stock_item_there_again({ pk: before.pk })] : [])),
  ].filter((errors) => errors.length > 0)
  if (changes.length > 0) throw invalidObject(...reportChanges(changes))
  const released = await readReleased(tx, listReleased(adjustments), locked)
  await restoreItems(context, existing, locked)
  if (missing.length > 0) await recreateItems(context, missing)
  const history = historyWrites(
    context,
    adjustments.flatMap(({ before }) =>
      released
        .listEvents(before.pk)
        .map((event) => ({ ...event, item: before.pk, notes: context.notes, backTo: before.entry ?? 0 })),
    ),
  )
  await tx.pipeline(...released.writes, ...history)
}

const hasBatchOrPackagingChange = ({ batch, packaging }: Before): boolean => batch !== undefined || packaging !== undefined

/** Restores items that still exist. */
async function restoreItems(
  context: UndoContext,
  adjustments: readonly ItemAdjustment[],
  locked: ReadonlyMap<number, LockedItem>,
): Promise<void> {
  const { tx, notes } = context
  const locations = new Set<number>()
  const changed: LockedItem[] = []
  const entries: HistoryEntry[] = []
  for (const { action, before, split } of adjustments) {
    const item = locked.get(before.pk) as LockedItem
    const change = setQuantity(item, before.quantity)
    // an existing item may have had a quantity of 0
    item.pendingWrite = 'changed'
    const previousLocation = item.location
    if (action === 'move' && !split) {
      const { batch = item.batch, packaging = item.packaging } = before
      if (before.location !== null && before.location !== item.location) locations.add(before.location)
      Object.assign(item, { location: before.location, ...restoredStatus(before, item), batch, packaging })
    }
    if (action === 'count') {
      if (before.location !== null && before.location !== item.location) locations.add(before.location)
      const { location, stocktake_date, stocktake_user } = before
      Object.assign(item, { location, stocktake_date, stocktake_user })
    }
    if (action === 'status') Object.assign(item, restoredStatus(before, item))
    changed.push(item)
    if (split) changed.push(Object.assign(locked.get(split.pk) as LockedItem, { pendingWrite: 'deleted', mergedInto: item }))
    const event = toHistoryEvent(
      action,
      item,
      change,
      split ? 'merged' : previousLocation === item.location ? 'stayed' : 'moved',
      before,
    )
    entries.push({ ...event, item: item.pk, change, notes, backTo: before.entry ?? 0 })
  }
  for (const location of locations) await requireLocation(tx, location)
  await tx.pipeline(...stockItemWrites(changed), ...historyWrites(context, entries))
}

/** The status of an item before an adjustment, which is recorded where it changed. */
const restoredStatus = ({ status, status_custom_key: state }: Partial<ItemStatus>, item: ItemStatus): ItemStatus => ({
  status: status ?? item.status,
  status_custom_key: state === undefined ? item.status_custom_key : state,
})

function toHistoryEvent(
  action: UndoableAction,
  item: LockedItem,
  change: Decimal,
  outcome: 'merged' | 'moved' | 'stayed',
  { status, batch, packaging }: Partial<Before> = {},
): HistoryEvent {
  const quantity = toJsonNumber(item.quantity)
  if (outcome === 'merged') return { type: 'MERGED_STOCK_ITEMS', deltas: { location: item.location, quantity } }
  if (action === 'count')
    return { type: 'STOCK_COUNT', deltas: { quantity, ...(outcome === 'moved' ? { location: item.location } : {}) } }
  if (action === 'add') return { type: 'STOCK_REMOVE', deltas: { removed: toJsonNumber(subtract('0', change)), quantity } }
  if (action === 'remove') return { type: 'STOCK_ADD', deltas: { added: toJsonNumber(change), quantity } }
  if (action === 'status') return { type: 'EDITED', deltas: statusDeltas(item) }
  const otherChanges = JSON.parse(JSON.stringify({ status, batch, packaging }))
  if (outcome === 'stayed') return { type: 'STOCK_UPDATE', deltas: otherChanges }
  return { type: 'STOCK_MOVE', deltas: { location: item.location, quantity, ...otherChanges } }
}

const RESTORE = `update stock_item item set stocktake_date = previous.stocktake_date, stocktake_user = previous.stocktake_user, metadata = previous.metadata,
    creation_date = previous.creation_date
  from json_to_recordset($1::json) previous (pk integer, stocktake_date date, stocktake_user integer, metadata json, creation_date timestamptz)
  where item.pk = previous.pk`
const RESTORE_CHILDREN = `update stock_item item set parent = previous.pk
  from unnest($1::integer[], $2::integer[]) previous (child, pk) where item.pk = previous.child and item.parent is null`

/**
 * Recreates depleted and deleted items: each with its key, which its labels carry, and its previous row. Their earlier history and
 * attachments are lost.
 */
async function recreateItems(context: UndoContext, adjustments: readonly ItemAdjustment[]): Promise<void> {
  const { tx, notes } = context
  const rows = adjustments.map(({ row }) => row as Row)
  const missingReferences = await findMissingReferences(tx, rows)
  if (missingReferences.length > 0) throw invalidObject(...reportChanges(missingReferences.map((text) => [text])))
  const children = rows.flatMap(({ pk, children }) => children.map((child) => [child, pk] as const))
  await createStockItems(
    context,
    rows.map((row, index) => {
      const { action, before } = adjustments[index] as ItemAdjustment
      const history = { ...toHistoryEvent(action, row, row.quantity, 'moved'), notes, backTo: before.entry ?? 0 }
      return {
        ...copyItem(row, row.quantity),
        pk: row.pk,
        parent: row.parent,
        serial: row.serial,
        barcode: row.barcode_data || null,
        history,
      }
    }),
    {
      furtherWrites: [
        { text: RESTORE, values: [JSON.stringify(rows)] },
        { text: RESTORE_CHILDREN, values: [children.map(([child]) => child), children.map(([, pk]) => pk)] },
      ],
    },
  )
}

/** Returns errors for rows that items refer to and that no longer exist, and for barcodes that another object has now. */
async function findMissingReferences(tx: Tx, rows: readonly Row[]): Promise<ErrorMessage[]> {
  const references = {
    part: ({ part }: Row) => part,
    stock_location: ({ location }: Row) => location,
    supplier_part: ({ supplier_part }: Row) => supplier_part,
    purchase_order: ({ purchase_order }: Row) => purchase_order,
  }
  const missing: ErrorMessage[] = []
  for (const [table, readKey] of Object.entries(references)) {
    const keys = [...new Set(rows.flatMap((row) => readKey(row) ?? []))]
    if (keys.length === 0) continue
    const existingRows = await tx.query<{ pk: number }>(
      `select pk from ${table} where pk = any($1::integer[]) order by pk for key share`,
      [keys],
    )
    const existing = new Set(existingRows.map(({ pk }) => pk))
    for (const row of rows) {
      const pk = readKey(row)
      if (pk !== null && !existing.has(pk))
        missing.push(stockErrors.reference_of_stock_item_gone({ kind: table.replaceAll('_', ' '), pk, stock_item: row.pk }))
    }
  }
  for (const row of rows)
    if (row.barcode_data && (await findLinked(queryWithin(tx), row.barcode_data, kinds)))
      missing.push(stockErrors.barcode_of_stock_item_in_use({ stock_item: row.pk }))
  return missing
}
