import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { type Deletion, isDeletion, resource, type Write } from '../../../kit/definition/resource.ts'
import { outOfRangeErrors } from '../../../kit/request/constraint.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { partBrief } from '../../part/part.resource.ts'
import { locationParameters } from '../../stock/location/stock-location.resource.ts'
import { availableOfPart, quantityInProduction, selectAvailableVariants } from '../available-quantities.ts'
import { headerLineFilters, headerLineRules, lineFields, lineOrder, lineTargetDate, orderComplete } from '../line-fields.ts'
import { orderErrors } from '../order-errors.ts'
import { openStates } from '../order-kind.ts'
import { transferOrderBrief } from '../transfer-order/transfer-order.resource.ts'
import { TRANSFER_ORDER } from '../transfer-order/transfer-order-kind.ts'
import { TO_STATUS } from '../transfer-order/transfer-order-status.ts'
import { lockAllocatedStock } from '../transfer-order-allocation/release-allocations.ts'
import { transferOrderLine as table } from './transfer-order-line.table.ts'

const allocated =
  'coalesce((select sum(allocation.quantity) {from transfer_order_allocation} allocation where allocation.line = {pk}), 0)'

const rules = headerLineRules(TRANSFER_ORDER, table)

/** See docs/interface/orders.md#transfer-orders. */
export const transferOrderLine = resource({
  path: '/api/order/transfer-order-line/',
  name: 'Transfer order line item',
  description:
    'A line of a transfer order: a quantity of a part. Stock is allocated to it, and moved or consumed when the order is completed. Lines can be edited until then.',
  remarks: {
    update: 'A line with allocated stock cannot change its order or its part.',
    delete: 'Releases the stock allocated to it.',
    'bulk-delete': 'Releases the stock allocated to them.',
  },
  example: {
    pk: 2,
    create: { order: 1, part: 42, quantity: 4, line: '10', reference: 'Walnut' },
    change: { notes: 'In the blue box' },
    deletable: 3,
  },
  model: 'transferorderlineitem',
  table,
  access: TRANSFER_ORDER.access,
  constraints: outOfRangeErrors('quantity'),
  bulkDelete: true,
  fields: {
    ...lineFields(TRANSFER_ORDER, table, () => transferOrderBrief()),
    quantity: f.column(table.quantity, {
      required: true,
      min: 0,
      order: true,
      search: true,
      help: 'The quantity to transfer, in units of the part.',
    }),
    reference: f.column(table.reference, {
      search: true,
      order: true,
      help: 'A reference within the order; may be empty.',
    }),
    notes: f.column(table.notes, { help: 'A note on the line, as plain text; may be empty.' }),
    target_date: lineTargetDate(table),
    allocated: f.computed(Type.Number(), `trim_scale(${allocated})`, {
      filter: {
        kind: 'boolean',
        sql: `${allocated} >= {quantity}`,
        help: 'Whether its full quantity is allocated or transferred.',
      },
      help: 'The quantity allocated to it, including the quantity already transferred, in units of the part.',
    }),
    overdue: f.computed(
      Type.Boolean(),
      `coalesce({transferred} < {quantity} and {order.status} in ${openStates(TRANSFER_ORDER)}
        and coalesce({target_date}, {order.target_date}) < current_date, false)`,
      { help: 'Whether a quantity is still to be transferred after the target date of the line, otherwise of the open order.' },
    ),
    part: f.ref(table.part, {
      filter: true,
      nullable: true,
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part to transfer.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' } }),
    transferred: f.readonly(table.transferred, {
      order: true,
      api530: { metadata: { label: 'transferred' } },
      help: 'The quantity moved or consumed, in units of the part. Only completing the order changes it.',
    }),
    available_stock: f.computed(Type.Number(), `trim_scale(${availableOfPart})`, {
      help: 'The quantity of the part in stock that is not allocated to any order.',
    }),
    available_variant_stock: f.computed(Type.Number(), `trim_scale(${selectAvailableVariants('variant.active')})`, {
      help: 'The same for its active variants.',
    }),
    building: f.computed(Type.Number(), `trim_scale(${quantityInProduction})`, {
      label: 'In Production',
      help: 'The quantity of the part in production: outputs of open build orders.',
    }),
    on_order: f.computed(Type.Number(), 'trim_scale(coalesce({part.part_quantity.ordering}, 0))', {
      label: 'On Order',
      help: 'The quantity of the part on order.',
    }),
  },
  parameters: locationParameters,
  filters: {
    ...headerLineFilters(TRANSFER_ORDER),
    order_complete: orderComplete(TRANSFER_ORDER),
    has_pricing: { kind: 'boolean', sql: 'false', help: 'Whether the line has a price; none has.' },
    completed: { kind: 'boolean', sql: '{transferred} >= {quantity}', help: 'Whether its full quantity is transferred.' },
  },
  search: ['{part.name}'],
  order: {
    ...lineOrder,
    allocated: [allocated],
    order: ['{order.reference}'],
    part: ['{part.name}'],
    part__name: ['{part.name}'],
  },
  ...rules,
  async locksFirst(tx, pks, body) {
    await rules.locksFirst(tx, pks, body)
    if (isDeletion(body)) await lockAllocatedStock(tx, 'line', pks)
  },
  async rules(write) {
    checkPart(write)
    await checkOrder(write)
    await checkAllocated(write)
  },
  async beforeDelete({ tx, row }: Deletion) {
    if (await isComplete(tx, [row.order])) throw invalidObject(orderErrors.transfer_order_complete)
  },
})

/** A line has a part; only the deletion of the part leaves it without one. */
function checkPart({ before, values, errors }: Write): void {
  if (before ? values.part === null && before.part !== null : (values.part ?? null) === null)
    errors.part = [orderErrors.line_part_required]
}

/** Rejects lines of a complete order, also those that move to one or away from it. */
async function checkOrder({ tx, before, after, errors }: Write): Promise<void> {
  if (await isComplete(tx, [after('order'), before?.order])) errors.non_field_errors = [orderErrors.transfer_order_complete]
}

const isComplete = async (tx: Write['tx'], orders: readonly unknown[]): Promise<boolean> =>
  (await tx.first('select from transfer_order where pk = any($1::integer[]) and status = $2 limit 1', [
    orders.filter((order) => typeof order === 'number'),
    TO_STATUS.COMPLETE.key,
  ])) !== undefined

/** Rejects a change of the order or part of a line with allocated or transferred stock. */
async function checkAllocated({ tx, before, values, errors }: Write): Promise<void> {
  const changed = ['order', 'part'].filter((name) => before && values[name] !== undefined && values[name] !== before[name])
  if (changed.length === 0) return
  if (!(await tx.first('select 1 from transfer_order_allocation where line = $1 limit 1', [before?.pk]))) return
  for (const name of changed) errors[name] ??= [orderErrors.line_has_allocations]
}
