import type { Source } from '../../kit/form/combobox.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { count, t } from '../../kit/language/language.ts'
import { attempt, showToast, warn } from '../../kit/page/toast.tsx'
import { get, type Page, post, withQuery } from '../../kit/service/api.ts'
import type { PastedRow } from './pasted-table.ts'

/** Maximum number of search results that are checked for an exact match with a pasted name. */
const MAX_SEARCHED_ROWS = 50

type PasteOptions<Row> = {
  source: Source<Row>
  /** The strings that identify a row: its numbers and names. */
  getNames: (row: Row) => readonly (string | null | undefined)[]
  path: string
  /** Builds the body of a new line. */
  createBody: (row: Row, quantity: string) => Values | Promise<Values>
}

/** Adds a line for each row whose names identify exactly one part, and reports the rows that were skipped. */
export async function pasteLines<Row extends { pk: number }>(rows: readonly PastedRow[], task: PasteOptions<Row>): Promise<void> {
  const skippedRows: string[] = []
  let createdCount = 0
  await attempt(async () => {
    for (const { names: getNames, quantity, text } of rows) {
      const label = getNames.join(' · ')
      if (quantity === undefined) {
        skippedRows.push(`${label} (${text})`)
        continue
      }
      const match = await findOnlyMatch(getNames, task)
      if (match === undefined) skippedRows.push(label)
      else {
        await post(task.path, await task.createBody(match, quantity))
        createdCount++
      }
    }
  })
  if (createdCount > 0) showToast(count('orders.pasted', createdCount))
  if (skippedRows.length > 0) warn(t('orders.not-pasted', { rows: skippedRows.join(', ') }))
}

/** The only part that all names with a match have in common; undefined if there is none, or there are several. */
async function findOnlyMatch<Row extends { pk: number }>(
  pastedNames: readonly string[],
  task: PasteOptions<Row>,
): Promise<Row | undefined> {
  const { source, getNames } = task
  let candidates: readonly Row[] | undefined
  for (const name of pastedNames) {
    const lowerName = name.toLowerCase()
    const response = await get<Page<Row>>(withQuery(source.url, { ...source.query, search: name, limit: MAX_SEARCHED_ROWS }))
    const matches = response.body.results.filter((row) => getNames(row).some((one) => one?.toLowerCase() === lowerName))
    if (matches.length === 0) continue
    const previous = candidates
    candidates = previous ? previous.filter(({ pk }) => matches.some((row) => row.pk === pk)) : matches
    if (candidates.length === 0) return undefined
  }
  return candidates?.length === 1 ? candidates[0] : undefined
}
