import { attachmentTable } from '../../attachment.columns.ts'
import { part } from '../part.table.ts'

/** Attachments of parts. */
export const partAttachment = attachmentTable('part_attachment', 'part', () => part.pk)
