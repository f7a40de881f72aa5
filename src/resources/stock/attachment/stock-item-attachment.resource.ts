import { roles } from '../../../kit/request/caller.ts'
import { stockItemAttachments as table } from '../../attachment/attachment-views.ts'
import { attachmentResource } from '../../attachment/by-kind.ts'

export const stockItemAttachment = attachmentResource(
  table,
  {
    name: 'Stock item',
    model: 'stockitem',
    path: '/api/stock/',
    access: roles('stock'),
    column: table.stock_item,
    folder: 'stock_files',
  },
  {
    pk: 1,
    create: { stock_item: 1, link: 'https://tests.example/4711', comment: 'Test record' },
    change: { comment: 'Test record, signed' },
    deletable: 1,
  },
)
