import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { buildEventStatement } from '../../kit/services/events.ts'
import { readRates } from '../currency/rates.ts'
import { locationInput } from './location/location-input.ts'
import { historyNotes } from './movement/adjustment.ts'
import { type LockedItem, stockItemWrites } from './movement/locked-items.ts'
import { mergeItems, mergeProblem } from './movement/merge-stock.ts'
import { lockItem, requireLocation } from './movement/one-item.ts'
import { historyWrites } from './movement/stock-history.ts'
import { stockErrors } from './stock-errors.ts'

export const returnStock = action({
  method: 'POST',
  path: '/api/stock/{id}/return/',
  summary: 'Return a stock item to stock',
  description:
    'Returns an item from a customer, or from the item that contains it, to a location, with an unchanged status. If the item that it was split from still exists, with the same supplier part and status, and neither has a serial number, the returned item is merged into it and deleted. The history records it.',
  errors: { invalid: 'The location does not exist or is structural; or the item is neither with a customer nor installed.' },
  example: { params: { id: 53 }, body: { location: 17, notes: 'Came back: one key sticks' } },
  access: roles('stock'),
  versioned: true,
  body: {
    location: locationInput('The destination'),
    notes: historyNotes(),
  },
  response: Type.Object({ location: Type.Integer(), notes: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { location, notes } = body
    const [row] = await tx.query<{ parent: number | null }>('select parent from stock_item where pk = $1', [pk])
    const { item, locked } = await lockItem(context, row?.parent ? [row.parent] : [])
    await requireLocation(tx, location)
    if (item.customer === null && item.sales_order === null && item.belongs_to === null)
      throw invalidObject(stockErrors.stock_item_not_away)
    const customer = item.customer
      ? await tx.first<{ name: string }>('select name from company where pk = $1', [item.customer])
      : undefined
    const deltas = { location, ...(customer ? { customer: item.customer, customer_name: customer.name } : {}) }
    Object.assign(item, {
      customer: null,
      sales_order: null,
      belongs_to: null,
      consumed_by: null,
      location,
      pendingWrite: 'changed',
    })
    const parent = item.parent === null ? undefined : locked.get(item.parent)
    if (parent && canMergeInto(item, parent)) {
      const entry = mergeItems(parent, [item], location, await readRates(tx), notes)
      tx.atCommit(...stockItemWrites([parent, item]), ...historyWrites(context, [entry]))
    } else {
      const history = historyWrites(context, [{ item: pk, type: 'RETURNED_FROM_CUSTOMER', deltas, notes }])
      tx.atCommit(...stockItemWrites([item]), ...history)
    }
    if (customer) tx.atCommit(buildEventStatement('stock_item', [pk], 'stockitem.returnedfromcustomer'))
    return body
  },
})

const canMergeInto = (item: LockedItem, parent: LockedItem): boolean =>
  parent.location === item.location &&
  parent.part === item.part &&
  parent.supplier_part === item.supplier_part &&
  parent.status === item.status &&
  parent.status_custom_key === item.status_custom_key &&
  parent.in_stock &&
  mergeProblem(item) === undefined &&
  mergeProblem(parent) === undefined
