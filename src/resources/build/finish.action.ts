import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { compare, type Decimal, subtract } from '../../kit/values/decimal.ts'
import { notify } from '../notifications/notify.ts'
import { acceptsRepeatedAction } from '../order/status-error.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { endBuild, isActive, lockBuild, notActive } from './build-state.ts'
import { BUILD_STATUS } from './build-status.ts'
import { consumeStock } from './consume-stock.ts'
import { type AllocatableLine, linesOf, requireMatchingParts } from './item/allocation-rules.ts'
import { freeAll, lockAllocated, type OpenAllocation } from './item/open-allocations.ts'

const choices = [
  { value: 'reject', label: 'Not permitted' },
  { value: 'accept', label: 'Accept as consumed by this build order' },
  { value: 'trim', label: 'Deallocate before completing this build order' },
] as const

/** See decision 24, and the reference description of parts and builds, section 13. */
export const finishBuild = action({
  method: 'POST',
  path: '/api/build/{id}/finish/',
  summary: 'Complete a build order',
  description:
    'Completes a build order that is pending or in production: consumes the stock that is allocated to no particular output, and releases the stock allocated to outputs.',
  errors: {
    invalid:
      'An output is incomplete; a line has too much allocated, an untracked line too little, or the completed quantity is too small, without the flag that accepts it (the error names that flag); or stock is allocated that its line no longer allows.',
    wrong_state: 'The build order is complete or cancelled.',
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
    const isSo = build.status === BUILD_STATUS.COMPLETE.key && acceptsRepeatedAction(request)
    if (!isSo && !isActive(build)) throw notActive(request)
    const { allocations, items } = await lockAllocated(tx, pk, { isEnding: true })
    const lines = await linesOf(tx, pk)
    const untracked = lines.filter(({ trackable, consumable }) => !trackable && !consumable)
    const missing = {
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
    if (Object.keys(missing).length) throw invalid(missing)
    if (await tx.first('select 1 from stock_item where build = $1 and is_building limit 1', [pk]))
      throw invalidObject(buildErrors.build_outputs_incomplete)
    if (isSo) return body

    const [used, freed] = share(allocations, lines, body.accept_overallocated === 'trim')
    requireMatchingParts(used, lines, items)
    await freeAll(tx, freed, items)
    await consumeStock(request, used, items)
    await endBuild(request, BUILD_STATUS.COMPLETE, 'build.completed')
    await notify(request, 'completed', BUILD_ORDER.model, pk)
    return body
  },
})

/**
 * Splits allocations into consumed and released ones. Released are those for outputs and, if a line is trimmed, the newest beyond the
 * line's quantity.
 */
function share(
  allocations: readonly OpenAllocation[],
  lines: readonly AllocatableLine[],
  trims: boolean,
): [used: OpenAllocation[], freed: OpenAllocation[]] {
  const used: OpenAllocation[] = []
  const freed = allocations.filter(({ install_into }) => install_into !== null)
  const remaining = new Map(lines.map(({ pk, quantity }) => [pk, quantity]))
  for (const allocation of allocations.filter(({ install_into }) => install_into === null)) {
    const room = remaining.get(allocation.build_line) as Decimal
    const quantity = trims && compare(allocation.quantity, room) > 0 ? room : allocation.quantity
    remaining.set(allocation.build_line, subtract(room, quantity))
    if (compare(quantity, '0') > 0) used.push({ ...allocation, quantity })
    if (compare(quantity, allocation.quantity) < 0)
      freed.push({ ...allocation, quantity: subtract(allocation.quantity, quantity) })
  }
  return [used, freed]
}
