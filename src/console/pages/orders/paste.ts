import type { Source } from '../../kit/form/chooser.tsx'
import type { Values } from '../../kit/form/form.tsx'
import { count, t } from '../../kit/language/language.ts'
import { attempt, showToast, warn } from '../../kit/page/toast.tsx'
import { get, type Page, post, withQuery } from '../../kit/service/api.ts'
import type { Pasted } from './pasted-table.ts'

/** Maximum number of search results that are checked for an exact match with a pasted name. */
const MAX_SEARCHED_ROWS = 50

type Task<Row> = {
  from: Source<Row>
  /** The texts that identify a row: its numbers and names. */
  names: (row: Row) => readonly (string | null | undefined)[]
  path: string
  /** Builds the body of a new line. */
  body: (row: Row, quantity: string) => Values | Promise<Values>
}

/** Adds a line for each row whose names identify exactly one part, and reports the rows that were skipped. */
export async function pasteLines<Row extends { pk: number }>(rows: readonly Pasted[], task: Task<Row>): Promise<void> {
  const passed: string[] = []
  let createdCount = 0
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
        createdCount++
      }
    }
  })
  if (createdCount > 0) showToast(count('orders.pasted', createdCount))
  if (passed.length > 0) warn(t('orders.not-pasted', { rows: passed.join(', ') }))
}

/** The single part that matches every name with any match; undefined if names match several parts, none, or different ones. */
async function partCalled<Row extends { pk: number }>(called: readonly string[], task: Task<Row>): Promise<Row | undefined> {
  const { from, names } = task
  let common: readonly Row[] | undefined
  for (const name of called) {
    const lowerName = name.toLowerCase()
    const response = await get<Page<Row>>(withQuery(from.url, { ...from.query, search: name, limit: MAX_SEARCHED_ROWS }))
    const fitting = response.body.results.filter((row) => names(row).some((one) => one?.toLowerCase() === lowerName))
    if (fitting.length === 0) continue
    const before = common
    common = before ? before.filter(({ pk }) => fitting.some((row) => row.pk === pk)) : fitting
    if (common.length === 0) return undefined
  }
  return common?.length === 1 ? common[0] : undefined
}
