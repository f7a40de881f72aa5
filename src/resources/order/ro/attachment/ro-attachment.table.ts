import { attachmentTable } from '../../../attachment.columns.ts'
import { returnOrder } from '../ro.table.ts'

/** What is attached to a return order. */
export const returnOrderAttachment = attachmentTable('return_order_attachment', 'order', () => returnOrder.pk)
