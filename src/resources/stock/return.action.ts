import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { readRates } from '../currency/rates.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { historyNotes } from './movement/adjustment.ts'
import { type LockedItem, storeStockItems } from './movement/locked-items.ts'
import { mergeItems, mergeProblem } from './movement/merge-stock.ts'
import { lockItem, requireLocation } from './movement/one-item.ts'
import { recordHistory } from './movement/stock-history.ts'

/**
 * POST /api/stock/{id}/return/: an item comes back, from a customer or out of another item, into a location. If the item it
 * was once split from lies there too and is of the same kind, it goes back into that one.
 */
export const returnStock = action({
  method: 'POST',
  path: '/api/stock/{id}/return/',
  summary: 'Return a stock item to a location',
  access: roles('stock'),
  body: {
    location: reference(() => stockLocation, {
      required: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    }),
    notes: historyNotes(),
  },
  answer: Type.Object({ location: Type.Integer(), notes: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { location, notes } = body
    const [known] = await tx.query<{ parent: number | null }>('select parent from stock_item where pk = $1', [pk])
    const { item, locked } = await lockItem(tx, pk, known?.parent ? [known.parent] : [])
    await requireLocation(tx, location)
    const customer = item.customer
      ? await tx.first<{ name: string }>('select name from company where pk = $1', [item.customer])
      : undefined
    const deltas = { location, ...(customer ? { customer: item.customer, customer_name: customer.name } : {}) }
    Object.assign(item, { customer: null, sales_order: null, belongs_to: null, location, fate: 'changed' })
    const parent = item.parent === null ? undefined : locked.get(item.parent)
    if (parent && goesInto(item, parent)) {
      const entry = mergeItems(parent, [item], location, await readRates(tx), notes)
      await storeStockItems(tx, [parent, item])
      await recordHistory(context, [entry])
    } else {
      await storeStockItems(tx, [item])
      await recordHistory(context, [{ item: pk, type: 'RETURNED_FROM_CUSTOMER', deltas, notes }])
    }
    return body
  },
})

const goesInto = (item: LockedItem, parent: LockedItem): boolean =>
  parent.location === item.location &&
  parent.part === item.part &&
  parent.supplier_part === item.supplier_part &&
  parent.status === item.status &&
  parent.in_stock &&
  mergeProblem(item) === undefined &&
  mergeProblem(parent) === undefined
