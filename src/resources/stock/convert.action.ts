import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { convertibleCondition } from '../part/convertible.ts'
import { part } from '../part/part.table.ts'
import { stockItemWrites } from './movement/locked-items.ts'
import { lockItemAndSerials } from './movement/one-item.ts'
import { validateStockWithPlugins } from './movement/plugin-validation.ts'
import { historyWrites } from './movement/stock-history.ts'
import { stockErrors } from './stock-errors.ts'
import { checkStockItems } from './stock-item-rules.ts'

export const convertStock = action({
  method: 'POST',
  path: '/api/stock/{id}/convert/',
  summary: 'Convert a stock item to a variant of its part',
  description:
    'Changes the part of an item to another part of the same family: a variant of its part at any depth, the template directly above, or another variant of that template. The history of the item records the change.',
  errors: {
    invalid:
      'The part is not of the same family, is inactive or virtual; the item names a supplier part or is allocated to a sales order; or the item breaks a rule of the other part, such as a serial number that is in use.',
  },
  example: { params: { id: 45 }, body: { part: 43 } },
  access: roles('stock'),
  versioned: true,
  body: {
    part: reference(() => part, {
      required: true,
      options: { model: 'part', api_url: '/api/part/' },
      help: 'The part to convert the item to.',
    }),
  },
  response: Type.Object({ part: Type.Integer() }),
  async run(context) {
    const { tx, pk, body } = context
    const item = await lockItemAndSerials(context, body.part)
    const option = await tx.first(
      `select 1 from part target join part own on own.pk = $2
       where target.pk = $1 and ${convertibleCondition((column) => `target.${column}`, 'own')}`,
      [body.part, item.part],
    )
    if (!option) throw invalid({ part: [stockErrors.invalid_conversion] })
    if (item.supplier_part !== null) throw invalidObject(stockErrors.conversion_with_supplier_part)
    if (await isAllocatedToOtherPart(tx, pk, body.part))
      throw invalid({ part: [stockErrors.stock_item_allocated_to_line_of_other_part] })
    const { quantity, serial } = item
    const errors = await checkStockItems(context, [{ pk, part: body.part, quantity, serial }])
    if (Object.keys(errors).length) throw invalid(errors)
    if (serial) await validateStockWithPlugins(context, [{ part: body.part, quantity, serial }], { serial: 'part' })
    Object.assign(item, { part: body.part, pendingWrite: 'changed' })
    const history = historyWrites(context, [{ item: pk, type: 'CONVERTED_TO_VARIANT', deltas: { part: body.part } }])
    tx.atCommit(...stockItemWrites([item]), ...history)
    return body
  },
})

/** Whether some of the item is allocated to a line that does not accept the other part: neither the line's part nor a variant of it. */
const isAllocatedToOtherPart = (tx: Tx, item: number, part: number): Promise<unknown> =>
  tx.first(
    `select 1 from (
       select line.part from sales_order_allocation allocation join sales_order_line line on line.pk = allocation.line
       where allocation.item = $1 and allocation.is_open
       union all
       select line.part from transfer_order_allocation allocation join transfer_order_line line on line.pk = allocation.line
       where allocation.item = $1 and allocation.is_open
     ) line where line.part is null or line.part <> all ((select path from part where pk = $2)::integer[])
     limit 1`,
    [item, part],
  )
