import { listStatusChoices } from '../../../kit/definition/status.ts'

/** Outcomes of a returned item (docs/interface/orders.md#receiving-returns). */
export const RO_LINE_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  RETURN: { key: 20, label: 'Return', color: 'success' },
  REPAIR: { key: 30, label: 'Repair', color: 'primary' },
  REPLACE: { key: 40, label: 'Replace', color: 'warning' },
  REFUND: { key: 50, label: 'Refund', color: 'info' },
  REJECT: { key: 60, label: 'Reject', color: 'danger' },
} as const

/** The outcomes with their names, for OPTIONS. */
export const RO_LINE_STATUS_CHOICES = listStatusChoices(RO_LINE_STATUS)

export const returnOrderLineStatus = { name: 'ReturnOrderLineStatus', codes: RO_LINE_STATUS }
