import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { texts } from '../../../kit/request/errors.ts'
import { add, compare, type Decimal, isZero } from '../../../kit/values/decimal.ts'
import { insertRow } from '../../../kit/writing/write.ts'
import { supplierPartFullDetail } from '../../company/part/supplier-part.resource.ts'
import { CURRENCIES, defaultCurrency } from '../../currency/rates.ts'
import { partBrief } from '../../part/part.resource.ts'
import { part } from '../../part/part.table.ts'
import { locationBrief } from '../../stock/location/stock-location.resource.ts'
import { lockOrdersOf } from '../po/lock-orders.ts'
import { purchaseOrderBrief } from '../po/po.resource.ts'
import { OPEN_STATES, PO_STATUS } from '../po/po-status.ts'
import { keepsTotals } from '../po/recompute-totals.ts'
import { computedDestination } from './destination.ts'
import { findMergeTarget, storeMerged } from './merge-line.ts'
import { purchaseOrderLine as table } from './po-line.table.ts'
import { readSupplierPrice } from './supplier-price.ts'

const complete = '{received} >= {quantity}'

/**
 * Lines of purchase orders: so many packs of a supplier part. They can be written whatever state the order is in.
 * (The reference description of orders and stock, sections 4, 6 and 7.)
 */
export const purchaseOrderLine = resource({
  path: '/api/order/po-line/',
  name: 'Purchase order line item',
  model: 'purchaseorderlineitem',
  table,
  access: roles('purchase_order'),
  bulkDelete: true,
  fields: {
    pk: f.pk(table.pk),
    /** Packs. */
    quantity: f.column(table.quantity, { required: true, min: 0, order: true }),
    reference: f.column(table.reference, { search: true, order: true }),
    notes: f.column(table.notes),
    order: f.ref(table.order, { required: true, filter: true, model: 'purchaseorder', address: '/api/order/po/' }),
    order_detail: f.nested(table.order, () => purchaseOrderBrief(), { flag: { name: 'order_detail' } }),
    /** Goods are still to come, and the expected day is over: the line's own, else (by WIRE_FORM) the order's. */
    overdue: f.computed(
      Type.Boolean(),
      `coalesce({received} < {quantity}
        and coalesce({target_date}, case when {@inherits}::boolean then {order.target_date} end) < current_date, false)`,
    ),
    part: f.ref(table.part, { filter: true, model: 'supplierpart', address: '/api/company/part/' }),
    part_detail: f.nested('{part.part}', () => partBrief(), { flag: { name: 'part_detail' } }),
    supplier_part_detail: f.nested(table.part, () => supplierPartFullDetail(), { flag: { name: 'part_detail' } }),
    received: f.readonly(table.received, {
      order: true,
      filter: { kind: 'boolean', sql: complete, otherwise: `{received} < {quantity} and {order.status} in ${OPEN_STATES}` },
    }),
    purchase_price: f.column(table.purchase_price, { order: true }),
    purchase_price_currency: f.column(table.purchase_price_currency, {
      label: 'Currency',
      choices: () => CURRENCIES,
      default: defaultCurrency,
    }),
    auto_pricing: f.writeOnly(input.boolean({ default: true }), { shown: 'true' }),
    destination: f.ref(table.destination, { model: 'stocklocation', address: '/api/stock/location/' }),
    destination_detail: f.nested(computedDestination, () => locationBrief()),
    target_date: f.column(table.target_date, { order: true }),
    /** In the currency of the price. Without a price it is 0, and null to existing clients (the table WIRE_FORM). */
    total_price: f.computed(
      Type.Union([Type.Number(), Type.Null()]),
      'trim_scale({quantity} * coalesce({purchase_price}, {@unpriced}::numeric))',
      {
        type: 'float',
        order: true,
      },
    ),
    link: f.column(table.link, { format: 'url' }),
    merge_items: f.writeOnly(input.boolean({ default: true }), { shown: 'true' }),
  },
  parameters: {
    inherits: ({ config }) => config.wireForm === 'specification',
    unpriced: ({ config }) => (config.wireForm === 'specification' ? 0 : null),
  },
  filters: {
    order_status: { kind: 'number', sql: '{order.status} = {@value}' },
    order_complete: { kind: 'boolean', sql: `{order.status} = ${PO_STATUS.COMPLETE.key}` },
    pending: { kind: 'boolean', sql: `{order.status} in ${OPEN_STATES}` },
    has_pricing: { kind: 'boolean', sql: '{purchase_price} is not null' },
    base_part: { kind: 'reference', table: () => part, where: '{purchaseable}', sql: '{part.part} = {@value}' },
  },
  search: ['{part.part.name}', '{part.part.description}', '{part.manufacturer_part.MPN}', '{part.SKU}'],
  order: {
    MPN: ['{part.manufacturer_part.MPN}'],
    part_name: ['{part.part.name}'],
    SKU: ['{part.SKU}'],
    order: ['{order.reference}'],
    complete_date: ['{order.complete_date}'],
  },
  completed: ({ services, body }) => (services.config.wireForm === 'inventree' ? { quantity: 1, ...body } : body),
  locksFirst: lockOrdersOf(table),
  async rules(write) {
    await checkOrderAndPart(write)
    checkForExistingClients(write)
    // a new line is priced when it is known whether it becomes part of another
    if (write.before && pricedAnew(write)) await setSupplierPrice(write)
  },
  async insert(write) {
    const { values } = write
    const merged = values.merge_items && values.part ? await findMergeTarget(write) : undefined
    if (!merged) {
      if (pricedAnew(write)) await setSupplierPrice(write)
      return insertRow(purchaseOrderLine, write)
    }
    const quantity = add(merged.quantity, values.quantity as Decimal)
    const currency = merged.purchase_price_currency
    const price = pricedAnew(write) ? await readSupplierPrice(write.tx, values.part as number, quantity, currency) : null
    await storeMerged(write, merged, quantity, price)
    return merged.pk
  },
  ...keepsTotals,
})

