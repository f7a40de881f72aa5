import { isDate } from '../../../kit/definition/input.ts'
import {
  compare,
  type Decimal,
  divide,
  isZero,
  multiply,
  normalize,
  parseDecimal,
  quantize,
} from '../../../kit/values/decimal.ts'
import { containsHtml } from '../../../kit/values/html.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { convertToUnit, UnitError, type UnitRegistry } from '../../../notation/units/physical-units.ts'
import type { SupplierLabel } from '../../../plugin-api/index.ts'
import { MAX_BATCH_CODE_LENGTH } from '../../../settings/batch-code-template.ts'
import type { ReceivableLine } from '../../order/po/receipt.ts'
import { barcodeErrors } from '../barcode-errors.ts'

/** Maximum characters of a serial number, as a stock item stores it. */
const MAX_SERIAL_LENGTH = 100

/** The contents of a label in the form from which stock is created. */
export type Goods = {
  /** Packs; undefined if the label states none, or nothing that can be counted. */
  quantity?: Decimal
  batch_code: string
  serial?: string
  expiry_date?: string
}

/** Reads the goods of a label, or the error for what cannot be stored. */
export function readGoods(label: SupplierLabel): Goods | ErrorMessage {
  const batch_code = removeControlCharacters(label.lot_code)
  const serial = removeControlCharacters(label.serial_number)
  if ([...batch_code].length > MAX_BATCH_CODE_LENGTH || containsHtml(batch_code)) return barcodeErrors.barcode_batch_not_storable
  if ([...serial].length > MAX_SERIAL_LENGTH || containsHtml(serial)) return barcodeErrors.barcode_serial_not_storable
  const expiry_date = label.expiry_date !== undefined && isDate(label.expiry_date) ? label.expiry_date : undefined
  return { quantity: readQuantity(label), batch_code, serial: serial || undefined, expiry_date }
}

/**
 * Converts the net measure of a label to packs, if the part has a compatible unit: `1.25 kg` of a part in g, in packs of 250, is 5. Undefined
 * if its unit is not compatible, or no number of packs holds exactly that amount.
 */
export function convertMeasureToPacks(
  { net_measure }: SupplierLabel,
  { units, pack_quantity }: Pick<ReceivableLine, 'units' | 'pack_quantity'>,
  registry: UnitRegistry,
): Decimal | undefined {
  if (!net_measure || !units) return undefined
  try {
    const base = quantize(convertToUnit(net_measure, units, registry), 5)
    const packs = quantize(divide(base, pack_quantity ?? '1'), 5)
    return !isZero(packs) && compare(quantize(multiply(packs, pack_quantity ?? '1'), 5), base) === 0
      ? normalize(packs)
      : undefined
  } catch (error) {
    if (error instanceof UnitError) return undefined
    throw error
  }
}

/** Whether a label identifies one delivery. A label that names only a product recurs with each delivery. */
export const identifiesDelivery = (label: SupplierLabel): boolean =>
  [label.customer_order_number, label.supplier_order_number, label.packing_list_number, label.serial_number].some(
    (number) => removeControlCharacters(number) !== '',
  )

const removeControlCharacters = (text = ''): string => text.replace(/\p{C}/gu, '').trim()

function readQuantity({ quantity }: SupplierLabel): Decimal | undefined {
  const parsed = parseDecimal(quantity, { maxDigits: 15, decimalPlaces: 5 })
  return typeof parsed !== 'string' || isZero(parsed) || parsed.startsWith('-') ? undefined : parsed
}
