import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { invalidChoice } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { add, compare, type Decimal, multiply } from '../../kit/values/decimal.ts'
import { changedToTask } from '../background-task/task-response.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { historyNotes } from '../stock/movement/adjustment.ts'
import type { LockedItem } from '../stock/movement/locked-items.ts'
import { historyWrites } from '../stock/movement/stock-history.ts'
import { readItemStatus, statusDeltas, withCustomStates } from '../stock/read-status.ts'
import { STOCK_STATUS, STOCK_STATUS_CHOICES } from '../stock/stock-status.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { consumeStock } from './consume-stock.ts'
import { type AllocatableLine, readTrackedLines, requireMatchingParts } from './item/allocation-rules.ts'
import { type LockedOutputs, lockOutputs, outputInput, outputList, rejectOutputs } from './output/outputs.ts'
import { requirePassedTests } from './output/required-tests.ts'

/** See docs/interface/builds.md#outputs. */
export const completeBuildOutputs = action({
  method: 'POST',
  path: '/api/build/{id}/complete/',
  summary: 'Complete build outputs',
  description:
    'Installs the stock allocated to the outputs in them, moves them into stock in the location and counts them as completed. Completes all outputs or none.',
  errors: {
    invalid:
      'An output is already complete, belongs to another build order, or is short of tracked components without `accept_incomplete_allocation`; `outputs` gives the error at its index. Or it has not passed a required test, if the settings require that; or the location is structural.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: {
    params: { id: 4 },
    body: { outputs: [{ output: 124 }], location: 18, accept_incomplete_allocation: true, notes: 'Tested and boxed' },
  },
  access: BUILD_ORDER.access,
  body: {
    outputs: outputList({ output: outputInput }),
    location: input.reference(() => stockLocation, {
      required: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      help: 'The destination location of the outputs.',
    }),
    status: withCustomStates(
      input.choice<number>(() => STOCK_STATUS_CHOICES, {
        default: STOCK_STATUS.OK.key,
        help: 'The status, or a custom state, of the completed outputs.',
      }),
    ),
    accept_incomplete_allocation: input.boolean({
      default: false,
      label: 'Accept Incomplete Allocation',
      help: 'Whether to complete outputs whose tracked components are not fully allocated.',
    }),
    notes: historyNotes(),
  },
  changed: changedToTask,
  response: Type.Object({
    outputs: Type.Array(Type.Object({ output: Type.Integer() })),
    location: Type.Integer(),
    status: Type.Integer(),
    accept_incomplete_allocation: Type.Boolean(),
    notes: Type.Optional(Type.String()),
  }),
  async run(request) {
    const { tx, body } = request
    const { location, status, notes } = body
    const outputKeys = body.outputs.map(({ output }) => output)
    const newStatus = await readItemStatus(tx, status)
    if (!newStatus) throw invalid({ status: [invalidChoice(status)] })
    const locked = await lockOutputs(request, outputKeys, location)
    const { build, outputs, allocations, items } = locked
    const tracked = await readTrackedLines(tx, build.pk)
    if (!body.accept_incomplete_allocation) requireComponents(locked, outputKeys, tracked)
    requireMatchingParts(allocations, tracked, items)
    await requirePassedTests(request, outputs)
    for (const item of outputs) Object.assign(item, { ...newStatus, is_building: false, location, pendingWrite: 'changed' })
    await consumeStock(request, allocations, items, notes)
    const history = historyWrites(
      request,
      outputs.map(({ pk }) => ({
        item: pk,
        type: 'BUILD_OUTPUT_COMPLETED' as const,
        deltas: { ...statusDeltas(newStatus), location, buildorder: build.pk },
        notes,
      })),
    )
    const completedQuantity = outputs.reduce((sum, { quantity }) => add(sum, quantity), '0' as Decimal)
    tx.atCommit(...history, {
      text: 'update build_order set completed = completed + $2 where pk = $1',
      values: [build.pk, completedQuantity],
    })
    return body
  },
})

/** Rejects outputs that are short of tracked components. */
function requireComponents(
  { allocations, items }: LockedOutputs,
  outputKeys: readonly number[],
  tracked: readonly AllocatableLine[],
): void {
  const allocatedByLine = new Map<string, Decimal>()
  for (const { build_line, install_into, quantity } of allocations)
    allocatedByLine.set(
      `${install_into} ${build_line}`,
      add(allocatedByLine.get(`${install_into} ${build_line}`) ?? '0', quantity),
    )
  rejectOutputs(outputKeys, (pk) => {
    const { quantity } = items.get(pk) as LockedItem
    const isShort = tracked.some(
      (line) => compare(allocatedByLine.get(`${pk} ${line.pk}`) ?? '0', multiply(line.per_unit, quantity)) < 0,
    )
    return isShort ? buildErrors.output_components_not_allocated : undefined
  })
}
