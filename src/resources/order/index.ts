import type { Area } from '../area.ts'
import { cancelPurchaseOrder } from './po/cancel.action.ts'
import { completePurchaseOrder } from './po/complete.action.ts'
import { issuePurchaseOrder } from './po/issue.action.ts'
import { purchaseOrder } from './po/po.resource.ts'
import { receivePurchaseOrder } from './po/receive.action.ts'
import { readPurchaseOrderStatus } from './po/status.view.ts'
import { purchaseOrderExtraLine } from './po-extra-line/po-extra-line.resource.ts'
import { purchaseOrderLine } from './po-line/po-line.resource.ts'

export const order: Area = {
  resources: [purchaseOrder, purchaseOrderLine, purchaseOrderExtraLine],
  actions: [issuePurchaseOrder, completePurchaseOrder, cancelPurchaseOrder, receivePurchaseOrder, readPurchaseOrderStatus],
}
