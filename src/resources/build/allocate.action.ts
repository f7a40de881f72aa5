import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { type Errors, unknownReference } from '../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { quantize } from '../../kit/values/decimal.ts'
import { orderErrors } from '../order/order-errors.ts'
import { lockStockItems } from '../stock/movement/locked-items.ts'
import { stockItem } from '../stock/stock-item.table.ts'
import { checkExpiryInput, findExpiryError } from '../stock/usable-stock.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { lockActiveBuild } from './change-status.ts'
import { allocationWrites, type NewAllocation } from './item/allocate.ts'
import { countAllocated, findAllocationErrors, readLines, unknownLineErrors } from './item/allocation-rules.ts'
import { findTrackableParts } from './item/trackable-parts.ts'
import { buildLine } from './line/build-line.table.ts'

/** Maximum entries per request. */
const MAX_ITEMS = 10_000

const item = {
  build_line: input.reference(() => buildLine, {
    required: true,
    options: { model: 'buildline', api_url: '/api/build/line/' },
    label: 'Build Line Item',
    help: 'The line of this build order to allocate to.',
  }),
  stock_item: input.reference(() => stockItem, {
    required: true,
    options: { model: 'stockitem', api_url: '/api/stock/' },
    help: 'The stock item to allocate from: in stock, of a part that the line allows.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'The quantity, above zero, in units of the part; 1 for an item with a serial number.',
  }),
  output: input.optional(
    input.reference(() => stockItem, {
      nullable: true,
      options: { model: 'stockitem', api_url: '/api/stock/' },
      label: 'Build Output',
      help: 'The output of this build order to allocate to; required for a tracked component, empty for any other.',
    }),
  ),
}

/** See docs/interface/builds.md#lines-and-allocations. */
export const allocateBuild = action({
  method: 'POST',
  path: '/api/build/{id}/allocate/',
  summary: 'Allocate stock to a build order',
  description:
    'Allocates stock to lines of an open build order: all entries of the request or none. The allocated quantity of an item cannot exceed its stock; a line can have more than it needs. Entries for consumables are skipped.',
  errors: {
    invalid:
      'An entry is invalid, and `items` gives the error at its index: its line belongs to another build order; its item is not in stock, is of a part that the line does not allow, has too little available, or is expired with `check_expiry`; or the output is missing for a tracked component, or given for another.',
    wrong_state: 'The build order is complete or cancelled.',
  },
  versioned: true,
  example: { params: { id: 1 }, body: { items: [{ build_line: 3, stock_item: 21, quantity: 4 }] } },
  access: BUILD_ORDER.access,
  body: {
    items: input.list(input.object(item), {
      required: true,
      max: MAX_ITEMS,
      help: 'The allocations, up to 10,000 entries. A line can have entries for several items.',
    }),
    check_expiry: checkExpiryInput('build'),
  },
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        build_line: Type.Integer(),
        stock_item: Type.Integer(),
        quantity: Type.String({ format: 'decimal', description: 'In units of the part.' }),
        output: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ),
  }),
  async run(request) {
    const { tx, body } = request
    const build = await lockActiveBuild(request)
    if (body.items.length === 0) throw invalidObject(orderErrors.allocation_items_required)
    const entries = body.items.map((entry) => ({ ...entry, output: entry.output ?? null }))
    const lines = await readLines(
      tx,
      entries.map(({ build_line }) => build_line),
    )
    const items = await lockStockItems(
      tx,
      entries.flatMap(({ stock_item, output }) => (output === null ? [stock_item] : [stock_item, output])),
    )
    const trackable = await findTrackableParts(tx, items.values())
    const newAllocations: NewAllocation[] = []
    const errors = entries.map((entry): Errors => {
      const line = lines.get(entry.build_line)
      const item = items.get(entry.stock_item)
      if (line?.build !== build.pk) return unknownLineErrors(entry.build_line)
      if (!item) return { stock_item: [unknownReference(entry.stock_item)] }
      const output = entry.output === null ? null : items.get(entry.output)
      const itemErrors = findAllocationErrors(line, item, trackable.has(item.part), entry.quantity, output, { output: 'output' })
      if (Object.keys(itemErrors).length) return itemErrors
      if (line.consumable) return {}
      const expiryError = body.check_expiry ? findExpiryError(request, item, 'build') : undefined
      if (expiryError) return { stock_item: [expiryError] }
      countAllocated(line, item, entry.quantity)
      newAllocations.push(entry)
      return {}
    })
    if (errors.some((itemErrors) => Object.keys(itemErrors).length > 0)) throw invalid({ items: errors })
    tx.atCommit(...allocationWrites(newAllocations))
    return { items: entries.map((entry) => ({ ...entry, quantity: quantize(entry.quantity, 5) })) }
  },
})
