import { Type } from 'typebox'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { unknownReference } from '../../kit/request/errors.ts'
import { invalid, Problem } from '../../kit/request/problem.ts'
import { queryWithin, type RunQuery } from '../../kit/sql/run-query.ts'
import { isObject } from '../../kit/values/json.ts'
import { ErrorMessage } from '../../kit/values/message.ts'
import { company } from '../company/company.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { PO_STATUS } from '../order/po/po-status.ts'
import { purchaseOrderLine } from '../order/po-line/po-line.table.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { hashBarcode } from './barcode-hash.ts'
import { barcodeInput } from './barcode-input.ts'
import type { ScanOutcome } from './history/scan-row.ts'
import { recordReceipt } from './history/undo/receipt.ts'
import { operationAction } from './operation.ts'
import { chooseOrder, limitToSupplier } from './po-receive/find-order.ts'
import { stockItemKinds } from './po-receive/label-matches.ts'
import { type OrderLine, receiveLabel } from './po-receive/receive-labelled.ts'
import { ALREADY_RECEIVED, isDeliveryReceived } from './received-codes.ts'
import { buildReply, createScanProblem, getObjectUrls, toLabelFields } from './response.ts'
import { responseSchema } from './response-schema.ts'
import { findOwnCode, readLabels, readShortCode, SUPPLIER_PART_AMBIGUOUS } from './scan.ts'
import { findSupplierParts, identifiesProduct, lookUpLabels } from './supplier-part.ts'

/** A reference that is looked up together with the code, instead of separately beforehand. */
function deferredReference(...options: Parameters<typeof input.reference>): input.Input<number> {
  const kind = input.reference(...options)
  return { ...kind, read: (value, reading, fail) => kind.read(value, { ...reading, references: [] }, fail) }
}

