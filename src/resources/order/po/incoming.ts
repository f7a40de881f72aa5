import { Type } from 'typebox'
import { computed, type Field } from '../../../kit/definition/field.ts'
import type { Expression } from '../../../kit/sql/sql.ts'
import { PO_STATUS } from './po-status.ts'

/**
 * Quantity of a part that is outstanding on issued purchase orders, in units of the part. `ordering` of a part also counts pending orders,
 * which were not sent to a supplier yet. Included on request only, because it is computed from all lines.
 * @param part SQL of the part's key
 */
export const createIncomingField = (part: Expression): Field => {
  const sql = `(select trim_scale(coalesce(sum((line.quantity - line.received) * supplier_part.pack_quantity_native), 0))
     {from supplier_part} supplier_part {join purchase_order_line} line on line.part = supplier_part.pk {join purchase_order} po on po.pk = line."order"
     where supplier_part.part = ${part} and po.status = ${PO_STATUS.PLACED.key} and line.received < line.quantity)`
  return computed(Type.Number(), sql, {
    flag: { name: 'incoming', afterWrites: false },
    label: 'Incoming',
    help: 'The quantity outstanding on purchase orders that were issued to suppliers, in units of the part.',
  })
}
