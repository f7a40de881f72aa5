import { listStatusChoices } from '../../../kit/definition/status.ts'

/** Status codes of a return order. (The reference description of orders and stock, section 1.) */
export const RO_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  IN_PROGRESS: { key: 20, label: 'In Progress', color: 'primary' },
  COMPLETE: { key: 30, label: 'Complete', color: 'success' },
  CANCELLED: { key: 40, label: 'Cancelled', color: 'danger' },
} as const

/** The status codes with their names, for OPTIONS and `status_text`. */
export const RO_STATUS_CHOICES = listStatusChoices(RO_STATUS)

export const returnOrderStatus = { name: 'ReturnOrderStatus', codes: RO_STATUS }
