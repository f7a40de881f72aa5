import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { orderCalendars } from './calendar.view.ts'
import { purchaseOrderAttachment } from './po/attachment/po-attachment.resource.ts'
import { cancelPurchaseOrder } from './po/cancel.action.ts'
import { completePurchaseOrder } from './po/complete.action.ts'
import { undoPurchaseOrderDelivery } from './po/delivery/undo.action.ts'
import { holdPurchaseOrder } from './po/hold.action.ts'
import { issuePurchaseOrder } from './po/issue.action.ts'
import { orderLowStock } from './po/low-stock.action.ts'
import { purchaseOrder } from './po/po.resource.ts'
import { purchaseOrderStatus } from './po/po-status.ts'
import { receivePurchaseOrder } from './po/receive.action.ts'
import { purchaseOrderExtraLine } from './po-extra-line/po-extra-line.resource.ts'
import { purchaseOrderLine } from './po-line/po-line.resource.ts'
import { returnOrderAttachment } from './ro/attachment/ro-attachment.resource.ts'
import { cancelReturnOrder } from './ro/cancel.action.ts'
import { completeReturnOrder } from './ro/complete.action.ts'
import { holdReturnOrder } from './ro/hold.action.ts'
import { issueReturnOrder } from './ro/issue.action.ts'
import { receiveReturnOrder } from './ro/receive.action.ts'
import { returnOrder } from './ro/ro.resource.ts'
import { returnOrderStatus } from './ro/ro-status.ts'
import { returnOrderExtraLine } from './ro-extra-line/ro-extra-line.resource.ts'
import { returnOrderLine } from './ro-line/ro-line.resource.ts'
import { returnOrderLineStatus } from './ro-line/ro-line-status.ts'
import { allocateSalesOrder } from './so/allocate.action.ts'
import { allocateSerials } from './so/allocate-serials.action.ts'
import { salesOrderAttachment } from './so/attachment/so-attachment.resource.ts'
import { autoAllocateSalesOrder } from './so/auto-allocate.action.ts'
import { cancelSalesOrder } from './so/cancel.action.ts'
import { completeSalesOrder } from './so/complete.action.ts'
import { holdSalesOrder } from './so/hold.action.ts'
import { issueSalesOrder } from './so/issue.action.ts'
import { shipShipment } from './so/shipment/ship.action.ts'
import { salesOrderShipment } from './so/shipment/shipment.resource.ts'
import { salesOrder } from './so/so.resource.ts'
import { salesOrderStatus } from './so/so-status.ts'
import { salesOrderAllocation } from './so-allocation/so-allocation.resource.ts'
import { salesOrderExtraLine } from './so-extra-line/so-extra-line.resource.ts'
import { salesOrderLine } from './so-line/so-line.resource.ts'
import { allocateTransferOrder } from './transfer-order/allocate.action.ts'
import { allocateSerialsToTransferOrder } from './transfer-order/allocate-serials.action.ts'
import { cancelTransferOrder } from './transfer-order/cancel.action.ts'
import { completeTransferOrder } from './transfer-order/complete.action.ts'
import { holdTransferOrder } from './transfer-order/hold.action.ts'
import { issueTransferOrder } from './transfer-order/issue.action.ts'
import { transferOrder } from './transfer-order/transfer-order.resource.ts'
import { transferOrderAllocation } from './transfer-order-allocation/transfer-order-allocation.resource.ts'
import { transferOrderLine } from './transfer-order-line/transfer-order-line.resource.ts'

export const order: Area = {
  resources: [
    purchaseOrder,
    purchaseOrderLine,
    purchaseOrderExtraLine,
    purchaseOrderAttachment,
    salesOrder,
    salesOrderLine,
    salesOrderExtraLine,
    salesOrderShipment,
    salesOrderAllocation,
    salesOrderAttachment,
    returnOrder,
    returnOrderLine,
    returnOrderExtraLine,
    returnOrderAttachment,
    transferOrder,
    transferOrderLine,
    transferOrderAllocation,
  ],
  actions: [
    issuePurchaseOrder,
    holdPurchaseOrder,
    completePurchaseOrder,
    cancelPurchaseOrder,
    receivePurchaseOrder,
    undoPurchaseOrderDelivery,
    ...orderLowStock,
    issueSalesOrder,
    holdSalesOrder,
    completeSalesOrder,
    cancelSalesOrder,
    allocateSalesOrder,
    allocateSerials,
    autoAllocateSalesOrder,
    shipShipment,
    issueReturnOrder,
    holdReturnOrder,
    completeReturnOrder,
    cancelReturnOrder,
    receiveReturnOrder,
    issueTransferOrder,
    holdTransferOrder,
    completeTransferOrder,
    cancelTransferOrder,
    allocateTransferOrder,
    allocateSerialsToTransferOrder,
    ...orderCalendars,
    statusView('/api/order/po/status/', purchaseOrderStatus),
    statusView('/api/order/so/status/', salesOrderStatus),
    statusView('/api/order/ro/status/', returnOrderStatus),
    statusView('/api/order/ro-line/status/', returnOrderLineStatus),
  ],
}
