import { extraLineTable } from '../extra-line.columns.ts'
import { purchaseOrder } from '../po/po.table.ts'

/** A line of a purchase order without a part. */
export const purchaseOrderExtraLine = extraLineTable('purchase_order_extra_line', () => purchaseOrder.pk)
