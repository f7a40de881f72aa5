import { listStatusChoices } from '../../../kit/definition/status.ts'
import { extensibleStatus } from '../../generic/status/custom/custom-states.ts'
import { ON_HOLD } from '../on-hold.ts'

/**
 * Status codes of a sales order. Pending is a draft, in progress is issued, shipped is delivered and closed; no operation leads to lost or
 * returned.
 */
export const SO_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  IN_PROGRESS: { key: 15, label: 'In Progress', color: 'primary' },
  SHIPPED: { key: 20, label: 'Shipped', color: 'success' },
  ON_HOLD,
  CANCELLED: { key: 40, label: 'Cancelled', color: 'danger' },
  LOST: { key: 50, label: 'Lost', color: 'warning' },
  RETURNED: { key: 60, label: 'Returned', color: 'warning' },
} as const

export const SO_STATUS_CHOICES = listStatusChoices(SO_STATUS)

export const salesOrderStatus = extensibleStatus('SalesOrderStatus', SO_STATUS)
