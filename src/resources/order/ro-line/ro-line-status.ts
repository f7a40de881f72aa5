import { statusChoices } from '../../../kit/definition/status.ts'

/** What becomes of an item that a customer sent back. (The reference description of orders and stock, section 1.) */
export const RO_LINE_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  RETURN: { key: 20, label: 'Return', color: 'success' },
  REPAIR: { key: 30, label: 'Repair', color: 'primary' },
  REPLACE: { key: 40, label: 'Replace', color: 'warning' },
  REFUND: { key: 50, label: 'Refund', color: 'info' },
  REJECT: { key: 60, label: 'Reject', color: 'danger' },
} as const

/** The outcomes with their names, as OPTIONS need them. */
export const RO_LINE_STATUS_CHOICES = statusChoices(RO_LINE_STATUS)

export const returnOrderLineStatus = { name: 'ReturnOrderLineStatus', codes: RO_LINE_STATUS }
