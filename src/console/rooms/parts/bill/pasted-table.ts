import { t } from '../../../kit/language/language.ts'
import { isNumber } from './imported-number.ts'

/** A piece of a table, as spreadsheets give it, as a file of which the first row is the headings. Undefined for a single text, which is what somebody searches. */
export function pastedTable(text: string): File | undefined {
  const separator = text.includes('\t') ? '\t' : ';'
  const rows = text
    .split(/\r?\n/)
    .filter((row) => row.trim())
    .map((row) => row.split(separator))
  const [first = []] = rows
  if (rows.length < 2 && first.length < 2) return undefined
  const headings = hasHeadings(rows) ? '' : `${first.map((_, at) => t('parts.pasted-column', { at: at + 1 })).join(separator)}\n`
  return new File([headings, text], `${t('parts.pasted')}.${separator === '\t' ? 'tsv' : 'csv'}`)
}

/** Whether the first row has no number, where others have: without that, it is a row as all others, and must not be lost. */
function hasHeadings([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  const hasNumber = (row: readonly string[]) => row.some((cell) => isNumber(cell.trim()))
  return !hasNumber(first) && rest.some(hasNumber)
}
