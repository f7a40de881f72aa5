import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { type Errors, unknownReference } from '../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { add, compare, type Decimal, normalize, subtract } from '../../kit/values/decimal.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { DONE_AT_ONCE, taskSchema } from '../background-task/task-response.ts'
import { historyNotes } from '../stock/movement/adjustment.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import { buildOrder } from './build.resource.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { lockWorkableBuild } from './change-status.ts'
import { type ConsumedAllocation, consumeStock } from './consume-stock.ts'
import { readBuildLines, requireMatchingParts, unknownLineErrors } from './item/allocation-rules.ts'
import { buildAllocation } from './item/build-allocation.table.ts'
import { lockAllocatedItems, type OpenAllocation } from './item/open-allocations.ts'
import { buildLine } from './line/build-line.table.ts'

/** Maximum entries per request. */
const MAX_ENTRIES = 10_000

const item = {
  build_item: input.reference(() => buildAllocation, {
    required: true,
    options: { model: 'builditem', api_url: '/api/build/item/' },
    label: 'Build Item',
    help: 'The allocation to consume from.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'The quantity to consume, above zero, in units of the part; the rest stays allocated.',
  }),
}

const line = {
  build_line: input.reference(() => buildLine, {
    required: true,
    options: { model: 'buildline', api_url: '/api/build/line/' },
    label: 'Build Line Item',
    help: 'The line whose allocated stock is consumed.',
  }),
}

type Entries = { items: { build_item: number; quantity: Decimal }[]; lines: { build_line: number }[] }

/** See docs/interface/builds.md#lines-and-allocations. */
export const consumeBuildStock = action({
  method: 'POST',
  path: '/api/build/{id}/consume/',
  summary: 'Consume stock allocated to a build order',
  description:
    'Consumes allocated stock before the build order is complete: quantities of single allocations, and all that is allocated to lines; all entries of the request or none. The lines count it as consumed. Stock that is allocated to an output is consumed when the output is completed.',
  errors: {
    invalid:
      'Nothing is named; or an entry is invalid, and `items` or `lines` gives the error at its index: it belongs to another build order, is allocated to an output, or exceeds what is allocated.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { lines: [] }, status: 400 },
  access: BUILD_ORDER.access,
  body: {
    items: input.list(input.object(item), {
      default: [],
      max: MAX_ENTRIES,
      help: 'Quantities to consume of single allocations, up to 10,000 entries.',
    }),
    lines: input.list(input.object(line), {
      default: [],
      max: MAX_ENTRIES,
      help: 'Lines whose allocated stock is consumed, up to 10,000 entries.',
    }),
    notes: historyNotes(),
  },
  status: 200,
  response: taskSchema,
  async run(request) {
    const { tx, body } = request
    if (body.items.length === 0 && body.lines.length === 0) {
      // an unknown build order is a 404 all the same
      await lockRow(buildOrder, request.pk, request)
      throw invalidObject(buildErrors.consumed_stock_required)
    }
    const build = await lockWorkableBuild(request)
    const { allocations, items } = await lockAllocatedItems(tx, build.pk, { consumes: true })
    const lines = await readBuildLines(tx, build.pk)
    const consumed = selectConsumed(body, allocations, new Set(lines.map(({ pk }) => pk)))
    requireMatchingParts(consumed, lines, items)
    await consumeStock(request, consumed, items, body.notes)
    return DONE_AT_ONCE
  },
})

/** The allocations to consume, each once: those of the entries, and the rest of those of the lines. @throws Problem 400 */
function selectConsumed(
  { items, lines }: Entries,
  allocations: readonly OpenAllocation[],
  linesOfBuild: ReadonlySet<number>,
): ConsumedAllocation[] {
  const allocationsByKey = new Map(allocations.map((allocation) => [allocation.pk, allocation]))
  const quantities = new Map<number, Decimal>()
  const itemErrors = items.map(({ build_item, quantity }): Errors => {
    const allocation = allocationsByKey.get(build_item)
    if (!allocation) return { build_item: [unknownReference(build_item)] }
    if (allocation.install_into !== null) return { build_item: [buildErrors.output_stock_not_consumed] }
    if (compare(quantity, '0') <= 0) return { quantity: [stockErrors.quantity_must_be_positive] }
    const total = add(quantities.get(build_item) ?? '0', quantity)
    if (compare(total, allocation.quantity) > 0)
      return { quantity: [buildErrors.consumed_exceeds_allocated({ allocated: normalize(allocation.quantity) })] }
    quantities.set(build_item, total)
    return {}
  })
  const lineErrors = lines.map(({ build_line }): Errors => {
    if (!linesOfBuild.has(build_line)) return unknownLineErrors(build_line)
    const ofLine = allocations.filter((allocation) => allocation.build_line === build_line)
    if (ofLine.some(({ install_into }) => install_into !== null)) return { build_line: [buildErrors.output_stock_not_consumed] }
    for (const { pk, quantity } of ofLine) quantities.set(pk, quantity)
    return {}
  })
  const hasErrors = (errors: readonly Errors[]) => errors.some((entry) => Object.keys(entry).length > 0)
  if (hasErrors(itemErrors) || hasErrors(lineErrors))
    throw invalid({
      ...(hasErrors(itemErrors) && { items: itemErrors }),
      ...(hasErrors(lineErrors) && { lines: lineErrors }),
    })
  return [...quantities].map(([pk, quantity]) => {
    const allocation = allocationsByKey.get(pk) as OpenAllocation
    const remaining = subtract(allocation.quantity, quantity)
    return { ...allocation, quantity, ...(compare(remaining, '0') > 0 && { remaining }) }
  })
}
