import { returnOrderAttachments as table } from '../../../attachment/attachment-views.ts'
import { attachmentResource } from '../../../attachment/by-kind.ts'
import { RETURN_ORDER } from '../ro-kind.ts'

export const returnOrderAttachment = attachmentResource(
  table,
  {
    name: 'Return order',
    model: RETURN_ORDER.model,
    path: RETURN_ORDER.path,
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
