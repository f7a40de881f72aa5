import type { Action, Request } from '../../kit/definition/action.ts'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { buildPageResponse, getWindow } from '../../kit/http/page.ts'
import { staff } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import { INVALID_BULK_ITEM, invalidBulkFilter, readBulkSelection } from '../../kit/writing/bulk.ts'

/** Jobs of pg-boss in one of their states: the fields of a list entry, as SQL over a job `j`, and the filters for deleting. */
export type Tasks = {
  /** The states, as a condition. */
  where: string
  /** SQL of each field of an entry, by its name. The input of a job (`data`) is confidential and never included. */
  fields: Readonly<Record<string, string>>
  /** Names to order by. */
  order: readonly string[]
  /** Converts a row for the response. */
  toEntry?: (row: Record<string, unknown>) => Record<string, unknown>
}

/** Returns a page of the jobs in this state, the newest last. */
export async function listTasks({ where, fields, order, toEntry = (row) => row }: Tasks, request: Request<Record<never, never>>) {
  const { query, database } = request
  const { limit, offset } = getWindow(request)
  const ordering = (query.ordering ?? '').split(',').flatMap((name) => {
    const plain = name.trim().replace(/^-/, '')
    return order.includes(plain) ? [`${fields[plain]} ${name.trim().startsWith('-') ? 'desc' : 'asc'} nulls last`] : []
  })
  const columns = Object.entries(fields).map(([name, sql]) => `${sql} as "${name}"`)
  const words = (query.search ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, 10)
  const condition = `${where} and not exists (select from unnest($1::text[]) word where position(lower(word) in lower(j.name)) = 0)`
  const [[total], rows] = await Promise.all([
    database.read<{ count: number }>({
      text: `select count(*)::integer as count from pgboss.job j where ${condition}`,
      values: [words],
    }),
    database.read({
      text: `select ${columns.join(', ')} from pgboss.job j where ${condition}
        order by ${[...ordering, 'j.created_on', 'j.id'].join(', ')} limit $2 offset $3`,
      values: [words, limit ?? request.config.maxPageSize, offset],
    }),
  ])
  return buildPageResponse(
    rows.map((row) => JSON.stringify(toEntry(row))),
    total?.count ?? 0,
    request,
  )
}

/** Defines DELETE on a list of jobs. */
export const deleteTasks = (path: string, tasks: Tasks, docs: { summary: string; description: string }): Action =>
  action({
    method: 'DELETE',
    path,
    ...docs,
    access: staff,
    errors: { invalid: 'Neither `items` nor `filters` selects tasks, or they are not a list and an object.' },
    status: 204,
    worksOnFullDisk: true,
    readsBody: true,
    body: {
      items: input.json({ help: 'The tasks to delete.' }),
      filters: input.json({ help: 'Only objects whose fields have these values.' }),
    },
    async run({ tx, raw }) {
      const { items, filters } = readBulkSelection(raw)
      const conditions = [tasks.where]
      const values: unknown[] = []
      const pk = `(${tasks.fields.pk})::text`
      if (items) {
        if (!items.every((item) => typeof item === 'string' || typeof item === 'number'))
          throw invalid({ items: [INVALID_BULK_ITEM] })
        conditions.push(`${pk} = any($${values.push(items.map(String))}::text[])`)
      }
      for (const [name, value] of Object.entries(filters)) {
        if (!FILTERS.includes(name) || value === null || typeof value === 'object')
          throw invalid({ filters: [invalidBulkFilter(name)] })
        conditions.push(`${name === 'pk' ? pk : tasks.fields[name]} = $${values.push(String(value))}::text`)
      }
      if (conditions.length > 1) await tx.query(`delete from pgboss.job j where ${conditions.join(' and ')}`, values)
    },
  })

const FILTERS = ['pk', 'func', 'name']
