import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import { roles } from '../../../../kit/request/caller.ts'
import { invalidObject, notFound } from '../../../../kit/request/problem.ts'
import { isUuid } from '../../../../kit/values/uuid.ts'
import { stockErrors } from '../../../stock/stock-errors.ts'
import { RECEIVE_ACTION, type StoredDelivery } from './record-receipt.ts'
import { undoDelivery } from './undo-delivery.ts'

/** Undoes the receipt of goods in one request, in one transaction (ADR 0031). */
export const undoPurchaseOrderDelivery = action({
  method: 'POST',
  path: '/api/order/po/{id}/delivery/{delivery}/undo/',
  summary: 'Undo a receipt of a purchase order',
  description:
    'Undoes a delivery that `/api/order/po/{id}/receive/` received with `undoable`: once, within a day, all of it or nothing. Deletes the stock, makes the lines outstanding again, sets an order that it completed back to placed, and allows its barcodes to be received again. Only the account that received the delivery can undo it.',
  errors: {
    invalid:
      'The delivery was already undone; one of its stock items was changed, moved, allocated or split since, and the error names it; or the order is no longer placed.',
  },
  params: { delivery: 'The UUID of the delivery, from the response that received it.' },
  example: { params: { id: 12, delivery: '00000000-0000-4000-8000-000000000000' }, body: {}, status: 404 },
  access: roles('purchase_order'),
  body: {},
  response: Type.Object({ stock_items: Type.Array(Type.Integer({ description: 'The key of a removed stock item.' })) }),
  async run(context) {
    const { tx, pk, params, caller } = context
    const { delivery: id = '' } = params
    if (!isUuid(id)) throw notFound()
    // concurrent undo requests wait here
    const storedDelivery = await tx.first<StoredDelivery>(
      `select after, items, undone from stock_adjustment
       where id = $1 and "user" = $2 and action = '${RECEIVE_ACTION}' and (items->>'order')::integer = $3 for no key update`,
      [id, caller.pk, pk],
    )
    if (!storedDelivery) throw notFound()
    if (storedDelivery.undone !== null) throw invalidObject(stockErrors.already_undone)
    await undoDelivery(context, { ...storedDelivery.items, items: storedDelivery.after })
    await tx.query('update stock_adjustment set undone = now() where id = $1', [id])
    return { stock_items: storedDelivery.after.map((item) => item.pk) }
  },
})
