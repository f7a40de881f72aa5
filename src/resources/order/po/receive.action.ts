import { type TSchema, Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { action, type Request } from '../../../kit/definition/action.ts'
import { readBoolean } from '../../../kit/definition/filter.ts'
import * as input from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { quantize } from '../../../kit/values/decimal.ts'
import { MARKDOWN_LENGTH } from '../../../kit/values/text.ts'
import { MAX_BATCH_CODE_LENGTH } from '../../../settings/batch-code-template.ts'
import { optionalBarcode } from '../../barcode/barcode-input.ts'
import { findDeliveryCodes } from '../../barcode/delivery-labels.ts'
import { itemsResponse, listCreated } from '../../stock/created-items.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { expectedNumber } from '../../stock/movement/expectations.ts'
import { withCustomStates } from '../../stock/read-status.ts'
import { STOCK_STATUS, STOCK_STATUS_CHOICES } from '../../stock/stock-status.ts'
import { purchaseOrderLine } from '../po-line/po-line.table.ts'
import { recordDelivery, undoable, undoIdSchema } from './delivery/record-receipt.ts'
import { receiveLines } from './receive-lines.ts'

/** Maximum number of entries per request. */
const MAX_ITEMS = 10_000

const location = { options: { model: 'stocklocation', api_url: '/api/stock/location/' }, nullable: true }

const item = {
  line_item: input.reference(() => purchaseOrderLine, {
    required: true,
    options: { model: 'purchaseorderlineitem', api_url: '/api/order/po-line/' },
    label: 'Line Item',
    help: 'The line of this order to receive. It needs a supplier part.',
  }),
  location: input.reference(() => stockLocation, {
    ...location,
    help: 'The destination, if no location is given for all; empty for the default of the line.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'The number of packs received, above zero, with up to 5 decimals. Stock counts the base units in them, which must be whole for a trackable part.',
  }),
  expected_received: expectedNumber(
    'The number of packs that the line is expected to have received so far. If it differs, nothing is received. Empty to skip the check.',
  ),
  batch_code: input.text({
    max: MAX_BATCH_CODE_LENGTH,
    default: '',
    label: 'Batch Code',
    help: 'The batch code; empty for none.',
  }),
  serial_numbers: input.text({
    multiline: true,
    default: '',
    label: 'Serial Numbers',
    help: 'One for each base unit, such as 101-105, A-001..A-010, W-905+, 7, 9, 12 or ~ for the next one; empty for none.',
  }),
  status: withCustomStates(
    input.choice<number>(() => STOCK_STATUS_CHOICES, {
      default: STOCK_STATUS.OK.key,
      help: 'The status, or a custom state, of the received stock; by default OK.',
    }),
  ),
  packaging: input.optional(input.text({ max: 50, blank: true, help: 'The packaging of the received stock; empty for none.' })),
  expiry_date: input.optional(
    input.date({ nullable: true, label: 'Expiry Date', help: 'The expiry date; empty for that by the shelf life of the part.' }),
  ),
  note: input.optional(
    input.text({ max: MARKDOWN_LENGTH, multiline: true, blank: true, help: 'The notes of the received stock; empty for none.' }),
  ),
  barcode: optionalBarcode({
    help: 'The barcode on the goods, with its separators, for a single stock item. It must not belong to another object or to an earlier delivery. Empty for none.',
  }),
}

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])

type Entry = input.ValuesOf<typeof item>

function toReceivedItems(items: readonly Entry[], destination: number | null, { wire }: Config) {
  const ignored = wire.ignoresNewerFields && !wire.extendedFields ? IGNORED_DETAILS : {}
  return items.map(({ barcode, location, ...entry }) => ({
    ...entry,
    ...ignored,
    location: location ?? destination,
    barcode: barcode || null,
  }))
}

const IGNORED_DETAILS = { expiry_date: undefined, packaging: undefined, note: undefined }

/** The destination of the order, where it precedes those of its lines (`orderDestinationFirst`); null where it does not. */
async function findOrderDestination({ raw, config, tx, pk }: Request<input.Shape> & { tx: Tx }): Promise<number | null> {
  if (!config.wire.orderDestinationFirst || 'location' in raw) return null
  const order = await tx.first<{ destination: number | null }>('select destination from purchase_order where pk = $1', [pk])
  return order?.destination ?? null
}

