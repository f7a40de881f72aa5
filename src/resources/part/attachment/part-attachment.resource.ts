import { roles } from '../../../kit/request/caller.ts'
import { attachmentResource } from '../../attachment.ts'
import { partAttachment as table } from './part-attachment.table.ts'

export const partAttachment = attachmentResource(
  table,
  { name: 'Part', model: 'part', address: '/api/part/', access: roles('part'), column: table.part, folder: 'part_files' },
  {
    pk: 1,
    create: { part: 25, link: 'https://cells.example/aa.pdf', comment: 'Data sheet' },
    change: { comment: 'Data sheet, second edition' },
    deletable: 1,
  },
)
