import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { compare, quantize } from '../../kit/values/decimal.ts'
import { taskResponse } from '../background-task/task-response.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import type { LockedItem } from '../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../stock/movement/split-stock.ts'
import { historyWrites, MAX_HISTORY_NOTES } from '../stock/movement/stock-history.ts'
import { stockErrors } from '../stock/stock-errors.ts'
import { STOCK_STATUS } from '../stock/stock-status.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { consumeStock } from './consume-stock.ts'
import { releaseAllocatedStock } from './item/open-allocations.ts'
import { lockOutputs, outputInput, outputList, rejectOutputs } from './output/outputs.ts'

/** See docs/interface/builds.md#outputs. */
export const scrapBuildOutputs = action({
  method: 'POST',
  path: '/api/build/{id}/scrap-outputs/',
  summary: 'Scrap build outputs',
  description:
    'Rejects outputs in full or in part: they exist, but are not in stock and do not count as completed. A scrapped part of an output becomes a new item. Stock allocated to an output that is scrapped in full is installed in it, unless it is to be released.',
  errors: {
    invalid:
      'An output is already complete, belongs to another build order, or has less than the quantity; `outputs` gives the error at its index. Or the location is structural.',
    wrong_state: 'The build order is on hold, complete or cancelled.',
  },
  versioned: true,
  example: {
    params: { id: 4 },
    body: { outputs: [{ output: 125, quantity: 1 }], location: 19, notes: 'The board is cracked', discard_allocations: true },
  },
  access: BUILD_ORDER.access,
  body: {
    outputs: outputList({
      output: outputInput,
      quantity: input.quantity({
        round: false,
        required: true,
        help: 'The quantity to scrap, above zero, in units of the part.',
      }),
    }),
    location: input.reference(() => stockLocation, {
      required: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      help: 'The destination location of the outputs.',
    }),
    discard_allocations: input.boolean({
      default: false,
      label: 'Discard Allocations',
      help: 'Whether the stock allocated to them is released; otherwise it is consumed.',
    }),
    notes: input.text({ required: true, max: MAX_HISTORY_NOTES, multiline: true, help: 'The reason for scrapping them.' }),
  },
  api530: taskResponse,
  response: Type.Object({
    outputs: Type.Array(Type.Object({ output: Type.Integer(), quantity: Type.String({ format: 'decimal' }) })),
    location: Type.Integer(),
    discard_allocations: Type.Boolean(),
    notes: Type.String(),
  }),
  async run(request) {
    const { tx, body } = request
    const { location, notes, discard_allocations } = body
    const outputKeys = body.outputs.map(({ output }) => output)
    const { build, outputs, allocations, items } = await lockOutputs(request, outputKeys, location)
    rejectOutputs(
      outputKeys,
      (pk, index) => {
        const { quantity } = body.outputs[index] as { quantity: string }
        if (compare(quantity, '0') <= 0) return stockErrors.quantity_must_be_positive
        const outputQuantity = (items.get(pk) as LockedItem).quantity
        return compare(quantity, outputQuantity) > 0 ? buildErrors.scrap_exceeds_output : undefined
      },
      'quantity',
    )
    const rejectedState = { is_building: false, status: STOCK_STATUS.REJECTED.key, location }
    const fullyScrappedOutputs = new Set<number>()
    const splits: Split[] = []
    for (const [index, item] of outputs.entries()) {
      const { quantity } = body.outputs[index] as { quantity: string }
      if (compare(quantity, item.quantity) < 0) splits.push(splitOff(item, quantity, rejectedState, notes))
      else {
        Object.assign(item, rejectedState, { pendingWrite: 'changed' })
        fullyScrappedOutputs.add(item.pk)
      }
    }
    const outputAllocations = allocations.filter(({ install_into }) => fullyScrappedOutputs.has(install_into as number))
    if (discard_allocations) await releaseAllocatedStock(tx, outputAllocations, items)
    await consumeStock(request, discard_allocations ? [] : outputAllocations, items, notes)
    const splitKeys = await storeSplits(request, splits)
    tx.atCommit(
      ...historyWrites(
        request,
        [...fullyScrappedOutputs, ...splitKeys].map((item) => ({
          item,
          type: 'BUILD_OUTPUT_REJECTED' as const,
          deltas: { status: rejectedState.status, location, buildorder: build.pk },
          notes,
        })),
      ),
    )
    return {
      ...body,
      outputs: body.outputs.map(({ output, quantity }) => ({ output, quantity: quantize(quantity, 5) })),
    }
  },
})
