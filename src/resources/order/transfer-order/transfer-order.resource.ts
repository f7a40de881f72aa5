import * as f from '../../../kit/definition/field.ts'
import { type Deletion, type Resource, resource, type Write } from '../../../kit/definition/resource.ts'
import { tagSearch } from '../../../kit/definition/tags.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { part } from '../../part/part.table.ts'
import { locationDetail, locationParameters } from '../../stock/location/stock-location.resource.ts'
import { orderErrors } from '../order-errors.ts'
import { actionDate, headerBrief, headerFields } from '../order-fields.ts'
import { createDateRangeFilter, createPartFilter, orderFilters } from '../order-filters.ts'
import { headerRules } from '../order-rules.ts'
import { lockAllocatedStock } from '../transfer-order-allocation/release-allocations.ts'
import { transferOrder as table } from './transfer-order.table.ts'
import { TRANSFER_ORDER } from './transfer-order-kind.ts'
import { TO_STATUS } from './transfer-order-status.ts'

const WRITE_REMARK = 'The reference must match the pattern in the settings.'

const rules = headerRules(TRANSFER_ORDER, () => transferOrder)

const location = { model: 'stocklocation', apiUrl: '/api/stock/location/' }

/** See docs/interface/orders.md#transfer-orders. */
export const transferOrder: Resource = resource({
  path: TRANSFER_ORDER.path,
  name: 'Transfer order',
  description:
    'An order to move stock to another location, or to use it up: pending, then issued, and complete once the allocated stock was moved; on hold or cancelled. Its lines and stock allocations are resources of their own.',
  remarks: {
    list: 'Sorted by descending reference, unless `ordering` says otherwise.',
    create: `${WRITE_REMARK} With \`duplicate_order\` it gets copies of the lines of another order, with nothing allocated or transferred.`,
    update: `${WRITE_REMARK} The status cannot be changed here: issue, hold, complete or cancel the order instead.`,
    delete:
      'Deletes its lines and allocations as well, and releases the stock allocated to it. A complete order cannot be deleted.',
  },
  example: {
    pk: 1,
    create: { reference: 'TO-0100', description: 'Kits for the front desk', target_date: '2031-03-14' },
    replace: { reference: 'TO-0001', description: 'Kits for the office' },
    change: { notes: 'By **Friday**.' },
    deletable: 6,
  },
  model: TRANSFER_ORDER.model,
  table,
  access: TRANSFER_ORDER.access,
  bulkUpdate: true,
  fields: {
    ...headerFields(TRANSFER_ORDER, 'a company'),
    take_from: f.ref(table.take_from, {
      ...location,
      label: 'Source Location',
      help: 'The location where the stock is expected; empty for any. Stock of other locations can be allocated, too.',
    }),
    take_from_detail: f.nested(table.take_from, () => locationDetail(), {
      flag: { name: 'take_from_detail', list: true, detail: true },
    }),
    destination: f.ref(table.destination, {
      ...location,
      label: 'Destination Location',
      help: 'The location to which completion moves the stock; empty while it is undecided, or if the stock is consumed.',
    }),
    destination_detail: f.nested(table.destination, () => locationDetail(), {
      flag: { name: 'destination_detail', list: true, detail: true },
    }),
    consume: f.column(table.consume, {
      label: 'Consume Stock',
      help: 'Whether completion consumes the stock instead of moving it.',
    }),
    issue_date: actionDate(table.issue_date, 'Issue Date', 'The day on which it was issued; empty before.'),
    complete_date: actionDate(table.complete_date, 'Completion Date', 'The day on which it was completed; empty before.', {
      order: true,
    }),
    parameters: parametersField('transfer_order'),
  },
  parameters: locationParameters,
  orderFamily: parameterOrders('transfer_order'),
  filters: {
    ...parameterFilters('transfer_order'),
    ...orderFilters(TRANSFER_ORDER),
    part: createPartFilter(
      part,
      '{pk} in (select l."order" {from transfer_order_line} l where l.part {parts})',
      'Orders with a line for the part with this key. An unknown key has no effect.',
      true,
    ),
    date_range: createDateRangeFilter(TRANSFER_ORDER),
  },
  search: ['{project_code.code}', tagSearch],
  order: { reference: ['{reference_int}', '{reference}'], project_code: ['{project_code.code}'], created_by: ['{created_by}'] },
  defaultOrder: ['-reference'],
  ...rules,
  async rules(write) {
    checkComplete(write)
    await rules.rules(write)
  },
  async beforeDelete({ tx, row }: Deletion) {
    if (row.status === TO_STATUS.COMPLETE.key) throw invalidObject(orderErrors.transfer_order_complete)
    await lockAllocatedStock(tx, 'order', [row.pk])
  },
})

/** An order inside another object, without the counts of its lines. */
export const transferOrderBrief = headerBrief(
  () => transferOrder,
  ['start_date', 'updated_at', 'take_from', 'destination', 'consume', 'issue_date', 'complete_date'],
  ['take_from_detail', 'destination_detail'],
)

/** A complete order keeps what it says of the stock that it moved. */
function checkComplete({ before, values, errors }: Write): void {
  if (before?.status !== TO_STATUS.COMPLETE.key) return
  for (const name of ['destination', 'consume'])
    if (values[name] !== undefined && values[name] !== before[name]) errors[name] = [orderErrors.transfer_order_complete]
}
