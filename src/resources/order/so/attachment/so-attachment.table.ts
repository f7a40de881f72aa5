import { attachmentTable } from '../../../attachment.columns.ts'
import { salesOrder } from '../so.table.ts'

/** What is attached to a sales order. */
export const salesOrderAttachment = attachmentTable('sales_order_attachment', 'order', () => salesOrder.pk)
