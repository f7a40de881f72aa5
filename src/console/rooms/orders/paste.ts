import { readDelimited } from '../../../tables/delimited-text.ts'
import type { HeadingField } from '../../../tables/heading-words.ts'
import { areRunningNumbers, fieldOfHeading, findHeadingRow } from '../../../tables/headings.ts'
import { importedNumbers, isNumber } from '../../../tables/numbers.ts'
import type { Source } from '../../kit/form/chooser.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { count, decimalSign, t } from '../../kit/language/language.ts'
import { attempt, tell, warn } from '../../kit/page/toast.tsx'
import { get, type Page, post, withQuery } from '../../kit/service/api.ts'

/** A row that was pasted: what names its part, and how many; undefined where that is no number, or one that can be read in two ways. */
export type Pasted = { names: readonly string[]; quantity: string | undefined; text: string }

/** A pasted piece of a table, and which of its columns name the part and have the quantity, as far as that is sure. */
export type PastedTable = {
  /** Undefined where the columns have none. */
  headings: readonly string[] | undefined
  rows: readonly (readonly string[])[]
  /** None where somebody has to say it. */
  names: readonly number[]
  /** `one` of each, where there are no numbers; undefined where somebody has to say it. */
  quantity: number | 'one' | undefined
}

/** The fields that name a part, those first that tell most. */
const NAMING: readonly HeadingField[] = ['part_sku', 'part_ipn', 'part_mpn', 'part', 'part_name']

/** Of a name that is exactly that of a part, how many that begin or end with it are looked through. */
const LOOKED_THROUGH = 50

/**
 * The rows of a piece of a table, as spreadsheets, files and mails give it. Headings say what its columns are. Without them the first column
 * names the part, and the quantity is the only column with numbers: of several nobody knows which is a price. Undefined for a single text,
 * which is what somebody searches.
 */
export function pastedTable(text: string): PastedTable | undefined {
  const read = readDelimited(text)
  const rows = read.rows.map((row) => row.map((cell) => cell.trim())).filter((row) => row.some(Boolean))
  const head = findHeadingRow(rows)
  const body = head === undefined ? rows : rows.slice(head + 1)
  const width = Math.max(0, ...rows.map(({ length }) => length))
  const columnOf = (at: number) => body.map((row) => row[at] ?? '')
  const columns = Array.from({ length: width }, (_, at) => at)
  const numeric = columns.filter((at) => columnOf(at).some(isNumber))
  if (rows.length < 2 && (width < 2 || read.separator === ',')) return undefined
  if (head !== undefined) return { ...byHeadings(rows[head] ?? [], columnOf, numeric), rows: body }
  // names may have commas
  if (width === 1 || (read.separator === ',' && numeric.length === 0))
    return { headings: undefined, rows: rows.map((row) => [row.join(', ')]), names: [0], quantity: 'one' }
  const others = numeric.filter((at) => at !== 0)
  const isNumbered = columnOf(0).every(isNumber) && columns.length > others.length + 1
  return {
    headings: undefined,
    rows,
    names: isNumbered ? [] : [0],
    quantity: isNumbered || others.length !== 1 ? undefined : others[0],
  }
}

function byHeadings(headings: readonly string[], columnOf: (at: number) => readonly string[], numeric: readonly number[]) {
  const known = headings.map(fieldOfHeading)
  const best = (field: HeadingField) =>
    known
      .flatMap((found, at) => (found?.field === field ? [{ at, rank: found.rank }] : []))
      .filter(({ at }) => field !== 'part' || !areRunningNumbers(columnOf(at)))
      .toSorted((one, other) => one.rank - other.rank)[0]?.at
  const names = NAMING.flatMap((field) => best(field) ?? [])
  const others = numeric.filter((at) => !names.includes(at))
  return {
    headings,
    names,
    quantity: best('quantity') ?? (others.length === 0 && names.length > 0 ? ('one' as const) : undefined),
  }
}

/** The rows of a table whose columns are known. */
export function rowsOf({ rows }: PastedTable, names: readonly number[], quantity: number | 'one'): readonly Pasted[] {
  const texts = rows.map((row) => (quantity === 'one' ? '1' : (row[quantity] ?? '')))
  const amounts = importedNumbers(texts, decimalSign(), true)
  return rows.flatMap((row, at) => {
    const named = names.flatMap((place) => row[place] || [])
    return named.length > 0 ? [{ names: named, quantity: amountOf(amounts[at] ?? ''), text: texts[at] ?? '' }] : []
  })
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

/** Makes a line of each row whose names are those of exactly one part, and says which were passed over. */
export async function pasteLines<Row extends { pk: number }>(rows: readonly Pasted[], task: Task<Row>): Promise<void> {
  const passed: string[] = []
  let made = 0
  await attempt(async () => {
    for (const { names, quantity, text } of rows) {
      const called = names.join(' · ')
      if (quantity === undefined) {
        passed.push(`${called} (${text})`)
        continue
      }
      const only = await partCalled(names, task)
      if (only === undefined) passed.push(called)
      else {
        await post(task.path, await task.body(only, quantity))
        made++
      }
    }
  })
  if (made > 0) tell(count('orders.pasted', made))
  if (passed.length > 0) warn(t('orders.not-pasted', { rows: passed.join(', ') }))
}

/** The one that all names fit which fit any; undefined where they fit several, none, or different ones. */
async function partCalled<Row extends { pk: number }>(called: readonly string[], task: Task<Row>): Promise<Row | undefined> {
  const { from, names } = task
  let common: readonly Row[] | undefined
  for (const name of called) {
    const wanted = name.toLowerCase()
    const found = await get<Page<Row>>(withQuery(from.url, { ...from.query, search: name, limit: LOOKED_THROUGH }))
    const fitting = found.body.results.filter((row) => names(row).some((one) => one?.toLowerCase() === wanted))
    if (fitting.length === 0) continue
    const before = common
    common = before ? before.filter(({ pk }) => fitting.some((row) => row.pk === pk)) : fitting
    if (common.length === 0) return undefined
  }
  return common?.length === 1 ? common[0] : undefined
}
