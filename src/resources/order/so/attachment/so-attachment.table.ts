import { attachmentTable } from '../../../attachment.columns.ts'
import { salesOrder } from '../so.table.ts'

/** Attachments of sales orders. */
export const salesOrderAttachment = attachmentTable('sales_order_attachment', 'order', () => salesOrder.pk)
