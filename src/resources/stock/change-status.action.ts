import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { choice, list, reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalidChoice } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { NO_RECORDER, recordAdjustment, undoable, undoableResponse } from './adjustment/record-adjustment.ts'
import { historyNotes, MAX_ITEMS } from './movement/adjustment.ts'
import { lockRequestedItems, stockItemWrites } from './movement/locked-items.ts'
import { historyWrites } from './movement/stock-history.ts'
import { readItemStatus, statusDeltas, withCustomStates } from './read-status.ts'
import { stockErrors } from './stock-errors.ts'
import { stockItem } from './stock-item.table.ts'
import { STOCK_STATUS_CHOICES } from './stock-status.ts'

export const changeStockStatus = action({
  method: 'POST',
  path: '/api/stock/change_status/',
  summary: 'Change the status of stock items',
  description:
    'Sets the status of items, all or none, each with an entry in its history. Items that already have the status are skipped.',
  errors: { invalid: 'No item is named, an item does not exist, or the status is unknown.' },
  example: { body: { items: [51, 52], status: 50, note: 'The finish is blind: look at them again' } },
  access: roles('stock'),
  body: {
    items: list(
      reference(() => stockItem),
      {
        required: true,
        max: MAX_ITEMS,
        label: 'Stock Items',
        help: `The stock items, at least one and at most ${MAX_ITEMS}.`,
      },
    ),
    status: withCustomStates(
      choice<number>(() => STOCK_STATUS_CHOICES, {
        default: 10,
        help: 'The status, or a custom state; by default OK.',
      }),
    ),
    note: historyNotes(),
    undoable,
  },
  response: Type.Object({
    items: Type.Array(Type.Integer()),
    status: Type.Integer(),
    note: Type.Optional(Type.String()),
    adjustment: undoableResponse,
  }),
  async run(context) {
    const { tx } = context
    const { undoable, ...body } = context.body
    const { items: pks, status, note } = body
    if (pks.length === 0) throw invalid({ items: [stockErrors.no_stock_items_selected] })
    const newStatus = await readItemStatus(tx, status)
    if (!newStatus) throw invalid({ status: [invalidChoice(status)] })
    const lockedItems = await lockRequestedItems(tx, pks, 'non_field_errors')
    const recorder = undoable ? recordAdjustment(context, 'status', lockedItems) : NO_RECORDER
    const changed = [...new Set(lockedItems)].filter(
      (item) => item.status !== newStatus.status || item.status_custom_key !== newStatus.status_custom_key,
    )
    for (const item of changed) Object.assign(item, newStatus, { pendingWrite: 'changed' })
    const history = historyWrites(
      context,
      changed.map(({ pk }) => ({ item: pk, type: 'EDITED', deltas: statusDeltas(newStatus), notes: note })),
    )
    const { id, writes } = recorder.after()
    tx.atCommit(...recorder.before, ...stockItemWrites(changed), ...history, ...writes)
    return { ...body, ...(undoable ? { adjustment: id } : {}) }
  },
})
