import { attachmentResource } from '../../../attachment.ts'
import { PURCHASE_ORDER } from '../po-kind.ts'
import { purchaseOrderAttachment as table } from './po-attachment.table.ts'

export const purchaseOrderAttachment = attachmentResource(
  table,
  {
    name: 'Purchase order',
    model: PURCHASE_ORDER.model,
    address: PURCHASE_ORDER.path,
    access: PURCHASE_ORDER.access,
    column: table.order,
    folder: 'po_files',
  },
  {
    pk: 1,
    create: { order: 1, link: 'https://brightwell.example/invoice-881.pdf', comment: 'Invoice' },
    change: { comment: 'Invoice, paid' },
    deletable: 1,
  },
)
