import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { boolean, optional, orNull } from '../../../kit/definition/input.ts'
import type { LockedItem, StockContext } from '../movement/locked-items.ts'
import { type ItemState, STATES } from './item-state.ts'
import type { Adjusting, AdjustmentMade, Row } from './undo-adjustments.ts'

/** The most stock items of which an adjustment can be taken back. */
export const MAX_REMEMBERED = 1_000

/** The field of a body that asks for it, and what the answer says then. */
export const undoable = optional(
  boolean({
    help: `Whether it can be taken back, by \`adjustment\` of the answer (\`/api/stock/adjustment/{adjustment}/undo/\`). That is null where nothing changed, for over ${MAX_REMEMBERED} items, or where one is named twice.`,
  }),
)
export const undoableAnswer = Type.Optional(
  orNull(
    Type.String({
      format: 'uuid',
      description: `Where \`undoable\` was sent: by what it is taken back, for a day; null where nothing changed, for more than ${MAX_REMEMBERED} items, and where one is named twice.`,
    }),
  ),
)

/** What is known of an item that changed: what is put back, or of one that was used up all of it; and what was split off it. */
type Known = { before: Omit<AdjustmentMade['before'], 'entry'>; row: Row | null; split: number | null }

const REMEMBER = `insert into stock_adjustment (id, "user", action, before)
  select $2::uuid, $3::integer, $4, json_agg(state) from (${STATES}) state`
const REMEMBER_AFTER = `update stock_adjustment set items = $3::json,
    after = (select coalesce(json_agg(state), '[]') from (${STATES}) state) where id = $2::uuid`

/**
 * Remembers what an action does to stock items, from now on, when they are locked, until what it gives is called: with what was split
 * off each item, by key. That is when what changed is on its way to the database. It costs no way there of its own.
 * @returns by what it is taken back; null for what cannot be
 */
export function rememberAdjustment(
  { tx, caller }: StockContext,
  action: Adjusting,
  items: readonly LockedItem[],
): (splits?: ReadonlyMap<number, number>) => string | null {
  if (items.length > MAX_REMEMBERED || new Set(items).size < items.length) return () => null
  const id = randomUUID()
  const found = items.map((item) => ({ ...item }))
  tx.ahead(REMEMBER, [items.map(({ pk }) => pk), id, caller.pk, action])
  return (splits = new Map()) => {
    const known = items.flatMap((item, at) => (item.fate ? [knownOf(found[at] as LockedItem, item, splits.get(item.pk))] : []))
    if (known.length === 0) {
      tx.ahead('delete from stock_adjustment where id = $1', [id])
      return null
    }
    const left = known.flatMap(({ before, split }) => (split === null ? [before.pk] : [before.pk, split]))
    tx.ahead(REMEMBER_AFTER, [left, id, JSON.stringify(known)])
    return id
  }
}

/** What a transfer may change on the way. */
const CHANGED = ['status', 'batch', 'packaging'] as const

function knownOf(before: LockedItem, item: LockedItem, split = null as number | null): Known {
  const { pk, quantity, location, stocktake_date, stocktake_user } = before
  const changed = CHANGED.filter((name) => before[name] !== item[name]).map((name) => [name, before[name]])
  return {
    before: { pk, quantity, location, stocktake_date, stocktake_user, ...Object.fromEntries(changed) },
    row: item.fate === 'deleted' ? (before as Row) : null,
    split,
  }
}

/** An adjustment as it is stored. */
export type Remembered = {
  user: number
  action: Adjusting
  before: readonly ItemState[]
  after: readonly ItemState[]
  items: readonly Known[]
  undone: string | null
}

/** What it did to each item, as it is taken back. */
export function madeBy({ action, before, after, items }: Remembered): AdjustmentMade[] {
  const found = new Map(before.map((state) => [state.pk, state]))
  const left = new Map(after.map((state) => [state.pk, state]))
  return items.map(({ before, row, split }) => {
    const { entry = null, children = [] } = found.get(before.pk) ?? {}
    return {
      kind: 'adjustment',
      action,
      before: { ...before, entry },
      after: left.get(before.pk) ?? null,
      split: split === null ? null : (left.get(split) ?? null),
      row: row && { ...row, children },
    }
  })
}
