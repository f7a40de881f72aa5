import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { list, text } from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { invalidObject, notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { isUuid } from '../../../kit/values/uuid.ts'
import { historyNotes } from '../movement/adjustment.ts'
import type { StockContext } from '../movement/locked-items.ts'
import { stockErrors } from '../stock-errors.ts'
import { type StoredAdjustment, toItemAdjustments } from './record-adjustment.ts'
import { lockAdjustedItems, type UndoableAction, undoAdjustments } from './undo-adjustments.ts'

/** Default notes for the history. */
const DEFAULT_NOTES: Record<UndoableAction, string> = {
  move: 'The transfer was undone',
  count: 'The count was undone',
  add: 'The addition was undone',
  remove: 'The removal was undone',
  status: 'The change of status was undone',
}

/** Maximum number of adjustments undone along with one. */
const MAX_FURTHER_ADJUSTMENTS = 10

/** Undoes adjustments of stock items, in one transaction (ADR 0031). */
export const undoStockAdjustment = action({
  method: 'POST',
  path: '/api/stock/adjustment/{adjustment}/undo/',
  summary: 'Undo a transfer, count, addition, removal or change of status',
  description:
    'Restores the quantities, locations and statuses that stock items had before `/api/stock/transfer/`, `count/`, `add/`, `remove/` or `change_status/`, if these were called with `undoable`: once, within a day, for all items or none, with new entries in their history. Split quantities are merged back; a deleted item is created again with its key, without its earlier history and attachments. Only the account that made the adjustment can undo it.',
  errors: {
    invalid:
      'The adjustment was already undone, or one of the items has changed since: it has a newer entry in its history, or another quantity, location or status. The error names the item.',
  },
  params: { adjustment: 'The UUID of the adjustment, from the response of the action that made it.' },
  example: { params: { adjustment: '00000000-0000-4000-8000-000000000000' }, body: { notes: 'Wrong shelf' }, status: 404 },
  access: roles('stock'),
  body: {
    notes: historyNotes(),
    also: list(text({ max: 36 }), {
      default: [],
      max: MAX_FURTHER_ADJUSTMENTS,
      help: `Earlier adjustments to undo as well, all or none: the latest first, at most ${MAX_FURTHER_ADJUSTMENTS}.`,
    }),
  },
  response: Type.Object({ items: Type.Array(Type.Integer({ description: 'The key of an item that was restored.' })) }),
  async run(context) {
    const { params, body, tx } = context
    const ids = [params.adjustment ?? '', ...body.also].map((id) => id.toLowerCase())
    const stored = await lockAdjustments(context, ids)
    await lockAdjustedItems(tx, [...stored.values()].flatMap(toItemAdjustments))
    const items = new Set<number>()
    for (const id of ids) for (const pk of await undoAdjustment(context, id, stored, body.notes)) items.add(pk)
    return { items: [...items] }
  },
})

/** Locks adjustments of the caller, in key order, and returns them by key. Concurrent undo requests wait here. */
async function lockAdjustments({ tx, caller }: StockContext, ids: readonly string[]): Promise<Map<string, StoredAdjustment>> {
  if (!ids.every(isUuid)) throw notFound()
  const rows = await tx.query<StoredAdjustment & { id: string }>(
    `select id, "user", action, before, after, items, undone from stock_adjustment
     where id = any($1::uuid[]) and "user" = $2 order by id for no key update`,
    [ids, caller.pk],
  )
  // a delivery is undone at its order
  return new Map(rows.flatMap(({ id, ...row }) => (row.action in DEFAULT_NOTES ? [[id, row]] : [])))
}

/** @returns the keys of the restored items */
async function undoAdjustment(
  context: StockContext & Services,
  id: string,
  adjustments: Map<string, StoredAdjustment>,
  notes: string | undefined,
): Promise<number[]> {
  const stored = adjustments.get(id)
  if (!stored) throw notFound()
  if (stored.undone !== null) throw invalidObject(stockErrors.already_undone)
  const itemAdjustments = toItemAdjustments(stored)
  await undoAdjustments({ ...context, notes: notes || DEFAULT_NOTES[stored.action] }, itemAdjustments)
  await context.tx.query('update stock_adjustment set undone = now() where id = $1', [id])
  adjustments.set(id, { ...stored, undone: 'now' })
  return itemAdjustments.map(({ before }) => before.pk)
}
