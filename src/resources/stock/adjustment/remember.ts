import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { Statement } from '../../../database/text-query.ts'
import { boolean, optional, orNull } from '../../../kit/definition/input.ts'
import type { LockedItem, StockContext } from '../movement/locked-items.ts'
import { type ItemState, STATES } from './item-state.ts'
import type { Adjusting, AdjustmentMade, Row } from './undo-adjustments.ts'

/** The most stock items of which an adjustment can be taken back. */
export const MAX_REMEMBERED = 1_000

/** The field of a body that asks for it, and what the answer says then. */
export const undoable = optional(
  boolean({
    help: `Whether it can be undone. It cannot if nothing changed, for over ${MAX_REMEMBERED} items, or if one is listed twice.`,
  }),
)
export const undoableAnswer = Type.Optional(
  orNull(
    Type.String({
      format: 'uuid',
      description: `With \`undoable\`: the UUID for undoing it within a day; null if nothing changed, for more than ${MAX_REMEMBERED} items, or if one is listed twice.`,
    }),
  ),
)

/** What is known of an item that changed: what is put back, or of one that was used up all of it; and what was split off it. */
type Known = {
  before: Omit<AdjustmentMade['before'], 'entry'>
  row: Row | null
  split: number | null
  /** What a count released, by its key in the history of orders; older ones did not. */
  released?: readonly number[]
}

/** What an action did besides: what was split off each item, by its key, and what was released of each. */
type Done = {
  splits?: ReadonlyMap<number, number>
  released?: ReadonlyMap<LockedItem, readonly { pk: number }[]>
}

const REMEMBER = `insert into stock_adjustment (id, "user", action, before)
  select $2::uuid, $3::integer, $4, json_agg(state) from (${STATES}) state`
const REMEMBER_AFTER = `update stock_adjustment set items = $3::json,
    after = (select coalesce(json_agg(state), '[]') from (${STATES}) state) where id = $2::uuid`

/** An adjustment that is being remembered: what is written before and after the items change. */
export type Remembering = {
  /** Notes how the items are: goes before what changes them. */
  before: Statement[]
  /** Notes how they are then: goes after what changes them. `id` undoes it; null where it cannot be undone. */
  after: (done?: Done) => { id: string | null; writes: Statement[] }
}

/** An adjustment that is not remembered. */
export const NOT_REMEMBERED: Remembering = { before: [], after: () => ({ id: null, writes: [] }) }

/** Remembers what an action does to stock items, which are locked and not changed yet. */
export function rememberAdjustment(
  { caller }: Pick<StockContext, 'caller'>,
  action: Adjusting,
  items: readonly LockedItem[],
): Remembering {
  if (items.length > MAX_REMEMBERED || new Set(items).size < items.length) return NOT_REMEMBERED
  const id = randomUUID()
  const found = items.map((item) => ({ ...item }))
  return {
    before: [{ text: REMEMBER, values: [items.map(({ pk }) => pk), id, caller.pk, action] }],
    after({ splits, released } = {}) {
      const known = items.flatMap((item, at) =>
        item.pendingWrite
          ? [
              {
                ...knownOf(found[at] as LockedItem, item, splits?.get(item.pk)),
                released: released?.get(item)?.map(({ pk }) => pk),
              },
            ]
          : [],
      )
      if (known.length === 0) return { id: null, writes: [{ text: 'delete from stock_adjustment where id = $1', values: [id] }] }
      const left = known.flatMap(({ before, split }) => (split === null ? [before.pk] : [before.pk, split]))
      return { id, writes: [{ text: REMEMBER_AFTER, values: [left, id, JSON.stringify(known)] }] }
    },
  }
}

/** What a transfer may change on the way. */
const CHANGED = ['status', 'batch', 'packaging'] as const

function knownOf(before: LockedItem, item: LockedItem, split = null as number | null): Known {
  const { pk, quantity, location, stocktake_date, stocktake_user } = before
  const changed = CHANGED.filter((name) => before[name] !== item[name]).map((name) => [name, before[name]])
  return {
    before: { pk, quantity, location, stocktake_date, stocktake_user, ...Object.fromEntries(changed) },
    row: item.pendingWrite === 'deleted' ? (before as Row) : null,
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
  return items.map(({ before, row, split, released = [] }) => {
    const { entry = null, children = [] } = found.get(before.pk) ?? {}
    return {
      kind: 'adjustment',
      action,
      before: { ...before, entry },
      after: left.get(before.pk) ?? null,
      split: split === null ? null : (left.get(split) ?? null),
      row: row && { ...row, children },
      released,
    }
  })
}