/** Converts an entry to its form in the response. */
const omitExpectation = <Item extends object>({ expected_received: _, ...item }: Item & { expected_received?: unknown }) => item

/** Rejects more than was ordered unless the body allows it (docs/decisions.md#over-receipt). */
export const receivePurchaseOrder = action({
  method: 'POST',
  path: '/api/order/po/{id}/receive/',
  summary: 'Receive items of a purchase order',
  description:
    'Receives goods of a placed order into stock: all entries of the request or none. Each entry of `items` creates one stock item, or one for each serial number, with an entry in its history, and counts as received on its line. A line can have several entries. The unit cost is the pack price of the line divided by the pack quantity. The goods go to `location`, otherwise to the location of the entry, otherwise to that of earlier deliveries of the same supplier part and order, otherwise to that of the line, otherwise to the default location of the part. When all lines are received in full, the order completes, unless the setting `PURCHASEORDER_AUTO_COMPLETE` is off.',
  errors: {
    invalid:
      'An entry is invalid, and `items` gives the error at its index; the quantity exceeds the outstanding quantity, without `allow_over_receipt`; no location is known; or the order is not placed.',
    expectation_failed:
      'The received quantity of a line differs from the expected one: `items` gives the actual quantity at its index.',
  },
  versioned: true,
  example: {
    params: { id: 12 },
    body: {
      items: [
        { line_item: 41, quantity: 5, batch_code: 'LR6-31-02' },
        { line_item: 43, quantity: 1 },
      ],
      location: null,
    },
  },
  access: roles('purchase_order'),
  body: {
    items: input.list(input.object(item), {
      required: true,
      max: MAX_ITEMS,
      help: 'The received items, up to 10,000 entries. A line can have several entries, for partial deliveries or several locations.',
    }),
    location: input.reference(() => stockLocation, {
      ...location,
      required: true,
      help: 'The destination of all items, regardless of the lines; empty for the default of each line.',
    }),
    allow_over_receipt: input.boolean({
      default: false,
      help: 'Whether to accept more than the quantity ordered, counting earlier receipts; otherwise that is rejected.',
    }),
    undoable,
  },
  query: {
    stock_items: 'Whether each entry of the response lists the `stock_items` that it created. Off by default.',
  },
  api530: { ...itemsResponse, defaults: { location: null } },
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        line_item: Type.Integer(),
        location: nullable(Type.Integer({ description: 'The destination location.' })),
        quantity: Type.String({ format: 'decimal', description: 'Packs.' }),
        batch_code: Type.String(),
        serial_numbers: Type.String(),
        status: Type.Integer(),
        barcode: nullable(Type.String()),
        packaging: Type.Optional(Type.String()),
        expiry_date: Type.Optional(nullable(Type.String({ format: 'date' }))),
        note: Type.Optional(Type.String()),
        stock_items: Type.Optional(
          Type.Array(Type.Integer(), {
            description:
              'The keys of the stock items that the entry created, in the order of their serial numbers; with `stock_items=true`.',
          }),
        ),
      }),
    ),
    location: nullable(Type.Integer()),
    allow_over_receipt: Type.Boolean(),
    delivery: undoIdSchema,
  }),
  // only plugins know the labels of individual suppliers
  prepare: findDeliveryCodes,
  async run(request) {
    const { body, prepared, query } = request
    const { wire } = request.config
    const destination = await findOrderDestination(request)
    const showsStock = readBoolean(query.stock_items ?? '') === true
    const { planned, createdItems } = await receiveLines(request, {
      items: toReceivedItems(body.items, destination, request.config),
      returnsKeys: showsStock || body.undoable === true || wire.changedResponses,
      location: body.location,
      allowOverReceipt: body.allow_over_receipt,
      deliveries: prepared,
    })
    const delivery = body.undoable ? { delivery: recordDelivery(request, planned, createdItems) } : {}
    if (wire.changedResponses) return listCreated(request, createdItems)
    const keys = [...createdItems]
    return {
      items: planned.map(({ item, location, stock }) => ({
        ...omitExpectation(item),
        // as the item names it, also where the location of the request decides: existing clients get it back
        location: item.location ?? location,
        quantity: quantize(item.quantity, 5),
        ...(showsStock ? { stock_items: keys.splice(0, stock.length) } : {}),
      })),
      location: body.location,
      allow_over_receipt: body.allow_over_receipt,
      ...delivery,
    }
  },
})
