import { listStatusChoices } from '../../../kit/definition/status.ts'
import { extensibleStatus } from '../../generic/status/custom/custom-states.ts'
import { ON_HOLD } from '../on-hold.ts'

/** Statuses of a transfer order (docs/interface/orders.md#transfer-orders). */
export const TO_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  ISSUED: { key: 20, label: 'Issued', color: 'primary' },
  ON_HOLD,
  COMPLETE: { key: 30, label: 'Complete', color: 'success' },
  CANCELLED: { key: 40, label: 'Cancelled', color: 'danger' },
} as const

export const TO_STATUS_CHOICES = listStatusChoices(TO_STATUS)

export const transferOrderStatus = extensibleStatus('TransferOrderStatus', TO_STATUS)
