import type { ErrorMessage } from '../../kit/values/message.ts'
import { orderErrors } from './order-errors.ts'

/** The status of an order of any kind that is on hold: it is open, but nothing is received, shipped or completed until it is issued. */
export const ON_HOLD = { key: 25, label: 'On Hold', color: 'warning' } as const

/** The error of an order whose status does not allow an action: that it is on hold, otherwise this one. */
export const findStatusError = (status: unknown, error: ErrorMessage): ErrorMessage =>
  status === ON_HOLD.key ? orderErrors.order_on_hold : error
