import type { Statement } from '../../../database/text-query.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { Scope, Parameters as SqlParameters } from '../../../kit/sql/sql.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, formatMoney } from '../../../kit/values/decimal.ts'
import { convert } from '../../../kit/values/exchange-rates.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRowAndRead } from '../../../kit/writing/write.ts'
import { setting } from '../../../settings/live.ts'
import { computeBarcodeKey, hashBarcode } from '../../barcode/barcode-hash.ts'
import { ALREADY_RECEIVED, recordCodes } from '../../barcode/received-codes.ts'
import { defaultCurrency, readRates } from '../../currency/rates.ts'
import { notify } from '../../notifications/notify.ts'
import { createStockItems, newStockWrites } from '../../stock/movement/create-stock-items.ts'
import { findStockErrors } from '../../stock/movement/plugin-validation.ts'
import { readItemStatuses } from '../../stock/read-status.ts'
import { parseSerialsWithPlugins } from '../../stock/serial/next-serial.ts'
import { readLatestSerial } from '../../stock/serial/serials-in-use.ts'
import { lineReferencesStatement, parseReferences, type StockReferences } from '../../stock/stock-item-rules.ts'
import { findStatusError } from '../on-hold.ts'
import { orderErrors } from '../order-errors.ts'
import { DESTINATION_SQL } from '../po-line/destination.ts'
import { purchaseOrderLine } from '../po-line/po-line.table.ts'
import { recomputeTotals, type StoredOrder, storeTotals, totalsStatement } from '../recompute-totals.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'
import {
  findOverReceiptErrors,
  type PlannedItem,
  planReceipt,
  type ReceivableLine,
  type ReceivedItem,
  requireExpectedReceived,
} from './receipt.ts'

type Receipt = {
  items: readonly ReceivedItem[]
  /** Takes precedence over the location of an item. */
  location: number | null
  allowOverReceipt: boolean
  /** Whether goods without any location are accepted; rejected otherwise. */
  allowMissingLocation?: boolean
  /** Barcodes of the items that are known to identify one delivery (`findDeliveryCodes`). */
  deliveries?: ReadonlySet<string>
  /** Whether the caller has checked that the barcodes of the items are unlinked, and has recorded them as received. */
  areBarcodesRecorded?: boolean
  /** Whether to return the keys of the created stock. */
  returnsKeys?: boolean
  /** The order, and all lines that the items name, if already locked. */
  locked?: LockedOrder
}

type LockedOrder = {
  order: { status: number; responsible: number | null; line_items: number; completed_lines: number }
  lines: ReadonlyMap<number, ReceivableLine>
  /** Totals of the order, if already read. */
  totals?: readonly StoredOrder[]
  /** Rows that the stock will refer to, if already read. */
  references?: StockReferences
}

/** Result of receiving. */
type ReceiptResult = {
  planned: PlannedItem[]
  /** Keys of the created stock, if requested. */
  createdItems: number[]
}

type Context = Services & { tx: Tx; caller: Caller; pk: number; ifMatch?: string }

/**
 * Receives goods of the order `pk`: creates the stock, with its history, and counts it as received. The only code that increases `received`
 * of a line. Locks the order, then its lines in key order, so that nothing is received twice and no line changes concurrently. Writes each
 * kind of row in one statement, however many lines there are.
 *
 * Throws 400, and changes nothing, for invalid input: errors of an item are at its index in `items`.
 */
