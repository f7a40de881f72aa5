import { readDelimited } from '../../../../tables/delimited-text.ts'
import { t } from '../../../kit/language/language.ts'

/** A piece of a table, as spreadsheets and files give it, as a file. Undefined for a single text, which is what somebody searches. */
export function pastedTable(text: string): File | undefined {
  const { rows, separator } = readDelimited(text)
  const [first, ...more] = rows.filter((row) => row.some((cell) => cell.trim()))
  // a name may have a comma
  const isSingle = more.length === 0 && ((first?.length ?? 0) < 2 || separator === ',')
  return isSingle ? undefined : new File([text], `${t('parts.pasted')}.txt`)
}
