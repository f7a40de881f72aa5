import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { historyNotes } from './movement/adjustment.ts'
import { storeStockItems } from './movement/locked-items.ts'
import { lockItem, requireLocation } from './movement/one-item.ts'
import { recordHistory } from './movement/stock-history.ts'

/** POST /api/stock/{id}/uninstall/: takes an item out of the one it is installed in. Nothing happens to one that is in none. */
export const uninstallStock = action({
  method: 'POST',
  path: '/api/stock/{id}/uninstall/',
  summary: 'Take a stock item out of the one it is installed in',
  access: roles('stock'),
  body: {
    location: reference(() => stockLocation, {
      required: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    }),
    note: historyNotes(),
  },
  answer: Type.Object({ location: Type.Integer(), note: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { location, note: notes } = body
    const { item } = await lockItem(tx, pk)
    await requireLocation(tx, location)
    const host = item.belongs_to
    if (host === null) return body
    Object.assign(item, { belongs_to: null, location, fate: 'changed' })
    await storeStockItems(tx, [item])
    await recordHistory(context, [
      { item: pk, type: 'REMOVED_FROM_ASSEMBLY', deltas: { stockitem: host, location }, notes },
      { item: host, type: 'REMOVED_CHILD_ITEM', deltas: { stockitem: pk }, notes },
    ])
    return body
  },
})
