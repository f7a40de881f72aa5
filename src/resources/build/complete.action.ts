import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { invalidChoice } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { add, compare, type Decimal, multiply, quantize } from '../../kit/values/decimal.ts'
import { taskResponse } from '../background-task/task-response.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { historyNotes } from '../stock/movement/adjustment.ts'
import type { LockedItem } from '../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../stock/movement/split-stock.ts'
import { historyWrites } from '../stock/movement/stock-history.ts'
import { readItemStatus, statusDeltas, withCustomStates } from '../stock/read-status.ts'
import { stockErrors } from '../stock/stock-errors.ts'
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
    'Installs the stock allocated to the outputs in them, moves them into stock in the location and counts them as completed. A completed part of an output becomes a new item; what is allocated to the output remains so. Completes all outputs or none.',
  errors: {
    invalid:
      'An output is already complete, belongs to another build order, has less than the quantity, or is short of tracked components without `accept_incomplete_allocation`; `outputs` gives the error at its index. Or it has not passed a required test, if the settings require that; or the location is structural.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: {
    params: { id: 4 },
    body: { outputs: [{ output: 124 }], location: 18, accept_incomplete_allocation: true, notes: 'Tested and boxed' },
  },
  access: BUILD_ORDER.access,
  body: {
    outputs: outputList({
      output: outputInput,
      quantity: input.optional(
        input.quantity({
          round: false,
          help: 'The quantity to complete, above zero, in units of the part; the rest remains in production. By default the full quantity.',
        }),
      ),
    }),
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
    status_custom_key: input.optional(
      input.integer({ min: 1, help: 'The key of a status or custom state of the completed outputs, instead of the status.' }),
    ),
    accept_incomplete_allocation: input.boolean({
      default: false,
      label: 'Accept Incomplete Allocation',
      help: 'Whether to complete outputs whose tracked components are not fully allocated.',
    }),
    notes: historyNotes(),
  },
  api530: taskResponse,
  response: Type.Object({
    outputs: Type.Array(Type.Object({ output: Type.Integer(), quantity: Type.Optional(Type.String({ format: 'decimal' })) })),
    location: Type.Integer(),
    status: Type.Integer(),
    status_custom_key: Type.Optional(Type.Integer()),
    accept_incomplete_allocation: Type.Boolean(),
    notes: Type.Optional(Type.String()),
  }),
  async run(request) {
    const { tx, body } = request
    const { location, notes } = body
    const status = body.status_custom_key ?? body.status
    const outputKeys = body.outputs.map(({ output }) => output)
    const newStatus = await readItemStatus(tx, status)
    if (!newStatus)
      throw invalid({ [body.status_custom_key === undefined ? 'status' : 'status_custom_key']: [invalidChoice(status)] })
    const locked = await lockOutputs(request, outputKeys, location)
    const { build, outputs, items } = locked
    rejectQuantities(body.outputs, items)
    const splitKeys = body.outputs.flatMap(({ output, quantity }) => (isLess(quantity, items.get(output)) ? output : []))
    // what is allocated to an output remains allocated to its rest
    const allocations = locked.allocations.filter(({ install_into }) => !splitKeys.includes(install_into as number))
    const tracked = await readTrackedLines(tx, build.pk)
    if (!body.accept_incomplete_allocation) requireComponents({ ...locked, allocations }, outputKeys, tracked)
    requireMatchingParts(allocations, tracked, items)
    await requirePassedTests(request, outputs)
    const completedState = { ...newStatus, is_building: false, location }
    const quantities = outputs.map((item, index) => body.outputs[index]?.quantity ?? item.quantity)
    const splits: Split[] = []
    const completedOutputs: number[] = []
    for (const [index, item] of outputs.entries()) {
      if (splitKeys.includes(item.pk)) splits.push(splitOff(item, quantities[index] as Decimal, completedState, notes))
      else completedOutputs.push(Object.assign(item, completedState, { pendingWrite: 'changed' as const }).pk)
    }
    await consumeStock(request, allocations, items, notes)
    const history = historyWrites(
      request,
      [...completedOutputs, ...(splits.length > 0 ? await storeSplits(request, splits) : [])].map((item) => ({
        item,
        type: 'BUILD_OUTPUT_COMPLETED' as const,
        deltas: { ...statusDeltas(newStatus), location, buildorder: build.pk },
        notes,
      })),
    )
    const completedQuantity = quantities.reduce((sum, quantity) => add(sum, quantity), '0' as Decimal)
    tx.atCommit(...history, {
      text: 'update build_order set completed = completed + $2 where pk = $1',
      values: [build.pk, completedQuantity],
    })
    return {
      ...body,
      outputs: body.outputs.map(({ output, quantity }) =>
        quantity === undefined ? { output } : { output, quantity: quantize(quantity, 5) },
      ),
    }
  },
})

type Entry = { output: number; quantity?: Decimal }

const isLess = (quantity: Decimal | undefined, item: LockedItem | undefined): boolean =>
  quantity !== undefined && item !== undefined && compare(quantity, item.quantity) < 0

/** Rejects quantities that are not positive, or above those of their outputs. */
function rejectQuantities(entries: readonly Entry[], items: ReadonlyMap<number, LockedItem>): void {
  rejectOutputs(
    entries.map(({ output }) => output),
    (pk, index) => {
      const quantity = entries[index]?.quantity
      if (quantity === undefined) return undefined
      if (compare(quantity, '0') <= 0) return stockErrors.quantity_must_be_positive
      return compare(quantity, (items.get(pk) as LockedItem).quantity) > 0 ? buildErrors.scrap_exceeds_output : undefined
    },
    'quantity',
  )
}

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
