import { Type } from 'typebox'
import { link, notes } from '../../../../kit/definition/common.ts'
import * as f from '../../../../kit/definition/field.ts'
import { isDeletion, resource, type Write } from '../../../../kit/definition/resource.ts'
import { tagFilters, tagSearch, tagsOnRequest } from '../../../../kit/definition/tags.ts'
import { constraintErrors } from '../../../../kit/request/request-errors.ts'
import { barcodeConstraints } from '../../../barcode/duplicate-code.ts'
import { addressDetail } from '../../../company/address/address.resource.ts'
import { companyBrief } from '../../../company/company.resource.ts'
import { duplicateField, insertDuplicate } from '../../../parameter/duplicate.ts'
import { parameterFilters, parameterOrders, parametersField } from '../../../parameter/parameter-list.ts'
import { locationParameters } from '../../../stock/location/stock-location.resource.ts'
import { userBrief } from '../../../user/user.resource.ts'
import { orderOfLine } from '../../line-fields.ts'
import { createOrderLock } from '../../lock-orders.ts'
import { orderErrors } from '../../order-errors.ts'
import { openStates } from '../../order-kind.ts'
import { lockAllocatedStock } from '../../so-allocation/release-allocations.ts'
import { allocationBrief } from '../../so-allocation/so-allocation.resource.ts'
import { salesOrderAllocation } from '../../so-allocation/so-allocation.table.ts'
import { salesOrderBrief } from '../so.resource.ts'
import { SALES_ORDER } from '../so-kind.ts'
import { salesOrderShipment as table } from './shipment.table.ts'

const lockOrders = createOrderLock(SALES_ORDER, table)

