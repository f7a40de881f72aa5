import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { integer, reference } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { compare } from '../../kit/values/decimal.ts'
import { setting } from '../../settings/live.ts'
import { INSIDE_ITSELF, isComponent, isInside, lockInstallations } from './installed.ts'
import { historyNotes } from './movement/adjustment.ts'
import { allocationProblem, stockItemWrites } from './movement/locked-items.ts'
import { lockItem } from './movement/one-item.ts'
import { splitOff, storeSplits } from './movement/split-stock.ts'
import { historyWrites } from './movement/stock-history.ts'
import { stockErrors } from './stock-errors.ts'
import { stockItem } from './stock-item.table.ts'

export const installStock = action({
  method: 'POST',
  path: '/api/stock/{id}/install/',
  summary: 'Install a stock item into this one',
  description:
    'Installs another item into this one. If only part of its quantity is installed, that part is split off into a new item first. An installed item is no longer in stock. The history of both items records it.',
  errors: {
    invalid:
      'The other item is not in stock; its part is not in the BOM of this one while STOCK_ENFORCE_BOM_INSTALLATION is on; its unallocated quantity is too small; or it is this item, or contains this item.',
  },
  example: { params: { id: 56 }, body: { stock_item: 119, quantity: 1, note: 'Board for the first prototype' } },
  access: roles('stock'),
  versioned: true,
  body: {
    stock_item: reference(() => stockItem, {
      required: true,
      options: { model: 'stockitem', api_url: '/api/stock/' },
      label: 'Stock Item',
      help: 'The item to install, which must be in stock.',
    }),
    quantity: integer({
      min: 1,
      default: 1,
      label: 'Quantity to Install',
      help: 'The quantity to install, in whole units of its part.',
    }),
    note: historyNotes('Note'),
  },
  response: Type.Object({ stock_item: Type.Integer(), quantity: Type.Integer(), note: Type.Optional(Type.String()) }),
  async run(context) {
    const { tx, pk, body } = context
    const { note: notes } = body
    await lockInstallations(tx)
    const { locked } = await lockItem(context, [body.stock_item])
    const component = locked.get(body.stock_item)
    if (!component?.in_stock) throw invalid({ stock_item: [stockErrors.stock_item_unavailable] })
    if (setting(context, 'STOCK_ENFORCE_BOM_INSTALLATION') && !(await isComponent(tx, pk, component.part)))
      throw invalid({ stock_item: [stockErrors.part_not_in_bom] })
    if (await isInside(tx, pk, component.pk)) throw invalid({ stock_item: [INSIDE_ITSELF] })
    const quantity = String(body.quantity)
    if (compare(quantity, component.quantity) > 0) throw invalidObject(stockErrors.installed_quantity_exceeds_stock)
    const problem = allocationProblem(component, quantity)
    if (problem) throw invalid({ stock_item: [problem] })
    let installed: number | undefined = component.pk
    if (compare(quantity, component.quantity) < 0) {
      const split = splitOff(component, quantity, { belongs_to: pk }, notes)
      ;[installed] = await storeSplits(context, [split])
    } else Object.assign(component, { belongs_to: pk, pendingWrite: 'changed' })
    const history = historyWrites(context, [
      { item: installed as number, type: 'INSTALLED_INTO_ASSEMBLY', deltas: { stockitem: pk }, notes },
      { item: pk, type: 'INSTALLED_CHILD_ITEM', deltas: { stockitem: installed }, notes },
    ])
    tx.atCommit(...stockItemWrites([component]), ...history)
    return body
  },
})
