import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import { isDeletion, resource, type Write } from '../../../kit/definition/resource.ts'
import { companyBrief } from '../../company/company.resource.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { rejectNegativePrices } from '../../currency/price-rule.ts'
import { FORMER_FILES } from '../../former-files.ts'
import { partBrief } from '../../part/part.resource.ts'
import { ONLY_PARTS } from '../../part/part-flags.ts'
import { flawedStock } from '../../stock/inconsistent-stock.ts'
import { locationParameters } from '../../stock/location/stock-location.resource.ts'
import { availableOfPart, quantityInProduction, selectAvailableVariants } from '../available-quantities.ts'
import { lineDiscount, lineFields, lineFilters, lineOrder, lineRules, lineTargetDate, orderComplete } from '../line-fields.ts'
import { orderErrors } from '../order-errors.ts'
import { openStates } from '../order-kind.ts'
import { salesOrderBrief } from '../so/so.resource.ts'
import { SALES_ORDER } from '../so/so-kind.ts'
import { lockAllocatedStock } from '../so-allocation/release-allocations.ts'
import { allocationBrief } from '../so-allocation/so-allocation.resource.ts'
import { salesOrderAllocation } from '../so-allocation/so-allocation.table.ts'
import { salesOrderLine as table } from './so-line.table.ts'

const IS_SHIPPED_IN_FULL = '{shipped} >= {quantity}'

const allocated =
  'coalesce((select sum(allocation.quantity) {from sales_order_allocation} allocation where allocation.line = {pk}), 0)'

const availableVariants = selectAvailableVariants('variant.salable and variant.active')

const rules = lineRules(SALES_ORDER, table)

