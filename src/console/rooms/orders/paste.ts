import type { Source } from '../../kit/form/chooser.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { count, decimalSign, t } from '../../kit/language/language.ts'
import { attempt, tell, warn } from '../../kit/page/toast.tsx'
import { get, type Page, post, withQuery } from '../../kit/service/api.ts'
import { importedNumbers } from '../parts/bill/imported-number.ts'

/** A row that was pasted: the number or name of a part, and how many; undefined where that is no number, or one that can be read in two ways. */
export type Pasted = { name: string; quantity: string | undefined; text: string }

/** Of a name that is exactly that of a part, how many that begin or end with it are looked through. */
const LOOKED_THROUGH = 50

/**
 * The rows of a piece of a table, as spreadsheets and mails give it: a number or name in the first column, and in the last how many, one
 * where that is missing. Undefined for a single text, which is what somebody searches.
 */
export function rowsIn(text: string): readonly Pasted[] | undefined {
  const rows = text
    .split(/\r?\n/)
    .map((row) => row.split(/\t|;/).map((cell) => cell.trim()))
    .filter(([name]) => name)
  if (rows.length < 2 && (rows[0]?.length ?? 0) < 2) return undefined
  const amounts = importedNumbers(
    rows.map(([, ...more]) => more.at(-1) || '1'),
    decimalSign(),
    true,
  )
  return rows.map(([name = '', ...more], at) => ({ name, quantity: amountOf(amounts[at] ?? ''), text: more.at(-1) ?? '' }))
}

const amountOf = (amount: string): string | undefined => (/^\s*\d*\.?\d+\s*$/.test(amount) ? amount.trim() : undefined)

type Task<Row> = {
  from: Source<Row>
  /** What a row can be called by: its numbers and names. */
  names: (row: Row) => readonly (string | null | undefined)[]
  path: string
  /** The body of a new line. */
  body: (row: Row, quantity: string) => Values | Promise<Values>
}

/** Makes a line of each row of which exactly one part has that number or name, and says which were passed over. */
export async function pasteLines<Row>(rows: readonly Pasted[], { from, names, path, body }: Task<Row>): Promise<void> {
  const passed: string[] = []
  let made = 0
  await attempt(async () => {
    for (const { name, quantity, text } of rows) {
      if (quantity === undefined) {
        passed.push(`${name} (${text})`)
        continue
      }
      const wanted = name.toLowerCase()
      const found = await get<Page<Row>>(withQuery(from.url, { ...from.query, search: name, limit: LOOKED_THROUGH }))
      const fitting = found.body.results.filter((row) => names(row).some((one) => one?.toLowerCase() === wanted))
      const [only] = fitting
      if (only === undefined || fitting.length > 1) passed.push(name)
      else {
        await post(path, await body(only, quantity))
        made++
      }
    }
  })
  if (made > 0) tell(count('orders.pasted', made))
  if (passed.length > 0) warn(t('orders.not-pasted', { rows: passed.join(', ') }))
}
