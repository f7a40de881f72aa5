import type { Caller } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, multiply, normalize } from '../../../kit/values/decimal.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import type { SupplierLabel } from '../../../plugin-api/index.ts'
import { PO_STATUS } from '../../order/po/po-status.ts'
import { receiveLines } from '../../order/po/receive-lines.ts'
import { lineReferencesStatement, parseReferences } from '../../stock/stock-item-rules.ts'
import { STOCK_STATUS } from '../../stock/stock-status.ts'
import { getUnitRegistry } from '../../units/unit-registry.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import type { Receipt } from '../history/undo/receipt.ts'
import { ALREADY_RECEIVED, insertDelivery } from '../received-codes.ts'
import { convertMeasureToPacks, identifiesDelivery, readGoods } from './label-goods.ts'
import { lockLabelOrder } from './label-matches.ts'
import { chooseLine, findLocation } from './pending-line.ts'

/** A purchase order line with its order and supplier part. */
export type OrderLine = { pk: number; order: number; part: number | null }

/** A label with known supplier part and order. */
export type LabelledDelivery = {
  /** The code, trimmed. */
  text: string
  label: SupplierLabel
  supplierPart: number
  order: number
  /** The order line, with its supplier part, if the request states one. */
  line?: OrderLine
  /** Location of the goods; null for that of the line, or the default location of the part. */
  location: number | null
  /** Whether the goods are received; otherwise only the line, quantity and location are found. */
  isReceiving: boolean
  allowOverReceipt: boolean
  /** Packs, overriding the label. */
  quantity?: Decimal
  /** Serial numbers as a user types them; empty to use the one on the label. */
  serialNumbers: string
  /** Whether goods of a trackable part need serial numbers before they are received. */
  waitsForSerialNumbers: boolean
}

/** The line that was received, or would be; unknown values are absent. */
export type LineItem = { pk: number; purchase_order: number; quantity?: Decimal; location?: number }

/** Result for a label: goods were received, or not yet because more input is needed; or the error. */
export type Outcome = { lineitem: LineItem; receipt?: Receipt } | { error: ErrorMessage }

type Context = Services & { tx: Tx; caller: Caller }

/**
 * Receives the goods of a label with the receive operation of the order. The order is locked before its lines are read, and the code of a
 * delivery is recorded with its new stock, so that concurrent scans of the same label count once.
 * @throws Problem 400 for what the receive operation rejects
 */
export async function receiveLabel(context: Context, delivery: LabelledDelivery): Promise<Outcome> {
  const { tx } = context
  const { text, label, order: pk } = delivery
  const lockedLabel = await lockLabelOrder(tx, delivery)
  const { order } = lockedLabel
  if (lockedLabel.isReceived) return { error: ALREADY_RECEIVED }
  if (order.status !== PO_STATUS.PLACED.key) return { error: barcodeErrors.barcode_purchase_order_not_placed }
  if (label.supplier !== undefined && label.supplier !== order.supplier)
    return { error: barcodeErrors.barcode_purchase_order_of_other_supplier }
  const goods = readGoods(label)
  if (ErrorMessage.is(goods)) return { error: goods }
  const [firstLine] = lockedLabel.lines
  const measuredPacks =
    label.net_measure && firstLine ? convertMeasureToPacks(label, firstLine, await getUnitRegistry(tx)) : undefined
  const { quantity = measuredPacks ?? goods.quantity, serialNumbers } = delivery
  const { quantity: _, ...itemFields } = goods
  if (delivery.line && delivery.line.part !== delivery.supplierPart) return { error: barcodeErrors.barcode_line_of_other_part }
  const line = delivery.line
    ? lockedLabel.lines.find(({ pk }) => pk === delivery.line?.pk)
    : chooseLine(lockedLabel.lines, quantity)
  if (!line) return { error: barcodeErrors.barcode_line_not_pending }
  const location = delivery.location ?? (await findLocation(tx, line.pk))
  const lineitem: LineItem = {
    pk: line.pk,
    purchase_order: pk,
    ...(quantity === undefined ? {} : { quantity: normalize(quantity) }),
    ...(typeof location === 'number' ? { location } : {}),
  }
  if (!delivery.isReceiving || quantity === undefined || location === 'undecided') return { lineitem }
  const isSingle = compare(multiply(quantity, line.pack_quantity ?? '1'), '1') === 0
  const hasSerialNumbers = serialNumbers !== '' || (itemFields.serial !== undefined && isSingle)
  if (delivery.waitsForSerialNumbers && line.trackable && !hasSerialNumbers) return { lineitem }

  const isDelivery = identifiesDelivery(label)
  const rows = await tx.pipeline(...(isDelivery ? [insertDelivery(text)] : []), lineReferencesStatement([line.pk], [location]))
  if (isDelivery && rows[0]?.length === 0) return { error: ALREADY_RECEIVED }
  // a linked code stays linked, and the code of a product is on all of its items
  const isForOneItem = serialNumbers === '' || isSingle
  const barcode = isDelivery && !lockedLabel.isKnown && isForOneItem ? text : null
  const item = {
    ...itemFields,
    line_item: line.pk,
    quantity,
    location,
    status: STOCK_STATUS.OK.key,
    serial_numbers: serialNumbers,
    barcode,
  }
  const { createdItems } = await receiveLines(
    { ...context, pk, ifMatch: undefined },
    {
      items: [item],
      location,
      allowOverReceipt: delivery.allowOverReceipt,
      allowMissingLocation: true,
      areBarcodesRecorded: true,
      returnsKeys: true,
      locked: {
        order,
        lines: new Map(lockedLabel.lines.map((line) => [line.pk, line])),
        totals: lockedLabel.totals,
        references: parseReferences(rows.at(-1) ?? []),
      },
    },
  )
  return { lineitem, receipt: { order: pk, line: line.pk, packs: quantity, items: createdItems } }
}
