import type { Statement } from '../../../database/text-query.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { Parameters, Scope } from '../../../kit/sql/sql.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRowAnd } from '../../../kit/writing/write.ts'
import { barcodeHash, barcodeKey } from '../../barcode/barcode-hash.ts'
import { ALREADY_RECEIVED, noteCodes } from '../../barcode/received-codes.ts'
import { notify } from '../../notifications/notify.ts'
import { setting } from '../../settings/live.ts'
import { createStockItems, newStockWrites } from '../../stock/movement/create-stock-items.ts'
import { objectionsToStock } from '../../stock/movement/stock-objections.ts'
import { serialNumbersOf } from '../../stock/serial/next-serial.ts'
import { latestSerial } from '../../stock/serial/serials-in-use.ts'
import { type KnownOfStock, knownFrom, knownOfLinesStatement } from '../../stock/stock-item-rules.ts'
import { orderErrors } from '../order-errors.ts'
import { computedDestination } from '../po-line/destination.ts'
import { purchaseOrderLine } from '../po-line/po-line.table.ts'
import { recomputeTotals, type StoredOrder, storeTotals, totalsStatement } from '../recompute-totals.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { PO_STATUS } from './po-status.ts'
import { overReceipt, type PlannedItem, planReceipt, type ReceivableLine, type ReceivedItem, requireReceived } from './receipt.ts'

type Receipt = {
  items: readonly ReceivedItem[]
  /** Goes before the location of an item. */
  location: number | null
  allowOverReceipt: boolean
  /** Goods for which nothing names a place are taken without one; otherwise that is refused. */
  mayBeNowhere?: boolean
  /** Those of the items' barcodes that are known to be of one delivery (`labelsOfDeliveries`). */
  deliveries?: ReadonlySet<string>
  /** The barcodes of the items stand for nothing yet, and that goods came by them is noted: whoever asks has seen to it. */
  codesAreNoted?: boolean
  /** Whether the keys of the stock that is made are wanted. */
  wantsKeys?: boolean
  /** The order, and all of its lines that the items name, where they are locked already. */
  locked?: LockedOrder
}

type LockedOrder = {
  order: { status: number; responsible: number | null; line_items: number; completed_lines: number }
  lines: ReadonlyMap<number, ReceivableLine>
  /** What the order comes to, where that is known already. */
  totals?: readonly StoredOrder[]
  /** What the stock will refer to, where that is known already. */
  known?: KnownOfStock
}

/** What was received. */
type Received = {
  planned: PlannedItem[]
  /** The keys of the stock that was made, where they were wanted. */
  made: number[]
}

type Context = Services & { tx: Tx; caller: Caller; pk: number; ifMatch?: string }

/**
 * Receives goods of the order `pk`: makes the stock, with its history, and counts it as received. The only way in which
 * `received` of a line grows. Locks the order, then its lines in the order of their keys, so that nothing is received twice
 * and no line is changed meanwhile. Each kind of row is written by one statement, however many lines there are.
 *
 * Throws 400, and leaves everything as it was, for what does not fit: errors of an item stand at its place in `items`.
 */
export async function receiveLines(context: Context, receipt: Receipt): Promise<Received> {
  const { tx, pk, caller } = context
  const { items, location, allowOverReceipt, mayBeNowhere = false, wantsKeys = false } = receipt
  const locked = receipt.locked ?? (await lockOrder(context, items, location))
  const { order, lines, totals } = locked
  if (items.length === 0) throw invalidObject(orderErrors.line_items_required)
  requireReceived(items, lines)
  const planned = await planReceipt({
    order: pk,
    items,
    lines,
    location,
    mayBeNowhere,
    refusedBarcodes: await refusedBarcodes(tx, receipt),
    latestSerials: await readLatestSerials(context, items, lines),
    serialNumbers: (...text) => serialNumbersOf(context, ...text),
  })
  if (order.status !== PO_STATUS.PLACED.key) throw invalidObject(orderErrors.purchase_order_not_placed)
  await validateWithPlugins(context, planned)

  const stock = planned.flatMap((one) => one.stock)
  // what it comes to does not depend on what came
  await (totals ? storeTotals(context, PURCHASE_ORDER, totals) : recomputeTotals(context, PURCHASE_ORDER, [pk]))
  const mayBeMade = () => {
    // last, as it is no error but a question: whoever says yes to it is not refused afterwards for a serial number that is taken
    const tooMany = allowOverReceipt ? undefined : overReceipt(items, lines)
    if (tooMany) throw invalid(tooMany)
  }
  const packs = packsOf(items)
  const completes = setting(context, 'PURCHASEORDER_AUTO_COMPLETE') && willBeComplete(locked, packs)
  const also = [receivedWrite(packs), ...(completes ? [completionWrite(pk, caller)] : [])]
  const options = { known: locked.known, mayBeMade }
  let made: number[] = []
  if (wantsKeys || stock.some(({ barcode }) => barcode)) made = await createStockItems(context, stock, { ...options, also })
  else tx.atCommit(...(await newStockWrites(context, stock, options)), ...also)
  if (order.responsible !== null) await notify(context, 'received', 'purchaseorder', pk)
  return { planned, made }
}

const scope = new Scope(purchaseOrderLine, 'line', new Parameters())
const destination = scope.expression(computedDestination)
const FACTS = scope.expression(
  `{pk} as pk, {quantity}::text as quantity, {received}::text as received, {part} as supplier_part, {part.part} as part,
   {part.pack_quantity_native}::text as pack_quantity, {part.part.trackable} as trackable, {part.part.units} as units,
   {purchase_price}::text as purchase_price, {purchase_price_currency} as purchase_price_currency`,
)

