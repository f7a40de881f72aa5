import { listStatusChoices } from '../../../kit/definition/status.ts'
import { extensibleStatus } from '../../generic/status/custom/custom-states.ts'
import { ON_HOLD } from '../on-hold.ts'

/** Statuses of a purchase order (docs/interface/orders.md#statuses). No operation leads to lost or returned. */
export const PO_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  PLACED: { key: 20, label: 'Placed', color: 'primary' },
  ON_HOLD,
  COMPLETE: { key: 30, label: 'Complete', color: 'success' },
  CANCELLED: { key: 40, label: 'Cancelled', color: 'danger' },
  LOST: { key: 50, label: 'Lost', color: 'warning' },
  RETURNED: { key: 60, label: 'Returned', color: 'warning' },
} as const

export const PO_STATUS_CHOICES = listStatusChoices(PO_STATUS)

export const purchaseOrderStatus = extensibleStatus('PurchaseOrderStatus', PO_STATUS)