/** See docs/interface/orders.md#allocating-and-shipping. */
export const salesOrderShipment = resource({
  path: '/api/order/so/shipment/',
  name: 'Sales order shipment',
  description:
    'The stock of a sales order that ships together: a parcel or a delivery. Stock is allocated to it, and ships with it.',
  remarks: {
    update:
      'A shipment with allocated stock cannot change its order. Shipping sets its shipment date, which can be corrected later.',
    delete: 'Releases the stock allocated to it. Shipped stock remains with the customer.',
  },
  example: {
    pk: 3,
    create: { order: 2, reference: '2', tracking_number: '00340434161096' },
    replace: { order: 2, reference: '1', invoice_number: 'INV-0042' },
    change: { delivery_date: '2031-03-02' },
    deletable: 4,
  },
  model: 'salesordershipment',
  table,
  access: SALES_ORDER.access,
  fields: {
    pk: f.pk(table.pk),
    order: { ...orderOfLine(SALES_ORDER, table.order), help: 'The order of the shipment.' },
    order_detail: f.nested(table.order, () => salesOrderBrief(), { help: 'The order.' }),
    allocations: f.rows(salesOrderAllocation.shipment, () => allocationBrief(), {
      help: 'The stock to ship with it, or shipped with it.',
    }),
    allocated_items: f.extended(
      f.computed(Type.Integer(), '(select count(*) {from sales_order_allocation} a where a.shipment = {pk})', {
        label: 'Allocated Items',
        help: 'The number of its allocations.',
      }),
    ),
    customer_detail: f.nested('{order.customer}', () => companyBrief(), {
      flag: { name: 'customer_detail' },
      help: 'The customer.',
    }),
    shipment_date: f.column(table.shipment_date, {
      label: 'Shipment Date',
      help: 'The day on which it was shipped; empty before.',
    }),
    shipment_address: f.ref(table.shipment_address, {
      label: 'Address',
      model: 'address',
      apiUrl: '/api/company/address/',
      help: 'The address to which it ships, one of the customer; empty for that of the order.',
    }),
    shipment_address_detail: f.nested(table.shipment_address, addressDetail, {
      help: 'The address to which it ships, if it has one of its own.',
    }),
    delivery_date: f.column(table.delivery_date, {
      label: 'Delivery Date',
      help: 'The delivery date; empty if unknown.',
    }),
    checked_by: f.ref(table.checked_by, {
      label: 'Checked By',
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account that checked its contents; empty for none.',
    }),
    checked_by_detail: f.extended(f.nested(table.checked_by, () => userBrief(), { help: 'That account.' })),
    reference: f.column(table.reference, {
      blank: false,
      label: 'Shipment',
      help: 'The reference of the shipment, unique within its order; by default 1.',
    }),
    tracking_number: f.column(table.tracking_number, {
      label: 'Tracking Number',
      help: 'The tracking number of the carrier; may be empty.',
    }),
    invoice_number: f.column(table.invoice_number, {
      label: 'Invoice Number',
      help: 'The invoice number; may be empty.',
    }),
    link: link(table.link),
    barcode_hash: {
      ...f.column(table.barcode_hash, {
        label: 'Barcode Hash',
        help: 'The MD5 hash of the linked barcode, unique across all objects; empty without one.',
      }),
      isKeptOnPut: true,
    },
    notes: notes(table.notes),
    parameters: parametersField('sales_order_shipment'),
    duplicate: duplicateField('sales_order_shipment'),
    tags: tagsOnRequest(table.tags),
  },
  parameters: locationParameters,
  orderFamily: parameterOrders('sales_order_shipment'),
  filters: {
    ...parameterFilters('sales_order_shipment'),
    ...tagFilters,
    checked: { kind: 'boolean', sql: '{checked_by} is not null', help: 'Whether its contents were checked.' },
    order_outstanding: {
      kind: 'boolean',
      sql: `{order.status} in ${openStates(SALES_ORDER)}`,
      help: 'Whether its order is open.',
    },
    order_status: { kind: 'number', sql: '{order.status} = {@value}', help: 'Shipments of orders with this status.' },
    shipped: { kind: 'boolean', sql: '{shipment_date} is not null', help: 'Whether it was shipped.' },
    delivered: { kind: 'boolean', sql: '{delivery_date} is not null', help: 'Whether it was delivered.' },
  },
  searchMinApiVersion: 530,
  search: ['{order.reference}', '{order.customer.name}', '{reference}', '{tracking_number}', '{invoice_number}', tagSearch],
  order: {
    reference: ['{reference}'],
    delivery_date: ['{delivery_date}'],
    shipment_date: ['{shipment_date}'],
    allocated_items: ['(select count(*) {from sales_order_allocation} a where a.shipment = {pk})'],
  },
  constraints: {
    ...barcodeConstraints({ barcode_hash: [orderErrors.barcode_in_use] }),
    sales_order_shipment_order_reference_key: {
      non_field_errors: [constraintErrors.not_unique_together({ fields: ['order', 'reference'] })],
    },
  },
  async locksFirst(tx, pks, body) {
    await lockOrders(tx, pks, body)
    if (isDeletion(body)) await lockAllocatedStock(tx, 'shipment', pks)
  },
  async rules(write) {
    await checkAddress(write)
    await checkShipment(write)
    const { before, values, hidden } = write
    // when only the hash of a barcode is set, its text and decoded form are unknown
    if (values.barcode_hash !== undefined && values.barcode_hash !== (before?.barcode_hash ?? ''))
      Object.assign(hidden, { barcode_data: '', barcode_key: '' })
  },
  insert: insertDuplicate('sales_order_shipment', () => salesOrderShipment),
})

/** Checks that a new address is one of the customer of the order. */
async function checkAddress({ tx, before, after, errors }: Write): Promise<void> {
  const [address, order] = [after('shipment_address'), after('order')]
  if (address === null || (address === before?.shipment_address && order === before?.order)) return
  const isOfCustomer = await tx.first(
    'select from sales_order o join address a on a.company = o.customer where o.pk = $1 and a.pk = $2',
    [order, address],
  )
  if (!isOfCustomer) errors.shipment_address = [orderErrors.address_of_other_company]
}

/**
 * For a shipment with allocations, rejects a change of its order, and setting or clearing its date, by which allocated stock counts as
 * shipped: only shipping, which moves the stock, can do that.
 */
async function checkShipment({ tx, before, values, errors }: Write): Promise<void> {
  if (!before) return
  const { shipment_date: date, order } = values
  const changesShipped = date !== undefined && (date === null) !== (before.shipment_date === null)
  const changesOrder = order !== undefined && order !== before.order
  if (!changesShipped && !changesOrder) return
  if (!(await tx.first('select 1 from sales_order_allocation where shipment = $1 limit 1', [before.pk]))) return
  if (changesOrder) errors.order = [orderErrors.shipment_has_allocations]
  if (changesShipped)
    errors.shipment_date = [date === null ? orderErrors.shipment_stock_left : orderErrors.shipment_stock_leaves_when_shipped]
}
