import { isSingleText, readDelimited } from '../../../../tables/delimited-text.ts'
import { t } from '../../../kit/language/language.ts'

/** A piece of a table, as spreadsheets and files give it, as a file. Undefined for a single text, which is what somebody searches. */
export function pastedFile(text: string): File | undefined {
  const { rows, separator } = readDelimited(text)
  const filled = rows.filter((row) => row.some((cell) => cell.trim()))
  return isSingleText(filled, separator) ? undefined : new File([text], `${t('parts.pasted')}.txt`)
}
