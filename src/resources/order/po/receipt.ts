import { type Errors, QUANTITY_TOO_LARGE } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import {
  add,
  compare,
  type Decimal,
  isTooLarge,
  isWhole,
  isZero,
  multiply,
  normalize,
  quantize,
  subtract,
  toJsonNumber,
} from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { SerialNumberError } from '../../../notation/serial/serial-numbers.ts'
import { computeBarcodeKey } from '../../barcode/barcode-hash.ts'
import type { NewStockItem } from '../../stock/movement/create-stock-items.ts'
import { rejectUnexpected } from '../../stock/movement/expectations.ts'
import { type ItemStatus, statusDeltas } from '../../stock/read-status.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import { orderErrors } from '../order-errors.ts'
import { receivedUnitPrice } from '../total.ts'

/** Maximum number of stock items created by one request. */
const MAX_STOCK_ITEMS = 20_000

/** Received goods of one line. */
export type ReceivedItem = {
  line_item: number
  /** Packs that the line is expected to have received before. */
  expected_received?: Decimal
  /** Packs. */
  quantity: Decimal
  location: number | null
  /** Stock status code. */
  status: number
  batch_code: string
  /** Serial numbers in the notation of users; they count base units. */
  serial_numbers: string
  /** Literal serial number on the goods; that of the unit if it is a single base unit. */
  serial?: string
  /** Last day on which it can be used. */
  expiry_date?: string | null
  packaging?: string
  /** The notes of the stock. */
  note?: string
  barcode: string | null
}

/** The fields of a line that receiving needs. Quantities in packs; the price is for one pack. */
export type ReceivableLine = {
  pk: number
  quantity: Decimal
  received: Decimal
  /** Null, like everything derived from it, once the supplier part is deleted. */
  supplier_part: number | null
  part: number | null
  /** Base units in one pack. */
  pack_quantity: Decimal | null
  trackable: boolean | null
  /** Unit of the part's quantities; empty for pieces. */
  units: string | null
  purchase_price: Decimal | null
  purchase_price_currency: string
  /** Location of the line's goods if the request names none. */
  destination: number | null
}

type StockPrice = Pick<NewStockItem, 'purchase_price' | 'purchase_price_currency'>

/** An item with its location and the stock to create. */
export type PlannedItem = { item: ReceivedItem; location: number | null; stock: NewStockItem[] }

type Delivery = {
  order: number
  items: readonly ReceivedItem[]
  lines: ReadonlyMap<number, ReceivableLine>
  location: number | null
  /** Whether goods without any location are accepted. */
  allowMissingLocation: boolean
  /** Rejected barcodes of the items, with the reason. */
  rejectedBarcodes: ReadonlyMap<string, ErrorMessage>
  /** The serial number that `~` continues from, by part. */
  latestSerials: ReadonlyMap<number, string | null>
  /** The statuses that the items name, by key. */
  statuses: ReadonlyMap<number, ItemStatus>
  /** Converts the price of stock to the currency in which it is stored. */
  toStockPrice: (price: StockPrice) => StockPrice
  /** Parses a string into serial numbers of a part. @throws SerialNumberError */
  parseSerialNumbers: (part: number, text: string, expected: number, latest: string | null) => Promise<string[]>
}

/** Computes the stock to create for a delivery. Throws 400 with the errors of all items, `{}` for a valid item. */
export async function planReceipt(delivery: Delivery): Promise<PlannedItem[]> {
  const { items, lines, rejectedBarcodes } = delivery
  const latest = new Map(delivery.latestSerials)
  const serials: (string[] | undefined)[] = []
  let count = 0
  const checkItem = async (item: ReceivedItem, index: number): Promise<Errors> => {
    const line = lines.get(item.line_item)
    if (!line) return { line_item: [orderErrors.line_of_other_purchase_order] }
    if (line.part === null) return { line_item: [orderErrors.line_without_supplier_part] }
    const itemErrors = checkQuantity(item, line)
    const barcodeError = item.barcode && rejectedBarcodes.get(item.barcode)
    if (barcodeError) itemErrors.barcode = [barcodeError]
    if (item.serial_numbers && !itemErrors.quantity) {
      try {
        serials[index] = await readSerials(delivery, item, line, latest)
      } catch (error) {
        if (!(error instanceof SerialNumberError)) throw error
        itemErrors.serial_numbers = error.messages
      }
    } else if (item.serial && !itemErrors.quantity && compare(baseUnits(item.quantity, line), '1') === 0)
      serials[index] = [item.serial]
    count += serials[index]?.length ?? 1
    if (count > MAX_STOCK_ITEMS) throw invalidObject(stockErrors.max_stock_items({ max_items: MAX_STOCK_ITEMS }))
    return itemErrors
  }
  const errors: Errors[] = []
  for (const [index, item] of items.entries()) errors.push(await checkItem(item, index))
  if (errors.some((itemErrors) => Object.keys(itemErrors).length > 0)) throw invalid({ items: errors })
  checkBarcodes(items, serials)

  return items.map((item, index) => {
    const line = lines.get(item.line_item) as ReceivableLine
    const location = delivery.location ?? item.location ?? line.destination
    if (location === null && !delivery.allowMissingLocation) throw invalid({ location: [orderErrors.receipt_location_required] })
    return { item, location, stock: createNewStock(delivery, item, line, location, serials[index]) }
  })
}

