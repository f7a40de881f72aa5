import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import { buildEventStatement } from '../../kit/services/events.ts'
import { company } from '../company/company.table.ts'
import { historyNotes, MAX_ITEMS, requireItems } from './movement/adjustment.ts'
import { checkItems, itemList, itemListResponse } from './movement/item-list.ts'
import { findAllocationError, lockRequestedItems, stockItemWrites } from './movement/locked-items.ts'
import { historyWrites } from './movement/stock-history.ts'
import { stockErrors } from './stock-errors.ts'

export const assignStock = action({
  method: 'POST',
  path: '/api/stock/assign/',
  summary: 'Assign stock items to a customer',
  description:
    'Assigns whole items to a customer. They leave their location and are no longer in stock; `customer` names who has them. Assigns all items or none, each with an entry in its history.',
  errors: {
    invalid:
      'No item is named; an item does not exist, is not in stock or is allocated to a sales order; its part is not salable; or the company is not a customer.',
  },
  example: { body: { items: [{ item: 53 }, { item: 54 }], customer: 12, notes: 'For the shop window' } },
  access: roles('stock'),
  body: {
    items: itemList(`The stock items, at least one and at most ${MAX_ITEMS}.`),
    customer: reference(() => company, {
      required: true,
      options: { model: 'company', api_url: '/api/company/' },
      help: 'The company that receives them; it must be a customer.',
    }),
    notes: historyNotes(),
  },
  response: Type.Object({ items: itemListResponse, customer: Type.Integer(), notes: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, body } = context
    requireItems(body.items)
    const customer = await tx.first<{ name: string; is_customer: boolean }>(
      'select name, is_customer from company where pk = $1',
      [body.customer],
    )
    if (!customer?.is_customer) throw invalid({ customer: [stockErrors.company_not_a_customer] })
    const items = await lockRequestedItems(
      tx,
      body.items.map(({ item }) => item),
      'item',
    )
    const salable = new Set(
      (
        await tx.query<{ pk: number }>('select pk from part where salable and pk = any($1::integer[])', [
          items.map((item) => item.part),
        ])
      ).map(({ pk }) => pk),
    )
    checkItems(items, (item) =>
      !item.in_stock
        ? stockErrors.assigned_item_not_in_stock
        : !salable.has(item.part)
          ? stockErrors.assigned_part_not_salable
          : findAllocationError(item),
    )
    for (const item of items)
      Object.assign(item, { customer: body.customer, sales_order: null, location: null, pendingWrite: 'changed' })
    const keys = [...new Set(items)].map(({ pk }) => pk)
    const history = historyWrites(
      context,
      keys.map((item) => ({
        item,
        type: 'SENT_TO_CUSTOMER',
        deltas: { customer: body.customer, customer_name: customer.name },
        notes: body.notes,
      })),
    )
    tx.atCommit(...stockItemWrites(items), buildEventStatement('stock_item', keys, 'stockitem.assignedtocustomer'), ...history)
    return body
  },
})