/** The part must be bought from the order's supplier. Locks the order of a new line. */
async function checkOrderAndPart({ tx, before, values, after, errors }: Write): Promise<void> {
  const order = after('order')
  const part = after('part')
  const changed = order !== before?.order || part !== before?.part
  if (!changed) return
  const found = await tx.first<{ order_supplier: number | null; part_supplier: number | null }>(
    `select supplier as order_supplier, (select supplier from supplier_part where pk = $2) as part_supplier
     from purchase_order where pk = $1 for no key update`,
    [order, part],
  )
  if (!found) {
    // it was deleted since the body was read
    errors.order = [texts.reference(values.order)]
  } else if (part !== null && found.part_supplier !== found.order_supplier) {
    errors.part = ['Supplier must match purchase order']
    errors.order = ['Purchase order must match supplier']
  }
}

/** What existing clients expect to be refused (the table WIRE_FORM). */
function checkForExistingClients({ config, before, values, errors }: Write): void {
  if (config.wireForm !== 'inventree') return
  const { purchase_price: price, quantity } = values as { purchase_price?: Decimal | null; quantity?: Decimal }
  if (price && compare(price, '0') < 0) errors.purchase_price = [texts.minValue(0)]
  if (quantity !== undefined && isZero(quantity)) errors.quantity = ['Quantity must be greater than zero']
  else if (!before && !values.part) errors.part = ['Supplier part must be specified']
}

/**
 * Whether a write takes the supplier's price, which then counts more than a price in the same request. A change that says
 * nothing of `auto_pricing` does when it is about the part or the quantity; otherwise the price stays as it was agreed.
 */
const pricedAnew = ({ values }: Write): boolean =>
  (values.auto_pricing as boolean | undefined) ?? (values.part !== undefined || values.quantity !== undefined)

/** Without price breaks the price stays as it was sent. */
async function setSupplierPrice({ tx, values, after }: Write): Promise<void> {
  const part = after('part') as number | null
  if (part === null) return
  const currency = after('purchase_price_currency') as string
  const price = await readSupplierPrice(tx, part, after('quantity') as Decimal, currency)
  if (price !== null) values.purchase_price = price
}