/** Receives like a form does, with the same permissions and limits (docs/decisions.md#over-receipt). */
export const receiveByBarcode = operationAction({
  name: 'receive',
  path: '/api/barcode/po-receive/',
  summary: "Receive goods by the barcode on a supplier's label",
  description:
    "Receives the goods of a supplier label, as `/api/order/po/{id}/receive/` does, on the order line that waits for the supplier part of the label. A GS1 barcode works too: its GTIN is the SKU, MPN or IPN of a supplier part of the order's supplier, or is linked to one; batch, serial number, expiry date and count are stored with the stock. The quantity on a label counts packs. Without `purchase_order`, the numbers on the label find the order. The stock goes to `location`, otherwise to the destination of the line, otherwise to the default location of the part or its category, otherwise to the only location that exists. A label with the number of an order, a packing list, a logistic unit or a single article is received once: it is linked to the stock. Any other label can be received until the line is complete. If quantity, location or required serial numbers are missing, the response is 200 with `action_required`, and nothing is received.",
  errors: {
    invalid:
      'The label is already received, is not a supplier label, matches several supplier parts (`candidates`) or none (`labels` has its fields, to create the supplier part from), or no line waits for it (`error`); the receipt exceeds the ordered quantity without `allow_over_receipt`; the order is not placed, or the location is structural.',
  },
  example: { body: { barcode: '{on:BWC-78025,pc:BW-4003,qty:10}', purchase_order: null, location: 2 } },
  access: roles('purchase_order'),
  body: {
    barcode: barcodeInput,
    purchase_order: deferredReference(() => purchaseOrder, {
      nullable: true,
      options: { model: 'purchaseorder', api_url: '/api/order/po/' },
      label: 'Purchase order',
      help: 'The placed order of the goods; empty for the order on the label.',
    }),
    supplier: input.reference(() => company, {
      nullable: true,
      options: { model: 'company', api_url: '/api/company/' },
      label: 'Supplier',
      help: 'The company that delivers the goods; empty for the supplier on the label.',
    }),
    line_item: input.reference(() => purchaseOrderLine, {
      nullable: true,
      options: { model: 'purchaseorderlineitem', api_url: '/api/order/po-line/' },
      label: 'Line Item',
      help: 'The order line of the goods; empty for a line that waits for the supplier part of the label.',
    }),
    location: deferredReference(() => stockLocation, {
      nullable: true,
      options: { model: 'stocklocation', api_url: '/api/stock/location/' },
      help: 'The location for the goods; empty for the destination of the line or the default location of the part.',
    }),
    auto_allocate: input.boolean({
      default: true,
      label: 'Auto Allocate',
      help: 'Whether to receive the goods at once; otherwise only the order line, quantity and location are found.',
    }),
    allow_over_receipt: input.boolean({
      default: false,
      help: 'Whether to accept more than the quantity ordered, counting earlier receipts; otherwise that is rejected.',
    }),
    quantity: input.optional(
      input.quantity({
        round: false,
        help: 'The number of packs received, with up to 5 decimals; empty for the number on the label.',
      }),
    ),
    serial_numbers: input.text({
      multiline: true,
      default: '',
      label: 'Serial Numbers',
      help: 'One serial number for each base unit, such as 101-105, A-001..A-010, W-905+, 7, 9, 12 or ~ for the next one; empty for the serial number on the label, if any.',
    }),
    wait_for_serial_numbers: input.boolean({
      default: false,
      help: 'Whether serial numbers are required for a trackable part when the label has none.',
    }),
  },
  response: responseSchema({
    success: Type.Optional(Type.String({ description: 'A message that the goods are received.' })),
    action_required: Type.Optional(
      Type.String({ description: 'A message that nothing is received because more details are required.' }),
    ),
    lineitem: Type.Object({
      pk: Type.Integer({ description: 'The order line.' }),
      purchase_order: Type.Integer(),
      quantity: Type.Optional(Type.String({ format: 'decimal', description: 'The number of packs, if it is on the label.' })),
      location: Type.Optional(Type.Integer({ description: 'The location, if it is known.' })),
    }),
  }),
  prepare: async (request, code) => ({
    labels: await readLabels(request, code),
    short: await readShortCode(request, code, stockItemKinds),
  }),
  async run(request) {
    const { tx, prepared } = request
    const { barcode: text, supplier = null, location = null, allow_over_receipt, auto_allocate } = request.body
    const { quantity, serial_numbers, wait_for_serial_numbers } = request.body
    const read = queryWithin(tx)
    const line = await readLine(read, request.body.line_item ?? null)
    const purchase_order = request.body.purchase_order ?? line?.order ?? null
    const all = prepared.labels
      .filter(({ label }) => identifiesProduct(label))
      .map((entry) => (supplier === null ? entry : { ...entry, label: { ...entry.label, supplier } }))
    const { labels, ...requestTarget } = await lookUpLabels(request, all, { order: purchase_order, location, run: read })
    const errors = {
      ...(purchase_order !== null && requestTarget.order === null && { purchase_order: [unknownReference(purchase_order)] }),
      ...(requestTarget.order && requestTarget.order.status !== PO_STATUS.PLACED.key && { purchase_order: [NOT_PLACED] }),
      ...(line && line.order !== purchase_order && { line_item: [barcodeErrors.barcode_line_of_other_purchase_order] }),
      ...(location !== null && requestTarget.isStructural === null && { location: [unknownReference(location)] }),
      ...(requestTarget.isStructural && { location: [barcodeErrors.barcode_structural_location] }),
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const scanFields = { barcode_data: text, barcode_hash: hashBarcode(text) }
    const findItem = () => findOwnCode(request, read, text, stockItemKinds, prepared.short)
    // other matches of the code are looked up while receiving, and below if nothing can be received
    if (prepared.short && (await findItem())) throw createScanProblem(request, ALREADY_RECEIVED, scanFields)

    let firstProblem: Problem | undefined
    for (const resolvedLabel of labels) {
      const { plugin } = resolvedLabel
      const refuse = (error: ErrorMessage, more: Record<string, unknown> = {}) =>
        createScanProblem(request, error, { ...more, ...scanFields, plugin })
      const targetOrder =
        requestTarget.order && purchase_order !== null
          ? { pk: purchase_order, ...requestTarget.order }
          : chooseOrder(resolvedLabel)
      const labelOfOrder = ErrorMessage.is(targetOrder) ? resolvedLabel : limitToSupplier(resolvedLabel, targetOrder.supplier)
      if (!ErrorMessage.is(targetOrder) && labelOfOrder.supplierName && labelOfOrder.label.supplier !== targetOrder.supplier) {
        firstProblem ??= refuse(
          barcodeErrors.label_of_other_supplier({
            label_supplier: labelOfOrder.supplierName,
            order_supplier: targetOrder.supplier_name ?? '-',
          }),
        )
        continue
      }
      const parts = await findSupplierParts(read, labelOfOrder, ErrorMessage.is(targetOrder) ? undefined : targetOrder.pk)
      const [supplierPart] = parts
      if (supplierPart === undefined) {
        if (labelOfOrder.conflict) firstProblem ??= refuse(labelOfOrder.conflict)
        continue
      }
      if (parts.length > 1) {
        const candidates = parts.map((pk) => ({ kind: 'supplierpart', ...getObjectUrls({ kind: 'supplierpart', pk }) }))
        firstProblem ??= refuse(SUPPLIER_PART_AMBIGUOUS, { candidates })
        continue
      }
      if (ErrorMessage.is(targetOrder)) {
        firstProblem ??= refuse(targetOrder)
        continue
      }
      const { label } = labelOfOrder
      const order = targetOrder.pk
      const delivery = {
        text,
        label,
        supplierPart,
        order,
        line,
        location,
        isReceiving: auto_allocate,
        allowOverReceipt: allow_over_receipt,
        quantity,
        serialNumbers: serial_numbers,
        waitsForSerialNumbers: wait_for_serial_numbers,
      }
      let canTryNext = false
      const receive = async (): Promise<ScanOutcome> => {
        const outcome = await receiveLabel(request, delivery)
        canTryNext = 'error' in outcome
        if ('error' in outcome) throw refuse(outcome.error)
        const { lineitem, receipt } = outcome
        const result = { ...scanFields, plugin, lineitem }
        const orderObject = { kind: 'purchaseorder', pk: order }
        if (!receipt) {
          const action_required = barcodeErrors.receipt_incomplete
          return { reply: buildReply(request, { ...result, action_required }, { status: 200 }), objects: [orderObject] }
        }
        const reply = buildReply(request, { ...result, success: 'Received purchase order line item' })
        return {
          reply,
          objects: [...receipt.items.map((pk) => ({ kind: 'stockitem', pk })), orderObject],
          undo: await recordReceipt(tx, receipt),
        }
      }
      try {
        // the next label may mean another order: the savepoint releases the locks of this one
        return labels.length > 1 ? await tx.savepoint(receive) : await receive()
      } catch (error) {
        // another plugin's reading of the label may still fit
        if (canTryNext) firstProblem ??= error as Problem
        else throw toScanProblem(error, refuse)
      }
    }
    if ((await findItem()) || (await isDeliveryReceived(read, text)))
      throw createScanProblem(request, ALREADY_RECEIVED, scanFields)
    throw (
      firstProblem ??
      createScanProblem(request, barcodeErrors.barcode_without_supplier_part, {
        ...scanFields,
        plugin: null,
        ...toLabelFields({ labels }),
      })
    )
  },
})

/** Reads the order line that a request states; undefined without one. */
async function readLine(read: RunQuery, pk: number | null): Promise<OrderLine | undefined> {
  if (pk === null) return undefined
  const [line] = await read<OrderLine>('select pk, "order", part from purchase_order_line where pk = $1', [pk])
  return line
}

const NOT_PLACED = barcodeErrors.barcode_purchase_order_not_placed

/** Turns an error that the receive operation reports for its only item into the error of a scan; returns any other error unchanged. */
function toScanProblem(error: unknown, refuse: (error: ErrorMessage) => Problem): unknown {
  const items = error instanceof Problem && isObject(error.body) ? error.body.items : undefined
  const [firstError] = Array.isArray(items) ? Object.values(items[0] as Record<string, ErrorMessage[]>).flat() : []
  return firstError === undefined ? error : refuse(firstError)
}
