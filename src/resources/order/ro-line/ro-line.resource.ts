import * as f from '../../../kit/definition/field.ts'
import { resource, type Write } from '../../../kit/definition/resource.ts'
import { constraintErrors } from '../../../kit/request/request-errors.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { currencyField } from '../../currency/currency-field.ts'
import { rejectNegativePrices } from '../../currency/price-rule.ts'
import { partBrief } from '../../part/part.resource.ts'
import { stockItemWithPart } from '../../stock/stock-item.resource.ts'
import { lineDiscount, lineFields, lineFilters, lineOrder, lineRules, lineTargetDate } from '../line-fields.ts'
import { orderErrors } from '../order-errors.ts'
import { showExtended } from '../order-kind.ts'
import { returnOrderBrief } from '../ro/ro.resource.ts'
import { RETURN_ORDER } from '../ro/ro-kind.ts'
import { returnOrderLine as table } from './ro-line.table.ts'
import { RO_LINE_STATUS_CHOICES } from './ro-line-status.ts'

const { completeBody: _, ...rules } = lineRules(RETURN_ORDER, table)

/** See docs/interface/orders.md#lines. */
export const returnOrderLine = resource({
  path: '/api/order/ro-line/',
  name: 'Return order line item',
  description:
    'A line of a return order: a returned stock item, how much of it is returned, and its outcome. Lines can be edited in every state of the order.',
  remarks: {
    create: 'The item appears only once in an order. The total of the order is updated.',
    update: 'The total of the order is updated.',
    delete: 'The total of the order is updated.',
  },
  example: {
    pk: 1,
    create: { order: 1, item: 44, outcome: 10, notes: 'Came along with the other' },
    replace: { order: 1, item: 52, outcome: 30, notes: 'The third key sticks' },
    change: { outcome: 30 },
    deletable: 2,
  },
  model: 'returnorderlineitem',
  table,
  access: RETURN_ORDER.access,
  bulkDelete: true,
  fields: {
    ...lineFields(RETURN_ORDER, table, () => returnOrderBrief()),
    item: f.ref(table.item, {
      required: true,
      filter: true,
      model: 'stockitem',
      apiUrl: '/api/stock/',
      help: 'The stock item that is returned, in whole or in part.',
    }),
    item_detail: f.nested(table.item, () => stockItemWithPart(), { flag: { name: 'item_detail', list: true, detail: true } }),
    part_detail: f.nested('{item.part}', () => partBrief(), { flag: { name: 'part_detail' }, help: 'The part of the item.' }),
    quantity: showExtended(
      RETURN_ORDER,
      f.column(table.quantity, {
        min: 0,
        order: true,
        api530: { metadata: { required: true } },
        help: 'The quantity returned, above zero and at most that of the item, in units of the part; 1 by default.',
      }),
    ),
    received_date: f.column(table.received_date, {
      order: true,
      label: 'Received Date',
      help: 'The day on which it was received; empty before. Receiving the item sets it, and moves the item as well.',
    }),
    outcome: f.column(table.outcome, {
      choices: () => RO_LINE_STATUS_CHOICES,
      default: 10,
      filter: true,
      help: 'The outcome for the item; pending by default.',
    }),
    price: f.column(table.price, {
      help: 'The charge, negative for a refund; empty for none, which adds nothing to the total.',
    }),
    price_currency: currencyField(table.price_currency, {
      help: 'The currency of the price. The total of the order is converted from it. The default is the default currency.',
    }),
    discount: lineDiscount(RETURN_ORDER, table.discount),
    reference: f.column(table.reference, {
      search: true,
      order: true,
      help: 'A reference within the order; may be empty.',
    }),
    notes: f.column(table.notes, { help: 'A note on the line, as plain text; may be empty.' }),
    target_date: lineTargetDate(table),
  },
  filters: {
    ...lineFilters(RETURN_ORDER),
    received: { kind: 'boolean', sql: '{received_date} is not null', help: 'Whether the item was received.' },
  },
  order: {
    ...lineOrder,
    part: ['{item.part.name}'],
    IPN: ['{item.part.IPN}'],
    stock: ['{item.quantity}', '{item.serial_int}', '{item.serial}'],
  },
  search: ['{item.serial}', '{item.part.name}', '{item.part.description}'],
  constraints: {
    return_order_line_order_item_key: { non_field_errors: [constraintErrors.not_unique_together({ fields: ['order', 'item'] })] },
  },
  ...rules,
  async rules(write) {
    const { config, values, errors } = write
    // existing clients expect a rejection (docs/configuration.md#wire-form)
    if (config.wire.strictLines) rejectNegativePrices(values, errors, 'price')
    await checkQuantity(write)
  },
})

/**
 * Checks a new quantity against that of the item, which may still change until it is received. A line whose item was received keeps a
 * quantity that the item had then.
 */
async function checkQuantity({ tx, before, after, errors }: Write): Promise<void> {
  const [itemPk, quantity] = [after('item'), (after('quantity') ?? '1') as Decimal]
  if (itemPk === before?.item && before && compare(quantity, before.quantity as Decimal) === 0) return
  const item = await tx.first<{ serial: string | null; quantity: Decimal }>(
    'select serial, quantity::text from stock_item where pk = $1',
    [itemPk],
  )
  if (!item) return
  if (compare(quantity, '0') <= 0) errors.quantity = [orderErrors.returned_quantity_must_be_positive]
  else if (item.serial && compare(quantity, '1') !== 0) errors.quantity = [orderErrors.returned_serialized_quantity_must_be_one]
  else if (compare(quantity, item.quantity) > 0)
    errors.quantity = [orderErrors.returned_quantity_exceeds_item({ available: normalize(item.quantity) })]
}
