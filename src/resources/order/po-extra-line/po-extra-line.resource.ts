import { link } from '../../../kit/definition/common.ts'
import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { texts } from '../../../kit/request/errors.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { lockOrdersOf } from '../po/lock-orders.ts'
import { orderOfLine, purchaseOrderBrief } from '../po/po.resource.ts'
import { keepsTotals } from '../po/recompute-totals.ts'
import { purchaseOrderExtraLine as table } from './po-extra-line.table.ts'

/** See the reference description of orders and stock, section 7. */
export const purchaseOrderExtraLine = resource({
  path: '/api/order/po-extra-line/',
  name: 'Purchase order extra line',
  description:
    'A line of a purchase order that is no part, such as freight or a discount. It counts in the total of the order, and not towards its completion. Extra lines can be written whatever state the order is in.',
  example: {
    pk: 8,
    create: { order: 15, description: 'Discount for the year', quantity: 1, price: '-12.50', price_currency: 'GBP' },
    replace: { order: 15, description: 'Delivery before ten', quantity: 1, price: '12.00', price_currency: 'GBP' },
    change: { notes: 'Ring at the green door' },
    deletable: 6,
  },
  model: 'purchaseorderextraline',
  table,
  access: roles('purchase_order'),
  fields: {
    pk: f.pk(table.pk),
    description: f.column(table.description, { search: true, help: 'What is paid for, or deducted; may be empty.' }),
    quantity: f.column(table.quantity, {
      required: true,
      search: true,
      order: true,
      help: 'How many times the price is paid; below zero it is deducted.',
    }),
    reference: f.column(table.reference, {
      search: true,
      order: true,
      help: 'What the line is called elsewhere, such as the number of a waybill; may be empty.',
    }),
    notes: f.column(table.notes, { search: true, help: 'A remark on the line, as plain text; may be empty.' }),
    context: f.column(table.context, { help: 'Any JSON value, for other programs; null for none.' }),
    order: orderOfLine(table.order),
    order_detail: f.nested(table.order, () => purchaseOrderBrief(), { flag: { name: 'order_detail' } }),
    price: f.column(table.price, {
      help: 'The price of one, in `price_currency`, below zero for a discount; null while it is not known, which adds nothing to the total.',
    }),
    price_currency: currencyField(table.price_currency, {
      help: 'The currency of the price. The total of the order converts it. By default the default currency.',
    }),
    link: link(table.link),
  },
  order: { note: ['{notes}'] },
  completed: ({ services, body }) => (services.config.wireForm === 'inventree' ? { quantity: 1, ...body } : body),
  locksFirst: lockOrdersOf(table),
  rules({ config, values, errors }) {
    const quantity = values.quantity as Decimal | undefined
    // for existing clients (the table WIRE_FORM); the specification sets no minimum
    if (config.wireForm === 'inventree' && quantity !== undefined && compare(quantity, '0') < 0)
      errors.quantity = [texts.minValue(0)]
  },
  ...keepsTotals,
})
