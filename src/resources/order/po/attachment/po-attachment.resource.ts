import { purchaseOrderAttachments as table } from '../../../attachment/attachment-views.ts'
import { attachmentResource } from '../../../attachment/by-kind.ts'
import { PURCHASE_ORDER } from '../po-kind.ts'

export const purchaseOrderAttachment = attachmentResource(
  table,
  {
    name: 'Purchase order',
    model: PURCHASE_ORDER.model,
    path: PURCHASE_ORDER.path,
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
