import { attachmentResource } from '../../../attachment.ts'
import { RETURN_ORDER } from '../ro-kind.ts'
import { returnOrderAttachment as table } from './ro-attachment.table.ts'

export const returnOrderAttachment = attachmentResource(
  table,
  {
    name: 'Return order',
    model: RETURN_ORDER.model,
    address: RETURN_ORDER.path,
    access: RETURN_ORDER.access,
    column: table.order,
    folder: 'ro_files',
  },
  {
    pk: 1,
    create: { order: 1, link: 'https://klangladen.example/photos.zip', comment: 'What they saw' },
    change: { comment: 'Their letter, answered' },
    deletable: 1,
  },
)
