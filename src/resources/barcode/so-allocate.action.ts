import { Type } from 'typebox'
import * as input from '../../kit/definition/input.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { SALES_ORDER } from '../order/so/so-kind.ts'
import { salesOrderLine } from '../order/so-line/so-line.table.ts'
import { checkExpiryInput } from '../stock/usable-stock.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { barcodeInput } from './barcode-input.ts'
import { operationAction } from './operation.ts'
import { buildReply, toScanFields } from './response.ts'
import { responseSchema } from './response-schema.ts'
import { requireStockItem, scan } from './scan.ts'
import { allocateScanned } from './so-allocate/allocate-scanned.ts'

/** Requires the permissions of allocating without a barcode (docs/decisions.md#permissions-for-scanning). */
export const allocateByBarcode = operationAction({
  name: 'allocate',
  path: '/api/barcode/so-allocate/',
  summary: 'Allocate stock to a sales order by barcode',
  description:
    'Allocates the stock item of a barcode to a pending or issued sales order, as `/api/order/so/{id}/allocate/` does. Without `line`, it is allocated to the only line that is short of its part or of a template of its part; without `shipment`, to the only shipment that is not shipped; without `quantity`, as much as the line is short of and the item has available. For a serialized item the quantity is always 1.',
  errors: {
    invalid:
      'The barcode does not belong to a stock item; the item is of another part than the line, is not in stock, has less available, or is expired with `check_expiry`; the line is short of less; the line or the shipment belongs to another order, or is shipped (`error`); or several lines or shipments match, or none (`action_required`, `candidates`).',
    wrong_state: 'The order was closed at the same time.',
  },
  example: { body: { barcode: '{"stockitem": 46}', sales_order: 2, line: 3, shipment: 3, quantity: 1 } },
  access: SALES_ORDER.access,
  body: {
    barcode: barcodeInput,
    sales_order: input.reference(() => salesOrder, {
      required: true,
      options: { model: 'salesorder', api_url: '/api/order/so/' },
      label: 'Sales order',
      help: 'The order to which stock is allocated.',
    }),
    line: input.reference(() => salesOrderLine, {
      nullable: true,
      options: { model: 'salesorderlineitem', api_url: '/api/order/so-line/' },
      help: 'The order line; empty for the only one that matches.',
    }),
    shipment: input.reference(() => salesOrderShipment, {
      nullable: true,
      options: { model: 'salesordershipment', api_url: '/api/order/so/shipment/' },
      help: 'The shipment of the order; empty for the only one that is not shipped.',
    }),
    quantity: input.optional(
      input.integer({ min: 1, help: 'The quantity to allocate, in units of the part; empty for as much as possible.' }),
    ),
    check_expiry: checkExpiryInput('sale'),
  },
  response: responseSchema({
    stock_item: Type.Optional(Type.Integer()),
    part: Type.Optional(Type.Integer({ description: 'The part of the stock item.' })),
    line_item: Type.Optional(Type.Integer({ description: 'The line to which it is allocated.' })),
    allocation: Type.Optional(
      Type.Object(
        {
          sales_order: Type.Optional(Type.Integer()),
          shipment: Type.Optional(Type.Integer({ description: 'The shipment.' })),
          quantity: Type.Optional(
            Type.Union([Type.Integer(), Type.String({ format: 'decimal' })], {
              description: 'In units of the part: a number as it was sent, or a text as it was calculated.',
            }),
          ),
        },
        { description: 'The allocation, under names that are also fields of the request.' },
      ),
    ),
  }),
  prepare: scan,
  async run(request) {
    const { tx, prepared } = request
    const { sales_order, line = null, shipment = null, quantity, check_expiry: checkExpiry } = request.body
    await checkOrderAndShipment(tx, sales_order, shipment)
    const item = requireStockItem(request, prepared)
    const allocationRequest = { item, line, shipment, quantity, checkExpiry, scanFields: toScanFields(prepared) }
    const { allocation, undo } = await allocateScanned({ ...request, pk: sales_order, ifMatch: undefined }, allocationRequest)
    const result = { ...allocation, success: 'Stock item allocated to sales order' }
    return {
      reply: buildReply(request, result, { nestedKey: 'allocation' }),
      objects: [
        { kind: 'stockitem', pk: item },
        { kind: 'salesorder', pk: sales_order },
      ],
      undo,
    }
  },
})

/** Rejects a closed order, and a shipment that has been shipped. @throws Problem 400 */
async function checkOrderAndShipment(tx: Tx, order: number, shipment: number | null): Promise<void> {
  const row = await tx.first<{ status: number; is_shipped: boolean | null }>(
    `select status, (
        select shipment_date is not null or delivery_date is not null from sales_order_shipment where pk = $2
      ) as is_shipped from sales_order where pk = $1`,
    [order, shipment],
  )
  const errors = {
    ...(!SALES_ORDER.states.open.includes(row?.status ?? 0) && {
      sales_order: [barcodeErrors.barcode_sales_order_closed],
    }),
    ...(row?.is_shipped && { shipment: [barcodeErrors.barcode_shipment_delivered] }),
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
