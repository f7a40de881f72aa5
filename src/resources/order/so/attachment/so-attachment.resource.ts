import { salesOrderAttachments as table } from '../../../attachment/attachment-views.ts'
import { attachmentResource } from '../../../attachment/by-kind.ts'
import { SALES_ORDER } from '../so-kind.ts'

export const salesOrderAttachment = attachmentResource(
  table,
  {
    name: 'Sales order',
    model: SALES_ORDER.model,
    path: SALES_ORDER.path,
    access: SALES_ORDER.access,
    column: table.order,
    folder: 'so_files',
  },
  {
    pk: 1,
    create: { order: 1, link: 'https://klangladen.example/ko-312.pdf', comment: 'Their order' },
    change: { comment: 'Their order, signed' },
    deletable: 1,
  },
)
