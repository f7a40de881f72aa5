import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { purchaseOrderAttachment } from './po/attachment/po-attachment.resource.ts'
import { cancelPurchaseOrder } from './po/cancel.action.ts'
import { completePurchaseOrder } from './po/complete.action.ts'
import { issuePurchaseOrder } from './po/issue.action.ts'
import { purchaseOrder } from './po/po.resource.ts'
import { purchaseOrderStatus } from './po/po-status.ts'
import { receivePurchaseOrder } from './po/receive.action.ts'
import { purchaseOrderExtraLine } from './po-extra-line/po-extra-line.resource.ts'
import { purchaseOrderLine } from './po-line/po-line.resource.ts'
import { returnOrderStatus } from './ro/ro-status.ts'
import { returnOrderLineStatus } from './ro-line/ro-line-status.ts'
import { salesOrderStatus } from './so/so-status.ts'

export const order: Area = {
  resources: [purchaseOrder, purchaseOrderLine, purchaseOrderExtraLine, purchaseOrderAttachment],
  actions: [
    issuePurchaseOrder,
    completePurchaseOrder,
    cancelPurchaseOrder,
    receivePurchaseOrder,
    statusView('/api/order/po/status/', purchaseOrderStatus),
    statusView('/api/order/so/status/', salesOrderStatus),
    statusView('/api/order/ro/status/', returnOrderStatus),
    statusView('/api/order/ro-line/status/', returnOrderLineStatus),
  ],
}