/** Locks lines, and gives of each what receiving has to know. `condition` and `destination` are SQL about `line`. */
export const lockLinesWhere = (condition: string, destination = 'null::integer'): string =>
  `select ${FACTS}, ${destination} as destination
   from purchase_order_line line ${scope.joins} where ${condition} order by line.pk for no key update of line`

const LOCK_LINES = lockLinesWhere('line.pk = any($1::integer[]) and line."order" = $2', `case when $3 then ${destination} end`)

/**
 * Locks the order, then its lines that goods came for; sums what it comes to, and reads what the stock will refer to, in one round trip.
 * Where goods go is worked out only where it counts.
 */
async function lockOrder(
  context: Context,
  items: readonly Pick<ReceivedItem, 'line_item' | 'location' | 'serial_numbers'>[],
  location: number | null,
): Promise<LockedOrder> {
  const { pk } = context
  const wanted = [...new Set(items.map(({ line_item }) => line_item))]
  const needed = location === null && items.some((item) => item.location === null)
  const locations = location === null ? items.map((item) => item.location) : [location]
  const [order, lines = [], totals = [], known] = await lockRowAnd(
    purchaseOrder,
    pk,
    context,
    { text: LOCK_LINES, values: [wanted, pk, needed] },
    totalsStatement(PURCHASE_ORDER, [pk]),
    ...(needed ? [] : [knownOfLinesStatement(wanted, locations)]),
  )
  return {
    order: order as unknown as LockedOrder['order'],
    lines: new Map((lines as ReceivableLine[]).map((line) => [line.pk, line])),
    totals: totals as StoredOrder[],
    known: known && knownFrom(known),
  }
}

/** Why barcodes of the items cannot be taken: of those that are on another object, or by which a delivery came before. */
async function refusedBarcodes(
  tx: Tx,
  { items, deliveries = new Set(), codesAreNoted }: Receipt,
): Promise<ReadonlyMap<string, ErrorMessage>> {
  const barcodes = items.flatMap(({ barcode }) => barcode ?? [])
  if (barcodes.length === 0 || codesAreNoted) return new Map()
  const came = await noteCodes(tx, barcodes, deliveries)
  const rows = await tx.query<{ hash: string; key: string }>(
    'select hash, key from linked_code where hash = any($1::text[]) or key = any($2::text[])',
    [barcodes.map(barcodeHash), barcodes.map(barcodeKey)],
  )
  const taken = new Set(rows.flatMap(({ hash, key }) => [hash, key]))
  return new Map([
    ...[...came].map((barcode) => [barcode, ALREADY_RECEIVED] as const),
    ...barcodes
      .filter((barcode) => taken.has(barcodeHash(barcode)) || taken.has(barcodeKey(barcode)))
      .map((barcode) => [barcode, orderErrors.barcode_in_use] as const),
  ])
}

/** By part, the serial number after which `~` counts on. Only asked where there is one. */
async function readLatestSerials(
  context: Context,
  items: readonly ReceivedItem[],
  lines: ReadonlyMap<number, ReceivableLine>,
): Promise<Map<number, string | null>> {
  const latest = new Map<number, string | null>()
  for (const item of items) {
    const part = item.serial_numbers.includes('~') ? lines.get(item.line_item)?.part : null
    if (part && !latest.has(part)) latest.set(part, await latestSerial(context, part))
  }
  return latest
}

/** Puts the batch codes and serial numbers to plugins. */
async function validateWithPlugins(context: Context, planned: readonly PlannedItem[]): Promise<void> {
  const names = { batch: 'batch_code', serial: 'serial_numbers' }
  const errors: Errors[] = []
  for (const { stock } of planned) errors.push(await objectionsToStock(context, stock, names))
  if (errors.some((found) => Object.keys(found).length)) throw invalid({ items: errors })
}

/** The packs that came, by line. */
export function packsOf(items: readonly ReceivedItem[]): Map<number, Decimal> {
  const packs = new Map<number, Decimal>()
  for (const { line_item, quantity } of items) packs.set(line_item, add(packs.get(line_item) ?? '0', quantity))
  return packs
}

/** Adds the packs that came to their lines. */
const receivedWrite = (packs: ReadonlyMap<number, Decimal>): Statement => ({
  text: `update purchase_order_line line set received = line.received + came.packs
    from unnest($1::integer[], $2::numeric[]) came (line, packs) where line.pk = came.line`,
  values: [[...packs.keys()], [...packs.values()]],
})

/** Whether every line of an order will have come in full. Nobody counts its lines otherwise as long as it is locked. */
function willBeComplete({ order, lines }: LockedOrder, packs: ReadonlyMap<number, Decimal>): boolean {
  const isFull = (line: ReceivableLine, more: Decimal) => compare(add(line.received, more), line.quantity) >= 0
  const filled = [...lines.values()].filter((line) => !isFull(line, '0') && isFull(line, packs.get(line.pk) ?? '0'))
  return order.completed_lines + filled.length === order.line_items
}

const completionWrite = (order: number, caller: Caller): Statement => ({
  text: `with completed as (
      update purchase_order set status = $2, complete_date = current_date, received_by = $3 where pk = $1 returning pk
    ) select say_event('purchase_order', pk, 'purchaseorder.completed') from completed`,
  values: [order, PO_STATUS.COMPLETE.key, caller.pk],
})