export async function receiveLines(context: Context, receipt: Receipt): Promise<ReceiptResult> {
  const { tx, pk, caller } = context
  const { items, location, allowOverReceipt, allowMissingLocation = false, returnsKeys = false } = receipt
  const locked = receipt.locked ?? (await lockOrderAndLines(context, items, location))
  const { order, lines, totals } = locked
  if (items.length === 0) throw invalidObject(orderErrors.line_items_required)
  requireExpectedReceived(items, lines)
  const statuses = await readItemStatuses(tx, items)
  const planned = await planReceipt({
    order: pk,
    items,
    lines,
    location,
    allowMissingLocation,
    rejectedBarcodes: await findRejectedBarcodes(tx, receipt),
    latestSerials: await readLatestSerials(context, items, lines),
    statuses,
    toStockPrice: await createPriceConversion(context),
    parseSerialNumbers: (...text) => parseSerialsWithPlugins(context, ...text),
  })
  if (order.status !== PO_STATUS.PLACED.key)
    throw invalidObject(findStatusError(order.status, orderErrors.purchase_order_not_placed))
  await validateWithPlugins(context, planned)

  const stock = planned.flatMap((one) => one.stock)
  // the total does not depend on the received quantities
  await (totals ? storeTotals(context, PURCHASE_ORDER, totals) : recomputeTotals(context, PURCHASE_ORDER, [pk]))
  const checkOverReceipt = () => {
    // checked last, because clients ask the user to confirm it: after that, the request should not fail because a serial number is in use
    const excessErrors = allowOverReceipt ? undefined : findOverReceiptErrors(items, lines)
    if (excessErrors) throw invalid(excessErrors)
  }
  const packs = sumPacks(items)
  const completesOrder = setting(context, 'PURCHASEORDER_AUTO_COMPLETE') && willBeComplete(locked, packs)
  const furtherWrites = [createReceivedWrite(packs), ...(completesOrder ? [createCompletionWrite(pk, caller)] : [])]
  const options = { references: locked.references, beforeInsert: checkOverReceipt }
  let createdItems: number[] = []
  if (returnsKeys || stock.some(({ barcode }) => barcode))
    createdItems = await createStockItems(context, stock, { ...options, furtherWrites })
  else tx.atCommit(...(await newStockWrites(context, stock, options)), ...furtherWrites)
  if (order.responsible !== null) await notify(context, 'received', 'purchaseorder', pk)
  return { planned, createdItems }
}

const scope = new Scope(purchaseOrderLine, 'line', new SqlParameters())
const destination = scope.expression(DESTINATION_SQL)
const LINE_COLUMNS = scope.expression(
  `{pk} as pk, {quantity}::text as quantity, {received}::text as received, {part} as supplier_part, {part.part} as part,
   {part.pack_quantity_native}::text as pack_quantity, {part.part.trackable} as trackable, {part.part.units} as units,
   {purchase_price}::text as purchase_price, {purchase_price_currency} as purchase_price_currency`,
)

/** Locks lines, and selects the fields of each that receiving needs. `condition` and `destination` are SQL expressions on `line`. */
export const lockLinesStatement = (condition: string, destination = 'null::integer'): string =>
  `select ${LINE_COLUMNS}, ${destination} as destination
   from purchase_order_line line ${scope.joins} where ${condition} order by line.pk for no key update of line`

const LOCK_LINES = lockLinesStatement(
  'line.pk = any($1::integer[]) and line."order" = $2',
  `case when $3 then ${destination} end`,
)

/**
 * Locks the order, then the lines of the received goods, computes the total of the order, and reads the rows that the stock will refer to,
 * all in one round trip. Computes destinations only where they are needed.
 */
async function lockOrderAndLines(
  context: Context,
  items: readonly Pick<ReceivedItem, 'line_item' | 'location' | 'serial_numbers'>[],
  location: number | null,
): Promise<LockedOrder> {
  const { pk } = context
  const lineKeys = [...new Set(items.map(({ line_item }) => line_item))]
  const needsDestinations = location === null && items.some((item) => item.location === null)
  const locations = location === null ? items.map((item) => item.location) : [location]
  const [order, lines = [], totals = [], references] = await lockRowAndRead(
    purchaseOrder,
    pk,
    context,
    { text: LOCK_LINES, values: [lineKeys, pk, needsDestinations] },
    totalsStatement(PURCHASE_ORDER, [pk]),
    ...(needsDestinations ? [] : [lineReferencesStatement(lineKeys, locations)]),
  )
  return {
    order: order as unknown as LockedOrder['order'],
    lines: new Map((lines as ReceivableLine[]).map((line) => [line.pk, line])),
    totals: totals as StoredOrder[],
    references: references && parseReferences(references),
  }
}

