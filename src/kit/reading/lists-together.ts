import type { Resource } from '../definition/resource.ts'
import type { Caller } from '../request/caller.ts'
import { Problem } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { nameOf } from '../sql/statement.ts'
import { type ListRequest, runList, settlePage, statementOf } from './list.ts'
import type { Page } from './list-memory.ts'
import { type RegexLimits, readByRegex } from './regex.ts'

/** A list, and what is asked of it. */
export type AskedList = { resource: Resource; request: ListRequest }

/**
 * Reads pages of several lists in one statement, and so in one snapshot. Gives each page, in the order of the lists, or what its list is
 * refused for, which is no matter of the others.
 */
export async function runLists(
  lists: readonly AskedList[],
  caller: Caller | undefined,
  services: Services,
): Promise<(Page | Problem)[]> {
  const pages = await readTogether(lists, caller, services)
  const read = lists.map(({ resource, request }, at) => () => {
    const page = pages?.[at]
    return page ? settlePage(resource, request, page, caller, services) : runList(resource, request, caller, services)
  })
  const answers: (Page | Problem)[] = []
  // one after the other: what looks again is rare, and holds one connection
  for (const list of read) answers.push(await list().catch(refusalOf))
  return answers
}

function refusalOf(error: unknown): Problem {
  if (error instanceof Problem && error.code === 'invalid') return error
  throw error
}

/** The pages of all lists; undefined where one of them is refused: which of them, each tells by itself. */
async function readTogether(
  lists: readonly AskedList[],
  caller: Caller | undefined,
  services: Services,
): Promise<Page[] | undefined> {
  if (lists.length === 0) return []
  const values: unknown[] = []
  const parts = lists.map(({ resource, request }, at) => {
    const { statement, values: own } = statementOf(resource, request, caller, services)
    const before = values.length
    // nothing of these pages is known yet
    const given: Record<string, unknown> = { ...own, knownPage: null, knownCount: null }
    values.push(...statement.names.map((name) => given[name]))
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`)
    return `select '${at}', list.count, list.rows from (${text}) list (page_stamp, count_stamp, count, rows)`
  })
  const byRegex = lists.flatMap(({ request }) => request.conditions.filter(({ regex }) => regex))
  const text = parts.join(' union all ')
  const read = (limits?: RegexLimits) => services.database.texts({ text, values, name: nameOf(text), ...limits })
  const rows = await (byRegex.length ? readByRegex(byRegex, services, read) : read()).catch(refusalOf)
  if (rows instanceof Problem) return undefined
  const pages: Page[] = []
  for (const [at, count, texts] of rows) pages[Number(at)] = { count: Number(count), rows: texts as string }
  return pages
}
