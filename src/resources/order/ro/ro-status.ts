import { listStatusChoices } from '../../../kit/definition/status.ts'
import { extensibleStatus } from '../../generic/status/custom/custom-states.ts'
import { ON_HOLD } from '../on-hold.ts'

/** Statuses of a return order (docs/interface/orders.md#statuses). */
export const RO_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  IN_PROGRESS: { key: 20, label: 'In Progress', color: 'primary' },
  ON_HOLD,
  COMPLETE: { key: 30, label: 'Complete', color: 'success' },
  CANCELLED: { key: 40, label: 'Cancelled', color: 'danger' },
} as const

/** The status codes with their names, for OPTIONS and `status_text`. */
export const RO_STATUS_CHOICES = listStatusChoices(RO_STATUS)

export const returnOrderStatus = extensibleStatus('ReturnOrderStatus', RO_STATUS)
