import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { choice, list, reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import { historyNotes, MAX_ITEMS } from './movement/adjustment.ts'
import { lockNamedItems, storeStockItems } from './movement/locked-items.ts'
import { recordHistory } from './movement/stock-history.ts'
import { stockItem } from './stock-item.table.ts'
import { STOCK_STATUS_CHOICES } from './stock-status.ts'

/** POST /api/stock/change_status/: several items come into one state. Those that are in it already are passed over. */
export const changeStockStatus = action({
  method: 'POST',
  path: '/api/stock/change_status/',
  summary: 'Change the status of stock items',
  access: roles('stock'),
  body: {
    items: list(
      reference(() => stockItem),
      { required: true, max: MAX_ITEMS },
    ),
    status: choice<number>(() => STOCK_STATUS_CHOICES, { default: 10 }),
    note: historyNotes(),
  },
  answer: Type.Object({
    items: Type.Array(Type.Integer()),
    status: Type.Integer(),
    note: Type.Optional(Type.String()),
  }),
  async run(context) {
    const { tx, body } = context
    const { items: pks, status, note } = body
    if (pks.length === 0) throw invalid({ items: ['No stock items selected'] })
    const items = new Set(await lockNamedItems(tx, pks, 'non_field_errors'))
    const changed = [...items].filter((item) => item.status !== status)
    for (const item of changed) Object.assign(item, { status, fate: 'changed' })
    await storeStockItems(tx, changed)
    await recordHistory(
      context,
      changed.map(({ pk }) => ({ item: pk, type: 'EDITED', deltas: { status }, notes: note })),
    )
    return body
  },
})
