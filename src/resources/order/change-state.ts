import { getTableName } from 'drizzle-orm'
import type { Resource } from '../../kit/definition/resource.ts'
import type { Caller } from '../../kit/request/caller.ts'
import { eventWrite } from '../../kit/services/events.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { notify, type OrderNews } from '../notifications/notify.ts'
import { type OrderKind, tableName } from './order-kind.ts'
import { recomputeTotals } from './recompute-totals.ts'
import { acceptsAlreadySo, wrongState } from './wrong-state.ts'

/** The request of an action on one order. */
export type OnOrder = Services & { tx: Tx; caller: Caller; pk: number; ifMatch?: string }

/** A step in an order's life. */
type Step = {
  /** Codes of the states in which it can be taken; in any other it is refused (decision 24). */
  from: readonly number[]
  to: number
  /** What an order in another state is rejected with. */
  refusal: ErrorMessage
  /** The column that takes today's date (UTC). */
  datedBy?: string
  /** What the step is called among events, such as `placed`. */
  event: string
  /** What comes before it, with the order locked: stock is locked before the sums that follow from the state. */
  first?: () => Promise<unknown>
  /** What those who answer for the order are told. */
  news?: OrderNews
  /** Existing clients may ask for it again (decision 48). */
  allowsRepeat?: boolean
}

/** Locks the order of an action's address and takes it a step on. False when there is nothing to do: it is so already. */
export async function changeState(request: OnOrder, kind: OrderKind, order: Resource, step: Step): Promise<boolean> {
  const { status, responsible } = await lockRow(order, request.pk, request)
  if (step.allowsRepeat && status === step.to && acceptsAlreadySo(request)) return false
  if (!step.from.includes(status as number)) throw wrongState(request, step.refusal)
  await step.first?.()
  await storeState(request, kind, step)
  if (step.news && responsible !== null) await notify(request, step.news, kind.model, request.pk)
  return true
}

/** Stores a new state of the order, which is locked, and says what was done. */
export async function storeState(
  request: OnOrder,
  kind: OrderKind,
  { to, datedBy, event }: Pick<Step, 'to' | 'datedBy' | 'event'>,
): Promise<void> {
  const { tx, pk } = request
  const dated = datedBy ? `, ${datedBy} = current_date` : ''
  await tx.query(`update ${tableName(kind.table)} set status = $2${dated} where pk = $1`, [pk, to])
  tx.atCommit(eventWrite(getTableName(kind.table), [pk], `${kind.model}.${event}`))
  await recomputeTotals(request, kind, [pk])
}
