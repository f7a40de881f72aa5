import { statusView } from '../../../kit/definition/status-view.ts'
import { PO_STATUS } from './po-status.ts'

export const readPurchaseOrderStatus = statusView('/api/order/po/status/', 'PurchaseOrderStatus', PO_STATUS)
