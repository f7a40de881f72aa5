import { attachmentTable } from '../../../attachment.columns.ts'
import { purchaseOrder } from '../po.table.ts'

/** Attachments of purchase orders. */
export const purchaseOrderAttachment = attachmentTable('purchase_order_attachment', 'order', () => purchaseOrder.pk)
