import { manufacturerPartAttachments as table } from '../../../../attachment/attachment-views.ts'
import { attachmentResource } from '../../../../attachment/by-kind.ts'
import { companyPartRoles } from '../../company-part-roles.ts'

export const manufacturerPartAttachment = attachmentResource(
  table,
  {
    name: 'Manufacturer part',
    model: 'manufacturerpart',
    path: '/api/company/part/manufacturer/',
    access: companyPartRoles,
    column: table.manufacturer_part,
    label: 'Manufacturer Part',
    folder: 'manufacturer_part_files',
  },
  {
    pk: 1,
    create: { manufacturer_part: 1, link: 'https://maker.example/note.pdf', comment: 'Note on soldering' },
    change: { comment: 'Note on soldering without lead' },
    deletable: 1,
  },
)
