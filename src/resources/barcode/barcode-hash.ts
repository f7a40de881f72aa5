import { createHash } from 'node:crypto'
import { canonicalizeGs1 } from '../../notation/gs1/gs1-code.ts'
import { withSeparators } from '../../plugin-api/barcode/index.ts'

/** Python's whitespace, removed at both ends of a string: more than JavaScript's `trim` (U+001C to U+001F, U+0085), and less (U+FEFF). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are blanks too
const BLANK = /[\t-\r\u001c- \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** Returns a code as stored and returned: trimmed, as existing clients expect. */
export function trimCode(text: string): string {
  // a regular expression for trailing whitespace would scan the blanks inside a long string repeatedly
  const isBlank = (position: number): boolean => BLANK.test(text[position] as string)
  let [start, end] = [0, text.length]
  while (start < end && isBlank(start)) start++
  while (start < end && isBlank(end - 1)) end--
  return text.slice(start, end)
}

/** Control and format characters, lone surrogates, private and unassigned characters: ignored when a code is looked up. */
const INVISIBLE = /\p{C}/gu

/**
 * The MD5 by which a code is found. Separators and other invisible characters are ignored, so that a code matches with and without them.
 * Printed labels, and codes that were linked in other systems, are found by it: it never changes.
 */
export const hashBarcode = (text: string): string => createHash('md5').update(trimCode(text).replace(INVISIBLE, '')).digest('hex')

/** The hash of the decoded form: equal however a scanner sends the separators, and however a GS1 code writes its elements. */
export function computeBarcodeKey(text: string): string {
  const code = trimCode(text)
  return hashBarcode(canonicalizeGs1(code) ?? withSeparators(code))
}

/** Whether a code has no visible character: all such codes would share a hash and a key. */
export const isBlankCode = (text: string): boolean => computeBarcodeKey(text) === BLANK_KEY

const BLANK_KEY = computeBarcodeKey('')

/** Columns of an object that a code is linked to. */
export type BarcodeColumns = { barcode_data: string; barcode_hash: string; barcode_key: string }

/** Returns the columns of an object with a code, for every kind of write; for an empty string, those of an object without a code. */
export function toBarcodeColumns(text: string): BarcodeColumns {
  if (text === '') return { barcode_data: '', barcode_hash: '', barcode_key: '' }
  const [hash, key] = [hashBarcode(text), computeBarcodeKey(text)]
  return { barcode_data: text, barcode_hash: hash, barcode_key: key === hash ? '' : key }
}
