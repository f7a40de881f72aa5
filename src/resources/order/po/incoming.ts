import { Type } from 'typebox'
import { computed, type Field } from '../../../kit/definition/field.ts'
import type { Expression } from '../../../kit/sql/sql.ts'
import { PO_STATUS } from './po-status.ts'

/**
 * Quantity of a part that is outstanding on issued purchase orders, in units of the part. `ordering` of a part also counts pending orders,
 * which no supplier has received yet. Included on request, since it is summed over the lines.
 * @param part SQL of the part's key
 */
export const incoming = (part: Expression): Field => {
  const sql = `(select trim_scale(coalesce(sum((line.quantity - line.received) * sold.pack_quantity_native), 0))
     {from supplier_part} sold {join purchase_order_line} line on line.part = sold.pk {join purchase_order} po on po.pk = line."order"
     where sold.part = ${part} and po.status = ${PO_STATUS.PLACED.key} and line.received < line.quantity)`
  return computed(Type.Number(), sql, {
    flag: { name: 'incoming' },
    label: 'Incoming',
    help: 'The quantity outstanding on purchase orders that were issued to suppliers, in units of the part.',
  })
}
