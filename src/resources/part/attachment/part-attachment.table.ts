import { attachmentTable } from '../../attachment.columns.ts'
import { part } from '../part.table.ts'

/** What is attached to a part. */
export const partAttachment = attachmentTable('part_attachment', 'part', () => part.pk)
