import { isDate } from '../../../kit/definition/input.ts'
import { type Decimal, isZero, parseDecimal } from '../../../kit/values/decimal.ts'
import { holdsHtml } from '../../../kit/values/html.ts'
import type { SupplierLabel } from '../../../plugin-api/index.ts'
import { MAX_BATCH_CODE_LENGTH } from '../../stock/serial/batch-code.ts'

/** The most characters of a serial number, as a stock item holds it. */
const MAX_SERIAL_LENGTH = 100

/** What a label says of the goods, as stock is made of it. */
export type Goods = {
  /** Packs; undefined where the label does not say, or nothing that can be counted. */
  quantity?: Decimal
  batch_code: string
  serial?: string
  expiry_date?: string
}

/** The goods of a label. A text says what of it cannot be stored. */
export function goodsOf(label: SupplierLabel): Goods | string {
  const batch_code = plain(label.lot_code)
  const serial = plain(label.serial_number)
  if ([...batch_code].length > MAX_BATCH_CODE_LENGTH || holdsHtml(batch_code)) return 'The lot code on the label cannot be stored'
  if ([...serial].length > MAX_SERIAL_LENGTH || holdsHtml(serial)) return 'The serial number on the label cannot be stored'
  const expiry_date = label.expiry_date !== undefined && isDate(label.expiry_date) ? label.expiry_date : undefined
  return { quantity: quantityOf(label), batch_code, serial: serial || undefined, expiry_date }
}

/** Whether a label is that of one delivery. A label that names only a product comes with each of them. */
export const namesDelivery = (label: SupplierLabel): boolean =>
  [label.customer_order_number, label.supplier_order_number, label.packing_list_number, label.serial_number].some(
    (number) => plain(number) !== '',
  )

const plain = (text = ''): string => text.replace(/\p{C}/gu, '').trim()

function quantityOf({ quantity }: SupplierLabel): Decimal | undefined {
  const read = parseDecimal(quantity, { maxDigits: 15, decimalPlaces: 5 })
  return typeof read !== 'string' || isZero(read) || read.startsWith('-') ? undefined : read
}
