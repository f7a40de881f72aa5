import { type Errors, TOO_LARGE } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import {
  add,
  compare,
  type Decimal,
  isTooLarge,
  isWhole,
  isZero,
  jsonNumber,
  multiply,
  normalize,
  quantize,
  subtract,
} from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { barcodeKey } from '../../barcode/barcode-hash.ts'
import type { NewStockItem } from '../../stock/movement/create-stock-items.ts'
import { requireAll } from '../../stock/movement/expectations.ts'
import { SerialNumberError } from '../../stock/serial/serial-numbers.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import { orderErrors } from '../order-errors.ts'
import { receivedUnitPrice } from '../total.ts'

/** The most stock items that one request makes. */
const MAX_STOCK_ITEMS = 20_000

/** Goods that came for one line. */
export type ReceivedItem = {
  line_item: number
  /** Packs that its line has received before. */
  expected_received?: Decimal
  /** Packs. */
  quantity: Decimal
  location: number | null
  /** Stock status code. */
  status: number
  batch_code: string
  /** As a user writes serial numbers; they count base units. */
  serial_numbers: string
  /** The serial number on the goods, as it stands; that of the unit where it is a single base unit. */
  serial?: string
  /** The last day on which it is good. */
  expiry_date?: string
  barcode: string | null
}

/** What receiving has to know of a line. Quantities in packs; the price is that of one pack. */
export type ReceivableLine = {
  pk: number
  quantity: Decimal
  received: Decimal
  /** Null, like everything that follows from it, once the supplier part is deleted. */
  supplier_part: number | null
  part: number | null
  /** Base units in one pack. */
  pack_quantity: Decimal | null
  trackable: boolean | null
  /** The unit that the part is counted in; empty for pieces. */
  units: string | null
  purchase_price: Decimal | null
  purchase_price_currency: string
  /** Where the line's goods go when the request says nothing. */
  destination: number | null
}

/** An item with where it goes and the stock that it makes. */
export type PlannedItem = { item: ReceivedItem; location: number | null; stock: NewStockItem[] }

type Delivery = {
  order: number
  items: readonly ReceivedItem[]
  lines: ReadonlyMap<number, ReceivableLine>
  location: number | null
  /** Goods for which nothing names a place are taken without one. */
  mayBeNowhere: boolean
  /** Those of the items' barcodes that are not taken, and why. */
  refusedBarcodes: ReadonlyMap<string, ErrorMessage>
  /** By part, the serial number after which `~` counts on. */
  latestSerials: ReadonlyMap<number, string | null>
  /** The serial numbers of a part that a text stands for. @throws SerialNumberError */
  serialNumbers: (part: number, text: string, expected: number, latest: string | null) => Promise<string[]>
}

/**
 * Works out which stock a delivery makes. Throws 400 with the errors of all items, `{}` for an item that is fine.
 * (The reference description of orders and stock, section 3.)
 */
export async function planReceipt(delivery: Delivery): Promise<PlannedItem[]> {
  const { items, lines, refusedBarcodes } = delivery
  const latest = new Map(delivery.latestSerials)
  const serials: (string[] | undefined)[] = []
  let count = 0
  const check = async (item: ReceivedItem, at: number): Promise<Errors> => {
    const line = lines.get(item.line_item)
    if (!line) return { line_item: [orderErrors.line_of_other_purchase_order] }
    if (line.part === null) return { line_item: [orderErrors.line_without_supplier_part] }
    const found = checkQuantity(item, line)
    const objection = item.barcode && refusedBarcodes.get(item.barcode)
    if (objection) found.barcode = [objection]
    if (item.serial_numbers && !found.quantity) {
      try {
        serials[at] = await readSerials(delivery, item, line, latest)
      } catch (error) {
        if (!(error instanceof SerialNumberError)) throw error
        found.serial_numbers = error.messages
      }
    } else if (item.serial && !found.quantity && compare(baseUnits(item.quantity, line), '1') === 0) serials[at] = [item.serial]
    count += serials[at]?.length ?? 1
    if (count > MAX_STOCK_ITEMS) throw invalidObject(stockErrors.max_stock_items({ max_items: MAX_STOCK_ITEMS }))
    return found
  }
  const errors: Errors[] = []
  for (const [at, item] of items.entries()) errors.push(await check(item, at))
  if (errors.some((found) => Object.keys(found).length > 0)) throw invalid({ items: errors })
  checkBarcodes(items, serials)

  return items.map((item, at) => {
    const line = lines.get(item.line_item) as ReceivableLine
    const location = delivery.location ?? item.location ?? line.destination
    if (location === null && !delivery.mayBeNowhere) throw invalid({ location: [orderErrors.receipt_location_required] })
    return { item, location, stock: stockOf(delivery.order, item, line, location, serials[at]) }
  })
}

