import type { Caller } from '../../kit/request/caller.ts'
import type { Problem } from '../../kit/request/problem.ts'
import { buildEventStatement } from '../../kit/services/events.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { acceptsRepeatedAction, wrongStateProblem } from '../order/status-error.ts'
import { buildOrder } from './build.resource.ts'
import { buildErrors } from './build-errors.ts'
import { ACTIVE_STATES, BUILD_STATUS } from './build-status.ts'

/** The request of an action on one build order. */
export type BuildRequest = Services & { tx: Tx; caller: Caller; pk: number; ifMatch?: string }

/** A build order that stays locked until the transaction ends. */
export type LockedBuild = {
  pk: number
  part: number
  status: number
  quantity: string
  completed: string
  destination: number | null
  batch: string | null
  responsible: number | null
}

/** Locks the build order of an action's URL, before it, its lines or stock are read. */
export async function lockBuild(context: BuildRequest): Promise<LockedBuild> {
  return (await lockRow(buildOrder, context.pk, context)) as unknown as LockedBuild
}

/** Locks the build order of an action's URL; 400 unless it is active, even on hold (docs/decisions.md#actions-in-the-wrong-status). */
export async function lockActiveBuild(context: BuildRequest): Promise<LockedBuild> {
  const build = await lockBuild(context)
  if (!isActive(build)) throw closedBuildProblem(context)
  return build
}

/** Locks the build order of an action's URL; 400 unless it is active and not on hold: the action makes outputs, or consumes stock. */
export async function lockWorkableBuild(context: BuildRequest): Promise<LockedBuild> {
  const build = await lockActiveBuild(context)
  requireNotOnHold(context, build)
  return build
}

/** @throws Problem 400 for a build order on hold */
export function requireNotOnHold(context: BuildRequest, { status }: LockedBuild): void {
  if (status === BUILD_STATUS.ON_HOLD.key) throw wrongStateProblem(context, buildErrors.build_on_hold)
}

export const isActive = ({ status }: LockedBuild): boolean => ACTIVE_STATES.includes(status)

/** The error for an action that only an active build order allows. */
export const closedBuildProblem = (context: BuildRequest): Problem => wrongStateProblem(context, buildErrors.build_closed)

/**
 * Changes the status of a build order that stays open, and emits its event. Returns the order as it was; undefined if it has the status
 * already (docs/decisions.md#repeated-actions).
 */
export async function changeBuildStatus(
  request: BuildRequest,
  change: { from: readonly number[]; to: number; statusError: ErrorMessage; event: 'build.issued' | 'build.hold' },
): Promise<LockedBuild | undefined> {
  const { tx, pk } = request
  const build = await lockBuild(request)
  if (build.status === change.to && acceptsRepeatedAction(request)) return undefined
  if (!change.from.includes(build.status)) throw wrongStateProblem(request, change.statusError)
  await tx.query('update build_order set status = $2 where pk = $1', [pk, change.to])
  tx.atCommit(buildEventStatement('build_order', [pk], change.event))
  return build
}

/** Closes a locked build order, on behalf of the caller. */
export async function closeBuild(
  { tx, caller, pk }: BuildRequest,
  state: (typeof BUILD_STATUS)['CANCELLED' | 'COMPLETE'],
  event: 'build.cancelled' | 'build.completed',
): Promise<void> {
  await tx.query('update build_order set status = $2, completion_date = current_date, completed_by = $3 where pk = $1', [
    pk,
    state.key,
    caller.pk,
  ])
  tx.atCommit(buildEventStatement('build_order', [pk], event))
}