/** See docs/interface/orders.md#lines. */
export const salesOrderLine = resource({
  path: '/api/order/so-line/',
  name: 'Sales order line item',
  description:
    'A line of a sales order: a quantity of a part. Stock is allocated to it and ships with a shipment. Lines can be edited in every state of the order.',
  remarks: {
    create: 'The total of the order is updated.',
    update: 'The total of the order is updated. A line with allocated or shipped stock cannot change its order or its part.',
    delete: 'Releases the stock allocated to it. The total of the order is updated.',
  },
  example: {
    pk: 3,
    create: { order: 2, part: 42, quantity: 4, reference: 'Walnut', sale_price: '245', sale_price_currency: 'EUR' },
    change: { notes: 'In the blue box' },
    deletable: 5,
  },
  model: 'salesorderlineitem',
  table,
  formerFile: FORMER_FILES.salesOrderLines,
  access: SALES_ORDER.access,
  bulkDelete: true,
  fields: {
    ...lineFields(SALES_ORDER, table, () => salesOrderBrief()),
    allocated: f.computed(Type.Number(), `trim_scale(${allocated})`, {
      filter: {
        kind: 'boolean',
        sql: `${allocated} >= {quantity}`,
        help: 'Whether its full quantity is allocated or shipped.',
      },
      help: 'The quantity allocated to it, including the quantity already shipped, in units of the part.',
    }),
    allocations: f.rows(salesOrderAllocation.line, () => allocationBrief(), {
      flag: { name: 'allocations', afterWrites: false },
      help: 'The stock allocated to it and the stock shipped.',
    }),
    available_stock: f.computed(Type.Number(), `trim_scale(${availableOfPart})`, {
      help: 'The quantity of the part in stock that is not allocated to any order.',
    }),
    available_variant_stock: f.computed(Type.Number(), `trim_scale(${availableVariants})`, {
      help: 'The same for its active, salable variants.',
    }),
    building: f.extended(
      f.computed(Type.Number(), `trim_scale(${quantityInProduction})`, {
        label: 'In Production',
        help: 'The quantity of the part in production: outputs of open build orders.',
      }),
    ),
    on_order: f.extended(
      f.computed(Type.Number(), 'trim_scale(coalesce({part.part_quantity.ordering}, 0))', {
        label: 'On Order',
        help: 'The quantity of the part on order.',
      }),
    ),
    flawed_stock: flawedStock({
      parts: `(
        select variant.pk {from part} variant where variant.path @> array[{part}] and (variant.pk = {part} or variant.salable and variant.active)
      )`,
    }),
    customer_detail: f.nested('{order.customer}', () => companyBrief(), {
      flag: { name: 'customer_detail' },
      help: 'The customer.',
    }),
    quantity: f.column(table.quantity, {
      required: true,
      min: 0,
      search: true,
      order: true,
      help: 'The quantity ordered, in units of the part.',
    }),
    reference: f.column(table.reference, {
      search: true,
      order: true,
      help: 'A reference within the order; may be empty.',
    }),
    notes: f.column(table.notes, { help: 'A note on the line, as plain text; may be empty.' }),
    // WIRE_FORM decides whether the order's date counts
    overdue: f.computed(
      Type.Boolean(),
      `coalesce({shipped} < {quantity} and {order.status} in ${openStates(SALES_ORDER)}
        and coalesce({target_date}, case when {@inherits}::boolean then {order.target_date} end) < current_date, false)`,
      { help: 'Whether a quantity is still to be shipped after the target date of the line, otherwise of the open order.' },
    ),
    part: f.ref(table.part, {
      filter: true,
      only: ONLY_PARTS.sold,
      filters: { salable: true, virtual: false },
      model: 'part',
      apiUrl: '/api/part/',
      help: 'The part ordered, salable and not virtual; empty for none. Only a line with a part can have stock allocated.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' } }),
    sale_price: f.column(table.sale_price, {
      order: true,
      api530: { metadata: { label: 'Sale Price' } },
      help: 'The price of one unit of the part; empty if unknown, which adds nothing to the total.',
    }),
    sale_price_currency: currencyField(table.sale_price_currency, {
      help: 'The currency of the price. The total of the order is converted from it. The default is the default currency.',
    }),
    discount: lineDiscount(SALES_ORDER, table.discount),
    shipped: f.readonly(table.shipped, {
      order: true,
      help: 'The quantity shipped, in units of the part. Only shipping changes it.',
    }),
    target_date: lineTargetDate(table),
  },
  parameters: { inherits: ({ config }) => !config.wire.ownTargetDateOnly, ...locationParameters },
  filters: {
    ...lineFilters(SALES_ORDER),
    order_complete: orderComplete(SALES_ORDER),
    completed: { kind: 'boolean', sql: IS_SHIPPED_IN_FULL, help: 'Whether its full quantity is shipped.' },
    available: {
      kind: 'boolean',
      sql: `({part} is null or {quantity} <= greatest(${allocated}, {shipped})
        + greatest(${availableOfPart} + ${availableVariants}, 0))`,
      help: 'Whether available stock, allocated stock and shipped quantity cover the quantity ordered. A line without a part is never short.',
    },
  },
  search: ['{part.name}'],
  order: {
    ...lineOrder,
    customer: ['{order.customer.name}'],
    order: ['{order.reference}'],
    part: ['{part.name}'],
    IPN: ['{part.IPN}'],
    status: ['{order.status}'],
    shipment_date: ['{order.shipment_date}'],
    allocated: [allocated],
    part__name: ['{part.name}'],
  },
  ...rules,
  async locksFirst(tx, pks, body) {
    await rules.locksFirst(tx, pks, body)
    if (isDeletion(body)) await lockAllocatedStock(tx, 'line', pks)
  },
  async rules(write) {
    checkForExistingClients(write)
    await checkAllocated(write)
  },
})

/** Rejects values that existing clients expect to be rejected (docs/configuration.md#wire-form). */
function checkForExistingClients({ config, before, values, errors }: Write): void {
  if (!config.wire.strictLines) return
  rejectNegativePrices(values, errors, 'sale_price')
  if (!before && !values.part) errors.part = [orderErrors.line_part_required]
}

/** Rejects a change of the order or part of a line with allocated or shipped stock. */
async function checkAllocated({ tx, before, values, errors }: Write): Promise<void> {
  const changed = ['order', 'part'].filter((name) => before && values[name] !== undefined && values[name] !== before[name])
  if (changed.length === 0) return
  if (!(await tx.first('select 1 from sales_order_allocation where line = $1 limit 1', [before?.pk]))) return
  for (const name of changed) errors[name] = [orderErrors.line_has_allocations]
}
