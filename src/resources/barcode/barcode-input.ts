import * as input from '../../kit/definition/input.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { MAX_BARCODE_LENGTH } from '../../kit/sql/columns.ts'
import { ExactNumber } from '../../kit/values/json.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { isBlankCode, trimCode } from './barcode-hash.ts'

const textInput = input.text({
  required: true,
  max: MAX_BARCODE_LENGTH,
  label: 'Barcode',
  help: 'The barcode as the scanner sends it, with its separators.',
})

/** A scanned code, trimmed. All other characters count, including control characters. */
export const barcodeInput: input.Input<string> = {
  ...textInput,
  read(value, { services }) {
    // existing clients may send a number instead of a string (docs/configuration.md#wire-form)
    const isText = typeof value === 'string' || (services.config.wire.numericBarcodes && isNumber(value))
    // any other value may be an object that cannot be converted to a string
    const text = isText ? String(value) : undefined
    if (text === undefined || !text.isWellFormed()) throw new FieldError(valueErrors.text_expected)
    if (text.includes('\u0000')) throw new FieldError(barcodeErrors.barcode_nul_not_allowed)
    const code = trimCode(text)
    if (isBlankCode(code)) throw new FieldError(valueErrors.blank_not_allowed)
    if ([...code].length > MAX_BARCODE_LENGTH) throw new FieldError(valueErrors.max_length({ max_length: MAX_BARCODE_LENGTH }))
    return code
  },
}

/** A code that may be omitted, or empty for none. */
export const optionalBarcode = (options: { help: string }): input.Input<string> => ({
  ...input.text({ ...options, nullable: true, max: MAX_BARCODE_LENGTH, default: '' }),
  read(value, reading, fail) {
    const text = isNumber(value) ? String(value) : value
    return typeof text === 'string' && trimCode(text) === '' ? '' : barcodeInput.read(text, reading, fail)
  },
})

const isNumber = (value: unknown): boolean => typeof value === 'number' || value instanceof ExactNumber