/**
 * Compares what items expect their lines to have received, in packs, with what they have.
 * @throws Problem 412 that names every item that expects something else, with what was found
 */
export function requireReceived(items: readonly ReceivedItem[], lines: ReadonlyMap<number, ReceivableLine>): void {
  requireAll(
    items.map(({ line_item, expected_received: expected }): Errors => {
      const found = lines.get(line_item)?.received
      if (expected === undefined || found === undefined || compare(expected, found) === 0) return {}
      const error = orderErrors.received_not_as_expected({ found: normalize(found), expected: normalize(expected) })
      return { expected_received: [error] }
    }),
  )
}

/**
 * What is wrong with receiving more than was ordered: at each item that takes its line above its quantity, counting what
 * was received before (decision 21). Undefined when nothing is.
 */
export function overReceipt(
  items: readonly ReceivedItem[],
  lines: ReadonlyMap<number, ReceivableLine>,
): { items: Errors[] } | undefined {
  const received = new Map<number, Decimal>()
  let over = false
  const errors = items.map(({ line_item, quantity }): Errors => {
    const line = lines.get(line_item) as ReceivableLine
    const before = received.get(line_item) ?? line.received
    const after = add(before, quantity)
    received.set(line_item, after)
    if (compare(after, line.quantity) <= 0) return {}
    over = true
    const text = orderErrors.quantity_exceeds_outstanding({ outstanding: remaining(line.quantity, before) })
    return { quantity: [text] }
  })
  return over ? { items: errors } : undefined
}

const remaining = (ordered: Decimal, received: Decimal): Decimal => {
  const left = subtract(ordered, received)
  return compare(left, '0') > 0 ? normalize(left) : '0'
}

/** The packs of an item must be some, and make whole units of a trackable part. */
function checkQuantity({ quantity }: ReceivedItem, line: ReceivableLine): Errors {
  if (isZero(quantity)) return { quantity: [stockErrors.quantity_must_be_positive] }
  const units = baseUnits(quantity, line)
  if (line.trackable && !isWhole(units)) return { quantity: [stockErrors.whole_quantity_required] }
  if (isTooLarge(units)) return { quantity: [TOO_LARGE] }
  if (isZero(storedQuantity(units))) return { quantity: [orderErrors.quantity_too_small] }
  return {}
}

/** Stock is kept with five decimals. */
const storedQuantity = (units: Decimal): Decimal => quantize(units, 5)

const baseUnits = (packs: Decimal, line: ReceivableLine): Decimal => multiply(packs, line.pack_quantity ?? '1')

/** The serial numbers of an item; `~` goes on after those of the items before it. */
async function readSerials(
  { serialNumbers }: Delivery,
  item: ReceivedItem,
  line: ReceivableLine,
  latest: Map<number, string | null>,
): Promise<string[]> {
  const part = line.part as number
  const expected = Number(baseUnits(item.quantity, line))
  const serials = await serialNumbers(part, item.serial_numbers, expected, latest.get(part) ?? null)
  if (item.serial_numbers.includes('~')) latest.set(part, serials.at(-1) ?? null)
  return serials
}

/** One barcode is on one stock item. */
function checkBarcodes(items: readonly ReceivedItem[], serials: readonly (string[] | undefined)[]): void {
  const barcodes = items.flatMap(({ barcode }) => (barcode ? barcodeKey(barcode) : []))
  if (new Set(barcodes).size < barcodes.length) throw invalidObject(orderErrors.barcodes_not_unique)
  if (items.some(({ barcode }, at) => barcode && (serials[at]?.length ?? 0) > 1))
    throw invalidObject(orderErrors.existing_barcode)
}

/** The stock of one item: a whole, or one unit for each serial number. Its history tells the packs of the whole. */
function stockOf(
  order: number,
  item: ReceivedItem,
  line: ReceivableLine,
  location: number | null,
  serials: string[] | undefined,
): NewStockItem[] {
  const whole: NewStockItem = {
    part: line.part as number,
    supplier_part: line.supplier_part,
    purchase_order: order,
    quantity: storedQuantity(baseUnits(item.quantity, line)),
    location,
    status: item.status,
    batch: item.batch_code,
    expiry_date: item.expiry_date,
    barcode: item.barcode,
    purchase_price: receivedUnitPrice(line.purchase_price, line.pack_quantity ?? '1'),
    purchase_price_currency: line.purchase_price_currency,
    history: {
      type: 'RECEIVED_AGAINST_PURCHASE_ORDER',
      deltas: { status: item.status, location, purchaseorder: order, quantity: jsonNumber(item.quantity) },
    },
  }
  return serials ? serials.map((serial) => ({ ...whole, quantity: '1', serial })) : [whole]
}
