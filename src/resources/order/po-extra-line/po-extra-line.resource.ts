import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { roles } from '../../../kit/request/caller.ts'
import { texts } from '../../../kit/request/errors.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { CURRENCIES, defaultCurrency } from '../../currency/rates.ts'
import { lockOrdersOf } from '../po/lock-orders.ts'
import { purchaseOrderBrief } from '../po/po.resource.ts'
import { keepsTotals } from '../po/recompute-totals.ts'
import { purchaseOrderExtraLine as table } from './po-extra-line.table.ts'

/**
 * Lines of purchase orders that are no parts, such as freight or a discount. They count in the order's total, and not
 * towards its completion. (The reference description of orders and stock, section 7.)
 */
export const purchaseOrderExtraLine = resource({
  path: '/api/order/po-extra-line/',
  name: 'Purchase order extra line',
  model: 'purchaseorderextraline',
  table,
  access: roles('purchase_order'),
  fields: {
    pk: f.pk(table.pk),
    description: f.column(table.description, { search: true }),
    quantity: f.column(table.quantity, { required: true, search: true, order: true }),
    reference: f.column(table.reference, { search: true, order: true }),
    notes: f.column(table.notes, { search: true }),
    context: f.column(table.context),
    order: f.ref(table.order, { required: true, filter: true, model: 'purchaseorder', address: '/api/order/po/' }),
    order_detail: f.nested(table.order, () => purchaseOrderBrief(), { flag: { name: 'order_detail' } }),
    price: f.column(table.price),
    price_currency: f.column(table.price_currency, { label: 'Currency', choices: () => CURRENCIES, default: defaultCurrency }),
    link: f.column(table.link, { format: 'url' }),
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
