import { getTableName } from 'drizzle-orm'
import type { Resource } from '../../kit/definition/resource.ts'
import type { Caller } from '../../kit/request/caller.ts'
import { buildEventStatement } from '../../kit/services/events.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { notify, type OrderNotificationKind } from '../notifications/notify.ts'
import { findStatusError, ON_HOLD } from './on-hold.ts'
import { type HeaderKind, hasPrices, tableName } from './order-kind.ts'
import { recomputeTotals } from './recompute-totals.ts'
import { acceptsRepeatedAction, wrongStateProblem } from './status-error.ts'

/** The request of an action on one order. */
export type OrderRequest = Services & { tx: Tx; caller: Caller; pk: number; ifMatch?: string }

/** A status change of an order. */
type StatusChange = {
  /** Codes of the statuses from which it is allowed; others are rejected. */
  from: readonly number[]
  to: number
  /** The error for an order in another status. */
  statusError: ErrorMessage
  /** The column that is set to today's date (UTC). */
  datedBy?: string | undefined
  /** Name of the change in events, such as `placed`. */
  event: string
  /** Work to do before it, with the order locked: stock is locked before the part quantities that depend on the status. */
  beforeChange?: () => Promise<unknown>
  /** The notification for those responsible for the order. */
  notification?: OrderNotificationKind
  /** Whether existing clients may repeat it (docs/decisions.md#repeated-actions). */
  allowsRepeat?: boolean
}

/** Locks the order of an action's URL and changes its status. Returns false if it has that status already. */
export async function changeStatus(
  request: OrderRequest,
  kind: HeaderKind,
  order: Resource,
  step: StatusChange,
): Promise<boolean> {
  const row = await lockRow(order, request.pk, request)
  const { status, responsible } = row
  if (step.allowsRepeat && status === step.to && acceptsRepeatedAction(request)) return false
  if (!step.from.includes(status as number))
    throw wrongStateProblem(request, step.to === ON_HOLD.key ? step.statusError : findStatusError(status, step.statusError))
  await step.beforeChange?.()
  // an order that was issued before it was put on hold keeps its date of issue, and is not new
  const isResumed = status === ON_HOLD.key && step.datedBy !== undefined && row[step.datedBy] !== null
  await storeStatus(request, kind, isResumed ? { ...step, datedBy: undefined } : step)
  if (step.notification && responsible !== null && !isResumed) await notify(request, step.notification, kind.model, request.pk)
  return true
}

/** Stores a new status of a locked order, and emits its event. */
export async function storeStatus(
  request: OrderRequest,
  kind: HeaderKind,
  { to, datedBy, event }: Pick<StatusChange, 'to' | 'datedBy' | 'event'>,
): Promise<void> {
  const { tx, pk } = request
  const dateAssignment = datedBy ? `, ${datedBy} = current_date` : ''
  await tx.query(`update ${tableName(kind.table)} set status = $2${dateAssignment} where pk = $1`, [pk, to])
  tx.atCommit(buildEventStatement(getTableName(kind.table), [pk], `${kind.model}.${event}`))
  if (hasPrices(kind)) await recomputeTotals(request, kind, [pk])
}
