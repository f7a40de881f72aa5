import { attachmentTable } from '../../attachment.columns.ts'
import { buildOrder } from '../build.table.ts'

/** Attachments of build orders. */
export const buildAttachment = attachmentTable('build_order_attachment', 'build', () => buildOrder.pk)
