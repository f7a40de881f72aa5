import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { Statement } from '../../../database/text-query.ts'
import { boolean, optional, orNull } from '../../../kit/definition/input.ts'
import type { LockedItem, StockContext } from '../movement/locked-items.ts'
import { type ItemState, STATES_QUERY } from './item-state.ts'
import type { ItemAdjustment, Row, UndoableAction } from './undo-adjustments.ts'

/** Maximum number of stock items in an adjustment that can be undone. */
export const MAX_UNDOABLE_ITEMS = 1_000

/** Request field that makes an adjustment undoable, and the response field for it. */
export const undoable = optional(
  boolean({
    help: `Whether it can be undone. It cannot if nothing changed, for over ${MAX_UNDOABLE_ITEMS} items, or if one is listed twice.`,
  }),
)
export const undoableResponse = Type.Optional(
  orNull(
    Type.String({
      format: 'uuid',
      description: `With \`undoable\`: the UUID for undoing it within a day; null if nothing changed, for more than ${MAX_UNDOABLE_ITEMS} items, or if one is listed twice.`,
    }),
  ),
)

/** Stored data of a changed item: the values to restore, or the whole row if it was depleted and deleted; and the item split off it. */
type AdjustedItem = {
  before: Omit<ItemAdjustment['before'], 'entry'>
  row: Row | null
  split: number | null
  /** Allocations released by a count, by their key in the history of orders; older adjustments have none. */
  released?: readonly number[]
}

/** Side effects of an action: items split off, by the key of the original, and allocations released, by item. */
type AdjustmentResult = {
  splits?: ReadonlyMap<number, number>
  released?: ReadonlyMap<LockedItem, readonly { pk: number }[]>
}

const INSERT_ADJUSTMENT = `insert into stock_adjustment (id, "user", action, before)
  select $2::uuid, $3::integer, $4, json_agg(state) from (${STATES_QUERY}) state`
const UPDATE_ADJUSTMENT = `update stock_adjustment set items = $3::json,
    after = (select coalesce(json_agg(state), '[]') from (${STATES_QUERY}) state) where id = $2::uuid`

/** An adjustment being recorded: the statements before and after the change of the items. */
export type AdjustmentRecorder = {
  /** Stores the state of the items: runs before they change. */
  before: Statement[]
  /** Stores the state of the items afterwards: runs after they change. `id` undoes it; null if it cannot be undone. */
  after: (result?: AdjustmentResult) => { id: string | null; writes: Statement[] }
}

/** An adjustment that is not recorded. */
export const NO_RECORDER: AdjustmentRecorder = { before: [], after: () => ({ id: null, writes: [] }) }

/** Records an action on stock items, which are locked and not changed yet. */
export function recordAdjustment(
  { caller }: Pick<StockContext, 'caller'>,
  action: UndoableAction,
  items: readonly LockedItem[],
): AdjustmentRecorder {
  if (items.length > MAX_UNDOABLE_ITEMS || new Set(items).size < items.length) return NO_RECORDER
  const id = randomUUID()
  const originals = items.map((item) => ({ ...item }))
  return {
    before: [{ text: INSERT_ADJUSTMENT, values: [items.map(({ pk }) => pk), id, caller.pk, action] }],
    after({ splits, released } = {}) {
      const adjustedItems = items.flatMap((item, index) =>
        item.pendingWrite
          ? [
              {
                ...toAdjustedItem(originals[index] as LockedItem, item, splits?.get(item.pk)),
                released: released?.get(item)?.map(({ pk }) => pk),
              },
            ]
          : [],
      )
      if (adjustedItems.length === 0)
        return { id: null, writes: [{ text: 'delete from stock_adjustment where id = $1', values: [id] }] }
      const results = adjustedItems.flatMap(({ before, split }) => (split === null ? [before.pk] : [before.pk, split]))
      return { id, writes: [{ text: UPDATE_ADJUSTMENT, values: [results, id, JSON.stringify(adjustedItems)] }] }
    },
  }
}

/** Fields that a transfer may also change. */
const TRANSFER_FIELDS = ['status', 'status_custom_key', 'batch', 'packaging'] as const

function toAdjustedItem(before: LockedItem, item: LockedItem, split = null as number | null): AdjustedItem {
  const { pk, quantity, location, stocktake_date, stocktake_user } = before
  const changed = TRANSFER_FIELDS.filter((name) => before[name] !== item[name]).map((name) => [name, before[name]])
  return {
    before: { pk, quantity, location, stocktake_date, stocktake_user, ...Object.fromEntries(changed) },
    row: item.pendingWrite === 'deleted' ? (before as Row) : null,
    split,
  }
}

/** A stored adjustment. */
export type StoredAdjustment = {
  user: number
  action: UndoableAction
  before: readonly ItemState[]
  after: readonly ItemState[]
  items: readonly AdjustedItem[]
  undone: string | null
}

/** Returns the effect of an adjustment on each item, for undoing it. */
export function toItemAdjustments({ action, before, after, items }: StoredAdjustment): ItemAdjustment[] {
  const originals = new Map(before.map((state) => [state.pk, state]))
  const results = new Map(after.map((state) => [state.pk, state]))
  return items.map(({ before, row, split, released = [] }) => {
    const { entry = null, children = [] } = originals.get(before.pk) ?? {}
    return {
      kind: 'adjustment',
      action,
      before: { ...before, entry },
      after: results.get(before.pk) ?? null,
      split: split === null ? null : (results.get(split) ?? null),
      row: row && { ...row, children },
      released,
    }
  })
}
