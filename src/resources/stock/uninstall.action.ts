import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { locationInput } from './location/location-input.ts'
import { historyNotes } from './movement/adjustment.ts'
import { stockItemWrites } from './movement/locked-items.ts'
import { lockItem, requireLocation } from './movement/one-item.ts'
import { historyWrites } from './movement/stock-history.ts'

export const uninstallStock = action({
  method: 'POST',
  path: '/api/stock/{id}/uninstall/',
  summary: 'Uninstall a stock item',
  description:
    'Removes an item from the item that contains it and moves it to a location. The history of both items records it. An item that is not installed is left unchanged.',
  errors: { invalid: 'The location does not exist or is structural.' },
  example: { params: { id: 119 }, body: { location: 17, note: 'Needs another display cable' } },
  access: roles('stock'),
  versioned: true,
  body: {
    location: locationInput('The destination'),
    note: historyNotes(),
  },
  response: Type.Object({ location: Type.Integer(), note: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { location, note: notes } = body
    const row = await tx.first<{ host: number | null }>('select belongs_to as host from stock_item where pk = $1', [pk])
    const { item } = await lockItem(context, row?.host ? [row.host] : [])
    await requireLocation(tx, location)
    const host = item.belongs_to
    if (host === null) return body
    // it was moved into another item by now, which is not locked
    if (host !== row?.host) tx.lockExclusive()
    Object.assign(item, { belongs_to: null, consumed_by: null, location, pendingWrite: 'changed' })
    const history = historyWrites(context, [
      { item: pk, type: 'REMOVED_FROM_ASSEMBLY', deltas: { stockitem: host, location }, notes },
      { item: host, type: 'REMOVED_CHILD_ITEM', deltas: { stockitem: pk }, notes },
    ])
    tx.atCommit(...stockItemWrites([item]), ...history)
    return body
  },
})