/**
 * Compares the received quantities that items expect of their lines, in packs, with the actual ones.
 * @throws Problem 412 naming every item with a different expectation, and the actual quantity
 */
export function requireExpectedReceived(items: readonly ReceivedItem[], lines: ReadonlyMap<number, ReceivableLine>): void {
  rejectUnexpected(
    items.map(({ line_item, expected_received: expected }): Errors => {
      const actual = lines.get(line_item)?.received
      if (expected === undefined || actual === undefined || compare(expected, actual) === 0) return {}
      const error = orderErrors.received_not_as_expected({ found: normalize(actual), expected: normalize(expected) })
      return { expected_received: [error] }
    }),
  )
}

/**
 * Returns errors for receiving more than was ordered: one at each item that exceeds the quantity of its line, including what was received
 * before (docs/decisions.md#over-receipt). Undefined without errors.
 */
export function findOverReceiptErrors(
  items: readonly ReceivedItem[],
  lines: ReadonlyMap<number, ReceivableLine>,
): { items: Errors[] } | undefined {
  const received = new Map<number, Decimal>()
  let isExceeded = false
  const errors = items.map(({ line_item, quantity }): Errors => {
    const line = lines.get(line_item) as ReceivableLine
    const before = received.get(line_item) ?? line.received
    const after = add(before, quantity)
    received.set(line_item, after)
    if (compare(after, line.quantity) <= 0) return {}
    isExceeded = true
    const text = orderErrors.quantity_exceeds_outstanding({ outstanding: getOutstanding(line.quantity, before) })
    return { quantity: [text] }
  })
  return isExceeded ? { items: errors } : undefined
}

const getOutstanding = (ordered: Decimal, received: Decimal): Decimal => {
  const outstanding = subtract(ordered, received)
  return compare(outstanding, '0') > 0 ? normalize(outstanding) : '0'
}

/** Checks that an item has a positive number of packs, and that they make whole units of a trackable part. */
function checkQuantity({ quantity }: ReceivedItem, line: ReceivableLine): Errors {
  if (isZero(quantity)) return { quantity: [stockErrors.quantity_must_be_positive] }
  const units = baseUnits(quantity, line)
  if (line.trackable && !isWhole(units)) return { quantity: [stockErrors.whole_quantity_required] }
  if (isTooLarge(units)) return { quantity: [QUANTITY_TOO_LARGE] }
  if (isZero(roundToStored(units))) return { quantity: [orderErrors.quantity_too_small] }
  return {}
}

/** Stock is stored with five decimals. */
const roundToStored = (units: Decimal): Decimal => quantize(units, 5)

const baseUnits = (packs: Decimal, line: ReceivableLine): Decimal => multiply(packs, line.pack_quantity ?? '1')

/** Parses the serial numbers of an item; `~` continues from those of the items before it. */
async function readSerials(
  { parseSerialNumbers }: Delivery,
  item: ReceivedItem,
  line: ReceivableLine,
  latest: Map<number, string | null>,
): Promise<string[]> {
  const part = line.part as number
  const expected = Number(baseUnits(item.quantity, line))
  const serials = await parseSerialNumbers(part, item.serial_numbers, expected, latest.get(part) ?? null)
  if (item.serial_numbers.includes('~')) latest.set(part, serials.at(-1) ?? null)
  return serials
}

/** Checks that each barcode is used for one stock item only. */
function checkBarcodes(items: readonly ReceivedItem[], serials: readonly (string[] | undefined)[]): void {
  const barcodes = items.flatMap(({ barcode }) => (barcode ? computeBarcodeKey(barcode) : []))
  if (new Set(barcodes).size < barcodes.length) throw invalidObject(orderErrors.barcodes_not_unique)
  if (items.some(({ barcode }, index) => barcode && (serials[index]?.length ?? 0) > 1))
    throw invalidObject(orderErrors.existing_barcode)
}

/** The stock of one item: a single item, or one unit per serial number. The history of a single item states the packs. */
function createNewStock(
  { order, statuses, toStockPrice }: Delivery,
  item: ReceivedItem,
  line: ReceivableLine,
  location: number | null,
  serials: string[] | undefined,
): NewStockItem[] {
  const status = statuses.get(item.status) as ItemStatus
  const stockItem: NewStockItem = {
    part: line.part as number,
    supplier_part: line.supplier_part,
    purchase_order: order,
    quantity: roundToStored(baseUnits(item.quantity, line)),
    location,
    ...status,
    batch: item.batch_code,
    expiry_date: item.expiry_date ?? undefined,
    packaging: item.packaging || null,
    notes: item.note || null,
    barcode: item.barcode,
    ...toStockPrice({
      purchase_price: receivedUnitPrice(line.purchase_price, line.pack_quantity ?? '1'),
      purchase_price_currency: line.purchase_price_currency,
    }),
    history: {
      type: 'RECEIVED_AGAINST_PURCHASE_ORDER',
      deltas: { ...statusDeltas(status), location, purchaseorder: order, quantity: toJsonNumber(item.quantity) },
    },
  }
  return serials ? serials.map((serial) => ({ ...stockItem, quantity: '1', serial })) : [stockItem]
}
