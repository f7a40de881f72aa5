import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, subtract } from '../../kit/values/decimal.ts'
import { setting } from '../../settings/live.ts'
import { notify } from '../notifications/notify.ts'
import { acceptsRepeatedAction } from '../order/status-error.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { BUILD_STATUS } from './build-status.ts'
import { closeBuild, closedBuildProblem, isActive, lockBuild, requireNotOnHold } from './change-status.ts'
import { consumeStock } from './consume-stock.ts'
import { type AllocatableLine, readBuildLines, requireMatchingParts } from './item/allocation-rules.ts'
import { lockAllocatedItems, type OpenAllocation, releaseAllocatedStock } from './item/open-allocations.ts'

const choices = [
  { value: 'reject', label: 'Not permitted' },
  { value: 'accept', label: 'Accept as consumed by this build order' },
  { value: 'trim', label: 'Deallocate before completing this build order' },
] as const

/** Existing clients may repeat it (docs/decisions.md#repeated-actions). */
export const finishBuild = action({
  method: 'POST',
  path: '/api/build/{id}/finish/',
  summary: 'Complete a build order',
  description:
    'Completes a build order that is pending or in production: consumes the stock that is allocated to no particular output, and releases the stock allocated to outputs.',
  errors: {
    invalid:
      'An output is incomplete; a child order is open while BUILDORDER_REQUIRE_CLOSED_CHILDS is on; a line has too much allocated, an untracked line too little, or the completed quantity is too small, without the flag that accepts it (the error names that flag); or stock is allocated that its line no longer allows.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: {
    params: { id: 6 },
    body: { accept_overallocated: 'trim', accept_unallocated: true, accept_incomplete: true },
  },
  access: BUILD_ORDER.access,
  body: {
    accept_overallocated: input.choice<string>(() => choices, {
      default: 'reject',
      label: 'Overallocated Stock',
      help: 'What to do with stock allocated beyond the quantity of a line: reject, consume or release it.',
    }),
    accept_unallocated: input.boolean({
      default: false,
      label: 'Accept Unallocated',
      help: 'Whether to complete it although a line has too little allocated.',
    }),
    accept_incomplete: input.boolean({
      default: false,
      label: 'Accept Incomplete',
      help: 'Whether to complete it although the completed quantity is too small.',
    }),
  },
  response: Type.Object({
    accept_overallocated: Type.String(),
    accept_unallocated: Type.Boolean(),
    accept_incomplete: Type.Boolean(),
  }),
  async run(request) {
    const { tx, body, pk } = request
    const build = await lockBuild(request)
    const isAlreadyComplete = build.status === BUILD_STATUS.COMPLETE.key && acceptsRepeatedAction(request)
    if (!isAlreadyComplete && !isActive(build)) throw closedBuildProblem(request)
    requireNotOnHold(request, build)
    const { allocations, items } = await lockAllocatedItems(tx, pk, { consumes: true })
    const lines = await readBuildLines(tx, pk)
    const untracked = lines.filter(({ trackable, consumable }) => !trackable && !consumable)
    const flagErrors = {
      ...(body.accept_overallocated === 'reject' && lines.some(({ allocated, quantity }) => compare(allocated, quantity) > 0)
        ? { accept_overallocated: [buildErrors.components_overallocated] }
        : {}),
      ...(!body.accept_unallocated && untracked.some(({ allocated, quantity }) => compare(allocated, quantity) < 0)
        ? { accept_unallocated: [buildErrors.components_not_allocated] }
        : {}),
      ...(!body.accept_incomplete && compare(build.completed, build.quantity) < 0
        ? { accept_incomplete: [buildErrors.build_quantity_incomplete] }
        : {}),
    }
    if (Object.keys(flagErrors).length) throw invalid(flagErrors)
    if (await tx.first('select 1 from stock_item where build = $1 and is_building limit 1', [pk]))
      throw invalidObject(buildErrors.build_outputs_incomplete)
    if (setting(request, 'BUILDORDER_REQUIRE_CLOSED_CHILDS') && (await hasOpenChild(tx, pk)))
      throw invalidObject(buildErrors.build_children_open)
    if (isAlreadyComplete) return body

    const [consumed, released] = splitAllocations(allocations, lines, body.accept_overallocated === 'trim')
    requireMatchingParts(consumed, lines, items)
    await releaseAllocatedStock(tx, released, items)
    await consumeStock(request, consumed, items)
    await closeBuild(request, BUILD_STATUS.COMPLETE, 'build.completed')
    await notify(request, 'completed', BUILD_ORDER.model, pk)
    return body
  },
})

/** Whether a child of a build order is neither complete nor cancelled. */
async function hasOpenChild(tx: Tx, build: number): Promise<boolean> {
  const child = await tx.first('select from build_order where parent = $1 and is_active_build(status) limit 1', [build])
  return child !== undefined
}

/**
 * Splits allocations into those to consume and those to release: the ones for outputs and, if lines are trimmed, the newest beyond the
 * quantity of their line.
 */
function splitAllocations(
  allocations: readonly OpenAllocation[],
  lines: readonly AllocatableLine[],
  trimsOverallocation: boolean,
): [used: OpenAllocation[], freed: OpenAllocation[]] {
  const consumed: OpenAllocation[] = []
  const released = allocations.filter(({ install_into }) => install_into !== null)
  const remaining = new Map(lines.map(({ pk, quantity }) => [pk, quantity]))
  for (const allocation of allocations.filter(({ install_into }) => install_into === null)) {
    const openQuantity = remaining.get(allocation.build_line) as Decimal
    const quantity = trimsOverallocation && compare(allocation.quantity, openQuantity) > 0 ? openQuantity : allocation.quantity
    remaining.set(allocation.build_line, subtract(openQuantity, quantity))
    if (compare(quantity, '0') > 0) consumed.push({ ...allocation, quantity })
    if (compare(quantity, allocation.quantity) < 0)
      released.push({ ...allocation, quantity: subtract(allocation.quantity, quantity) })
  }
  return [consumed, released]
}
