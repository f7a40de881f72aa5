import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { type Deletion, type Resource, resource, type Write } from '../../../kit/definition/resource.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { setting } from '../../../settings/live.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { importedFilter } from '../../imported-filter.ts'
import { notify } from '../../notifications/notify.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../parameter/parameter-list.ts'
import { part } from '../../part/part.table.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import { customerFields, customerLists, requireCustomer } from '../customer.ts'
import { actionDate, orderBrief, orderFields } from '../order-fields.ts'
import { createDateRangeFilter, createPartFilter, orderFilters } from '../order-filters.ts'
import { showExtended } from '../order-kind.ts'
import { orderRules } from '../order-rules.ts'
import { salesOrder as table } from './so.table.ts'
import { SALES_ORDER } from './so-kind.ts'

const WRITE_REMARK = 'The reference must match the pattern in the settings, and the contact must belong to the customer.'

const rules = orderRules(SALES_ORDER, () => salesOrder)

/** See docs/interface/orders.md. */
export const salesOrder: Resource = resource({
  path: SALES_ORDER.path,
  name: 'Sales order',
  description:
    'An order of parts by a customer: pending, then in progress, and shipped once it is complete; or cancelled. Its lines, extra lines, shipments and stock allocations are resources of their own.',
  remarks: {
    list: 'Sorted by descending reference, unless `ordering` says otherwise.',
    create: `${WRITE_REMARK} With \`duplicate_order\` it gets copies of the lines of another order, with nothing allocated or shipped. With the setting \`SALESORDER_DEFAULT_SHIPMENT\` it is created with a shipment.`,
    update: `${WRITE_REMARK} The status cannot be changed here: issue, complete or cancel the order instead.`,
    delete:
      'Deletes its lines, extra lines, shipments and allocations as well, and releases the stock allocated to it. Shipped stock remains with the customer, without the order. If no customer is recorded for shipped stock, the order cannot be deleted, because that stock would count as in stock again.',
  },
  example: {
    pk: 2,
    create: {
      reference: 'SO-0006',
      customer: 12,
      description: 'Two more for the shop window',
      customer_reference: 'KO-318',
      target_date: '2031-03-14',
    },
    replace: { reference: 'SO-0002', customer: 12, description: 'Wrens for the spring fair', target_date: '2031-02-28' },
    change: { notes: 'They fetch it **themselves**.' },
    deletable: 5,
  },
  model: SALES_ORDER.model,
  table,
  formerFile: FORMER_FILES.salesOrders,
  access: SALES_ORDER.access,
  bulkUpdate: true,
  fields: {
    ...orderFields(SALES_ORDER),
    ...customerFields(table, 'ordered'),
    issue_date: showExtended(
      SALES_ORDER,
      actionDate(table.issue_date, 'Issue Date', 'The day on which it was issued; empty before.'),
    ),
    shipment_date: f.readonly(table.shipment_date, {
      order: true,
      label: 'Shipment Date',
      help: 'The day on which it was completed; null before.',
    }),
    shipments_count: f.extended(
      f.computed(Type.Integer(), `(select count(*) {from sales_order_shipment} s where s."order" = {pk})`, {
        label: 'Shipments',
        help: 'The number of its shipments.',
      }),
    ),
    completed_shipments_count: f.extended(
      f.computed(
        Type.Integer(),
        `(select count(*) {from sales_order_shipment} s where s."order" = {pk} and s.shipment_date is not null)`,
        {
          label: 'Completed Shipments',
          help: 'The number of its shipments that have shipped.',
        },
      ),
    ),
    allocated_lines: f.extended(
      f.computed(
        Type.Integer(),
        `(select count(*) {from sales_order_line} line where line."order" = {pk} and line.part is not null and line.quantity <= coalesce((
          select sum(allocation.quantity) {from sales_order_allocation} allocation where allocation.line = line.pk
        ), 0))`,
        { label: 'Allocated Lines', help: 'The number of its lines that are allocated in full.' },
      ),
    ),
    parameters: parametersField('sales_order'),
  },
  orderFamily: parameterOrders('sales_order'),
  filters: {
    ...importedFilter('salesorder'),
    ...parameterFilters('sales_order'),
    ...orderFilters(SALES_ORDER),
    part: createPartFilter(
      part,
      '{pk} in (select l."order" {from sales_order_line} l where l.part {parts})',
      'Orders with a line for the part with this key. An unknown key has no effect.',
      true,
    ),
    date_range: createDateRangeFilter(SALES_ORDER),
  },
  ...customerLists,
  ...rules,
  ...requireCustomer(rules),
  afterCreate: initializeOrder,
  beforeDelete: requireNoShippedStock,
})

/** An order inside another object, without the counts of its lines. */
export const salesOrderBrief = orderBrief(
  () => salesOrder,
  ['customer', 'customer_reference', 'issue_date', 'shipment_date'],
  [],
  ['shipments_count', 'completed_shipments_count', 'allocated_lines'],
)

async function initializeOrder(write: Write, pk: number): Promise<void> {
  if (write.after('responsible') !== null) await notify(write, 'new', 'salesorder', pk)
  if (setting(write, 'SALESORDER_DEFAULT_SHIPMENT'))
    await write.tx.query('insert into sales_order_shipment ("order") values ($1)', [pk])
}

/**
 * Rejects the deletion of an order whose shipped stock has no customer: without the order, that stock would count as in stock. The order is
 * locked, so that nothing ships concurrently.
 */
async function requireNoShippedStock({ tx, row }: Deletion): Promise<void> {
  const item = await tx.first<{ pk: number }>(
    'select pk from stock_item where sales_order = $1 and customer is null order by pk limit 1',
    [row.pk],
  )
  if (item) throw invalidObject(stockErrors.stock_item_left_with_order({ pk: item.pk }))
}
