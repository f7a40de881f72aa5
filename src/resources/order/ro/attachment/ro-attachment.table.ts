import { attachmentTable } from '../../../attachment.columns.ts'
import { returnOrder } from '../ro.table.ts'

/** Attachments of return orders. */
export const returnOrderAttachment = attachmentTable('return_order_attachment', 'order', () => returnOrder.pk)
