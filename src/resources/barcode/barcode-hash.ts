import { createHash } from 'node:crypto'
import { withSeparators } from '../../plugin-api/barcode/index.ts'
import { canonicalGs1 } from './gs1/read-gs1.ts'

/** What Python takes for white space, and removes at both ends of a text: more than JavaScript's `trim` (U+001C to U+001F, U+0085), and less (U+FEFF). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are blanks too
const BLANK = /[\t-\r\u001c- \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

/** The text of a code as it is stored and answered: without blanks at its ends, as existing clients know it. */
export function trimmed(text: string): string {
  // an expression for blanks at the end would look at each blank in the midst of a long text again and again
  const isBlank = (at: number): boolean => BLANK.test(text[at] as string)
  let [start, end] = [0, text.length]
  while (start < end && isBlank(start)) start++
  while (start < end && isBlank(end - 1)) end--
  return text.slice(start, end)
}

/** Controls, formats, surrogates without their other half, private and unassigned characters: what a code is found without. */
const UNSEEN = /\p{C}/gu

/**
 * The MD5 under which a code is found. Separators and other unseen characters do not count, so that a code with them and one that a
 * scanner sent without are the same. Labels that are printed, and codes that were linked elsewhere, are found by it: it never changes.
 */
export const barcodeHash = (text: string): string => createHash('md5').update(trimmed(text).replace(UNSEEN, '')).digest('hex')

/** The same over the decoded form: equal however a scanner writes the separators, and a code of GS1 its elements. */
export function barcodeKey(text: string): string {
  const code = trimmed(text)
  return barcodeHash(canonicalGs1(code) ?? withSeparators(code))
}

/** Whether nothing of a code is seen: all such codes would be found by the same hash, or key. */
export const isBlankCode = (text: string): boolean => barcodeKey(text) === BLANK_KEY

const BLANK_KEY = barcodeKey('')

/** The columns of an object to which a code is linked. */
export type BarcodeColumns = { barcode_data: string; barcode_hash: string; barcode_key: string }

/** What is written to an object with a code, whoever writes it; of an empty text, to one without. */
export function barcodeColumns(text: string): BarcodeColumns {
  if (text === '') return { barcode_data: '', barcode_hash: '', barcode_key: '' }
  const [hash, key] = [barcodeHash(text), barcodeKey(text)]
  return { barcode_data: text, barcode_hash: hash, barcode_key: key === hash ? '' : key }
}
