import { attachmentTable } from '../../attachment.columns.ts'
import { company } from '../company.table.ts'

/** Attachments of companies. */
export const companyAttachment = attachmentTable('company_attachment', 'company', () => company.pk)
