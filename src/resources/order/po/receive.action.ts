import { type TSchema, Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { quantize } from '../../../kit/values/decimal.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { MAX_BATCH_CODE_LENGTH } from '../../stock/serial/batch-code.ts'
import { STOCK_STATUS, STOCK_STATUS_CHOICES } from '../../stock/stock-status.ts'
import { purchaseOrderLine } from '../po-line/po-line.table.ts'
import { receiveLines } from './receive-lines.ts'

/** The most entries of one request. */
const MAX_ITEMS = 10_000

/** The most characters of a barcode's text, as a stock item holds it. */
const MAX_BARCODE_LENGTH = 500

const location = { options: { model: 'stocklocation', api_url: '/api/stock/location/' }, nullable: true }

const item = {
  line_item: input.reference(() => purchaseOrderLine, {
    required: true,
    options: { model: 'purchaseorderlineitem', api_url: '/api/order/po-line/' },
  }),
  location: input.reference(() => stockLocation, location),
  /** Packs. */
  quantity: input.decimal({ digits: 15, places: 5, min: 0, form: 'number', required: true }),
  batch_code: input.text({ max: MAX_BATCH_CODE_LENGTH, default: '' }),
  serial_numbers: input.text({ multiline: true, default: '' }),
  status: input.choice<number>(() => STOCK_STATUS_CHOICES, { default: STOCK_STATUS.OK.key }),
  barcode: input.text({ nullable: true, max: MAX_BARCODE_LENGTH, default: '' }),
}

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

/**
 * Goods of a placed order come in. Each entry makes stock of one line: one item, or one for each serial number. The same
 * line may be there several times. `location` of the request goes before that of an entry, which goes before the line's
 * own destination. More than was ordered is refused unless `allow_over_receipt` is true (decision 21). All or nothing.
 * (The reference description of orders and stock, section 3.)
 */
export const receivePurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/receive/',
  summary: 'Receive goods of a placed purchase order into stock',
  access: roles('purchase_order'),
  body: {
    items: input.list(input.object(item), { required: true, max: MAX_ITEMS }),
    location: input.reference(() => stockLocation, { ...location, required: true }),
    allow_over_receipt: input.boolean({ default: false }),
  },
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        line_item: Type.Integer(),
        location: nullable(Type.Integer()),
        quantity: Type.String({ format: 'decimal' }),
        batch_code: Type.String(),
        serial_numbers: Type.String(),
        status: Type.Integer(),
        barcode: nullable(Type.String()),
      }),
    ),
    location: nullable(Type.Integer()),
    allow_over_receipt: Type.Boolean(),
  }),
  async run(request) {
    const { body } = request
    const received = await receiveLines(request, {
      items: body.items.map(({ barcode, location, ...entry }) => ({
        ...entry,
        location: location ?? null,
        barcode: barcode || null,
      })),
      location: body.location,
      allowOverReceipt: body.allow_over_receipt,
    })
    return {
      items: received.map(({ item, location }) => ({
        ...item,
        location: item.location ?? location,
        quantity: quantize(item.quantity, 5),
      })),
      location: body.location,
      allow_over_receipt: body.allow_over_receipt,
    }
  },
})
