import { attachmentTable } from '../../attachment.columns.ts'
import { buildOrder } from '../build.table.ts'

/** What is attached to a build order. */
export const buildAttachment = attachmentTable('build_order_attachment', 'build', () => buildOrder.pk)
