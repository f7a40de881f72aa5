import { attachmentTable } from '../../attachment.columns.ts'
import { company } from '../company.table.ts'

/** What is attached to a company. */
export const companyAttachment = attachmentTable('company_attachment', 'company', () => company.pk)