/** Returns the reasons for rejecting barcodes of the items: those linked to another object, or of an earlier delivery. */
async function findRejectedBarcodes(
  tx: Tx,
  { items, deliveries = new Set(), areBarcodesRecorded }: Receipt,
): Promise<ReadonlyMap<string, ErrorMessage>> {
  const barcodes = items.flatMap(({ barcode }) => barcode ?? [])
  if (barcodes.length === 0 || areBarcodesRecorded) return new Map()
  const earlierBarcodes = await recordCodes(tx, barcodes, deliveries)
  const rows = await tx.query<{ hash: string; key: string }>(
    'select hash, key from linked_code where hash = any($1::text[]) or key = any($2::text[])',
    [barcodes.map(hashBarcode), barcodes.map(computeBarcodeKey)],
  )
  const usedCodes = new Set(rows.flatMap(({ hash, key }) => [hash, key]))
  return new Map([
    ...[...earlierBarcodes].map((barcode) => [barcode, ALREADY_RECEIVED] as const),
    ...barcodes
      .filter((barcode) => usedCodes.has(hashBarcode(barcode)) || usedCodes.has(computeBarcodeKey(barcode)))
      .map((barcode) => [barcode, orderErrors.barcode_in_use] as const),
  ])
}

/**
 * Creates the conversion of the prices of received stock: to the default currency, if the setting requires that. A price without an exchange
 * rate stays in its currency.
 */
async function createPriceConversion(context: Context): Promise<Parameters<typeof planReceipt>[0]['toStockPrice']> {
  if (!setting(context, 'PURCHASEORDER_CONVERT_CURRENCY')) return (price) => price
  const rates = await readRates(context.tx)
  const currency = defaultCurrency(context)
  return (price) => {
    const { purchase_price, purchase_price_currency } = price
    const converted = purchase_price && convert(purchase_price, purchase_price_currency ?? currency, currency, rates)
    return converted ? { purchase_price: formatMoney(converted), purchase_price_currency: currency } : price
  }
}

/** Reads the serial number that `~` continues from, by part; only if there is a `~`. */
async function readLatestSerials(
  context: Context,
  items: readonly ReceivedItem[],
  lines: ReadonlyMap<number, ReceivableLine>,
): Promise<Map<number, string | null>> {
  const latest = new Map<number, string | null>()
  for (const item of items) {
    const part = item.serial_numbers.includes('~') ? lines.get(item.line_item)?.part : null
    if (part && !latest.has(part)) latest.set(part, await readLatestSerial(context, part))
  }
  return latest
}

/** Lets plugins validate the batch codes and serial numbers. */
async function validateWithPlugins(context: Context, planned: readonly PlannedItem[]): Promise<void> {
  const names = { batch: 'batch_code', serial: 'serial_numbers' }
  const errors: Errors[] = []
  for (const { stock } of planned) errors.push(await findStockErrors(context, stock, names))
  if (errors.some((itemErrors) => Object.keys(itemErrors).length)) throw invalid({ items: errors })
}

/** Sums the received packs by line. */
export function sumPacks(items: readonly ReceivedItem[]): Map<number, Decimal> {
  const packs = new Map<number, Decimal>()
  for (const { line_item, quantity } of items) packs.set(line_item, add(packs.get(line_item) ?? '0', quantity))
  return packs
}

/** Adds the received packs to their lines. */
const createReceivedWrite = (packs: ReadonlyMap<number, Decimal>): Statement => ({
  text: `update purchase_order_line line set received = line.received + receipt.packs
    from unnest($1::integer[], $2::numeric[]) receipt (line, packs) where line.pk = receipt.line`,
  values: [[...packs.keys()], [...packs.values()]],
})

/** Whether every line of an order will be received in full. The counts of its lines cannot change while it is locked. */
function willBeComplete({ order, lines }: LockedOrder, packs: ReadonlyMap<number, Decimal>): boolean {
  const isFull = (line: ReceivableLine, addedPacks: Decimal) => compare(add(line.received, addedPacks), line.quantity) >= 0
  const newlyComplete = [...lines.values()].filter((line) => !isFull(line, '0') && isFull(line, packs.get(line.pk) ?? '0'))
  return order.completed_lines + newlyComplete.length === order.line_items
}

const createCompletionWrite = (order: number, caller: Caller): Statement => ({
  text: `with completed as (
      update purchase_order set status = $2, complete_date = current_date, received_by = $3 where pk = $1 returning pk
    ) select emit_event('purchase_order', pk, 'purchaseorder.completed') from completed`,
  values: [order, PO_STATUS.COMPLETE.key, caller.pk],
})
