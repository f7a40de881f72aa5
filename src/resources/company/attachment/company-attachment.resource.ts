import { companyAttachments as table } from '../../attachment/attachment-views.ts'
import { attachmentResource } from '../../attachment/by-kind.ts'
import { companyRoles } from '../company-roles.ts'

export const companyAttachment = attachmentResource(
  table,
  {
    name: 'Company',
    model: 'company',
    path: '/api/company/',
    access: companyRoles,
    column: table.company,
    folder: 'company_files',
  },
  {
    pk: 1,
    create: { company: 1, link: 'https://brightwell.example/terms.pdf', comment: 'Terms of delivery' },
    change: { comment: 'Terms of delivery, since May' },
    deletable: 1,
  },
)
