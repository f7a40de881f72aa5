import { listStatusChoices } from '../../kit/definition/status.ts'
import { extensibleStatus } from '../generic/status/custom/custom-states.ts'

/** The statuses of a stock item (docs/interface/stock.md#statuses). */
export const STOCK_STATUS = {
  OK: { key: 10, label: 'OK', color: 'success' },
  ATTENTION: { key: 50, label: 'Attention needed', color: 'warning' },
  DAMAGED: { key: 55, label: 'Damaged', color: 'warning' },
  DESTROYED: { key: 60, label: 'Destroyed', color: 'danger' },
  REJECTED: { key: 65, label: 'Rejected', color: 'danger' },
  LOST: { key: 70, label: 'Lost', color: 'dark' },
  QUARANTINED: { key: 75, label: 'Quarantined', color: 'info' },
  RETURNED: { key: 85, label: 'Returned', color: 'warning' },
} as const

export const stockStatus = extensibleStatus('StockStatus', STOCK_STATUS)

export const STOCK_STATUS_CHOICES = listStatusChoices(STOCK_STATUS)
