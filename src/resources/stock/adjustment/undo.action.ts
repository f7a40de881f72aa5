import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { roles } from '../../../kit/request/caller.ts'
import { invalidObject, notFound } from '../../../kit/request/problem.ts'
import { isUuid } from '../../../kit/values/uuid.ts'
import { historyNotes } from '../movement/adjustment.ts'
import { lockStock } from '../stock-item-rules.ts'
import { madeBy, type Remembered } from './remember.ts'
import { type Adjusting, undoAdjustments } from './undo-adjustments.ts'

/** What the history says where nothing else is said. */
const NOTES: Record<Adjusting, string> = {
  move: 'The transfer was taken back',
  count: 'The count was taken back',
  add: 'The addition was taken back',
  remove: 'The removal was taken back',
}

/** Takes back what was done to stock items, in one transaction (ADR 0031). */
export const undoStockAdjustment = action({
  method: 'POST',
  path: '/api/stock/adjustment/{adjustment}/undo/',
  summary: 'Take a transfer, count, addition or removal back',
  description:
    'Brings back the quantities, places and states that stock items had before `/api/stock/transfer/`, `count/`, `add/` or `remove/`, where that was asked for with `undoable`: once, within a day, of all items or none, with entries of its own in their history. What was split off goes back; an item that was used up and deleted is made again under its key, without its earlier history and attachments. It is for whoever did it.',
  refuses: {
    invalid:
      'It was taken back already; or something happened to one of the items since, which is named: a newer entry in its history, another quantity, location or state.',
  },
  params: { adjustment: 'What it is known by, as the answer to it said: a UUID.' },
  example: { params: { adjustment: '00000000-0000-4000-8000-000000000000' }, body: { notes: 'Wrong shelf' }, status: 404 },
  access: roles('stock'),
  body: { notes: historyNotes() },
  answer: Type.Object({ items: Type.Array(Type.Integer({ description: 'The key of an item that is as it was.' })) }),
  async run(context) {
    const { tx, params, caller, body } = context
    const { adjustment: id = '' } = params
    if (!isUuid(id)) throw notFound()
    lockStock(tx)
    // whoever else takes it back waits here
    const known = await tx.first<Remembered>(
      'select "user", action, before, after, items, undone from stock_adjustment where id = $1 and "user" = $2 for update',
      [id, caller.pk],
    )
    // what was received is taken back at its order
    if (!known || !(known.action in NOTES)) throw notFound()
    if (known.undone !== null) throw invalidObject('It was taken back already')
    const made = madeBy(known)
    await undoAdjustments({ ...context, notes: body.notes || NOTES[known.action] }, made)
    tx.ahead('update stock_adjustment set undone = now() where id = $1', [id])
    return { items: made.map(({ before }) => before.pk) }
  },
})
