import { roles } from '../../../kit/request/caller.ts'
import { partAttachments as table } from '../../attachment/attachment-views.ts'
import { attachmentResource } from '../../attachment/by-kind.ts'

export const partAttachment = attachmentResource(
  table,
  { name: 'Part', model: 'part', path: '/api/part/', access: roles('part'), column: table.part, folder: 'part_files' },
  {
    pk: 1,
    create: { part: 25, link: 'https://cells.example/aa.pdf', comment: 'Data sheet' },
    change: { comment: 'Data sheet, second edition' },
    deletable: 1,
  },
)
