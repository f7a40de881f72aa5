import { attachmentTable } from '../../../attachment.columns.ts'
import { purchaseOrder } from '../po.table.ts'

/** What is attached to a purchase order. */
export const purchaseOrderAttachment = attachmentTable('purchase_order_attachment', 'order', () => purchaseOrder.pk)
