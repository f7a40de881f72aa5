import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { taskResponse } from '../background-task/task-response.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { lockActiveBuild } from './change-status.ts'
import { autoAllocate, type StockOrder } from './item/auto-allocate.ts'
import { buildLine } from './line/build-line.table.ts'

const location = (label: string, help: string) =>
  input.reference(() => stockLocation, {
    nullable: true,
    default: null as never,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    label,
    help,
  })

const ITEM_TYPES = [
  { value: 'all', label: 'All Items' },
  { value: 'untracked', label: 'Untracked Items' },
  { value: 'tracked', label: 'Tracked Items' },
]
const STOCK_ORDERS: readonly { value: StockOrder; label: string }[] = [
  { value: 'updated', label: 'Oldest stock first (FIFO)' },
  { value: '-updated', label: 'Newest stock first (LIFO)' },
  { value: 'quantity', label: 'Smallest quantity first' },
  { value: '-quantity', label: 'Largest quantity first' },
  { value: 'expiry_date', label: 'Soonest expiry date first' },
]

/** See docs/interface/builds.md#lines-and-allocations. */
export const autoAllocateBuild = action({
  method: 'POST',
  path: '/api/build/{id}/auto-allocate/',
  summary: 'Auto-allocate stock to a build order',
  description:
    'Allocates available stock to lines that are short of it: first the component, then its variants, then substitutes; of each, first what expires first, unless `stock_sort_by` says otherwise. Uses only stock with the status OK, and no expired stock while STOCK_ALLOW_EXPIRED_BUILD is off. Skips tracked components, consumables and stock with serial numbers, and lines with a choice of several items unless they are interchangeable.',
  errors: { wrong_state: 'The build order is complete or cancelled.' },
  versioned: true,
  example: { params: { id: 1 }, body: { interchangeable: true } },
  access: BUILD_ORDER.access,
  body: {
    location: location('Source Location', 'Allocate only stock in this location and below it; empty for all stock.'),
    exclude_location: location('Exclude Location', 'Stock in this location and below it is not allocated; empty for none.'),
    interchangeable: input.boolean({
      default: false,
      label: 'Interchangeable Stock',
      help: 'Whether stock items are interchangeable; otherwise lines with several suitable items are skipped.',
    }),
    substitutes: input.boolean({ default: true, label: 'Substitute Stock', help: 'Whether substitutes are allocated too.' }),
    optional_items: input.boolean({
      default: false,
      label: 'Optional Items',
      help: 'Whether optional components are allocated too.',
    }),
    build_lines: input.list(
      input.reference(() => buildLine, { options: { model: 'buildline', api_url: '/api/build/line/' } }),
      { max: 10_000, default: () => [], label: 'Build Lines', help: 'Only these lines of the build order; by default all.' },
    ),
    item_type: input.choice(() => ITEM_TYPES, {
      default: 'untracked',
      label: 'Item Type',
      help: 'The components to allocate. Tracked ones are allocated to individual outputs only, so that they are skipped in any case.',
    }),
    stock_sort_by: input.optional(
      input.choice<StockOrder>(() => STOCK_ORDERS, {
        label: 'Stock Priority',
        api530: { metadata: { default: 'updated' } },
        help: 'The order in which stock is allocated; by default, what expires first.',
      }),
    ),
  },
  api530: taskResponse,
  response: Type.Object({
    location: Type.Union([Type.Integer(), Type.Null()]),
    exclude_location: Type.Union([Type.Integer(), Type.Null()]),
    interchangeable: Type.Boolean(),
    substitutes: Type.Boolean(),
    optional_items: Type.Boolean(),
  }),
  async run(request) {
    const build = await lockActiveBuild(request)
    const { build_lines, item_type, stock_sort_by, ...options } = request.body
    if (item_type !== 'tracked') await autoAllocate(request, build.pk, { ...options, lines: build_lines, order: stock_sort_by })
    return options
  },
})
