import { getTableName } from 'drizzle-orm'
import { type Condition, type Query, regexCondition, type Search, TRUE_WORDS } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { invalidQuery } from '../request/problem.ts'
import { type Expression, Parameters, referencedTableOf, Scope } from '../sql/sql.ts'
import { foldRegularExpression, foldSql, foldText } from '../values/fold-text.ts'
import { queryErrors } from '../values/value-errors.ts'

/** Maximum number of words; each costs a pass over the searched texts. */
const MAX_TERMS = 20

/** Whether a text contains the word, in any Unicode form. Columns sort by code point, but in a search "Ä" finds "ä". */
export const contains = (text: Expression): Expression => `${foldSql(text)} collate "default" ilike {@value}`

/** A way to find rows: a condition with `{@value}`, a LIKE pattern, that has an index, and the same as a check of one row. */
type SearchCondition = { sql: Expression; ofRow: Expression }

/**
 * The searched texts of a list, as ways to find rows. The texts of the row itself are one way. Those of an object it refers to
 * (`{part.name}`) are another: that object is looked up first, and the rows then by reference. So each way has an index of its own, while
 * one condition over joined tables has none.
 */
export function searched(resource: Resource): SearchCondition[] {
  const own = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.search ? [field.column ? `{${field.column.name}}` : (field.sql ?? name)] : [],
  )
  const texts: Expression[] = []
  const otherConditions: SearchCondition[] = []
  const referred = new Map<string, string[]>()
  for (const entry of [...own, ...(resource.search ?? [])]) {
    const [, step, path] = /^\{(\w+)\.([\w.]+)\}$/.exec(entry) ?? []
    if (step && path && referencedTableOf(resource.table, step)) referred.set(step, [...(referred.get(step) ?? []), path])
    else if (entry.includes('{@value}')) otherConditions.push({ sql: entry, ofRow: entry })
    else texts.push(contains(entry.startsWith('{') ? entry : `(${entry})`))
  }
  for (const [step, paths] of referred) otherConditions.push(referencedCondition(resource, step, paths))
  const ofItself = texts.join(' or ')
  return texts.length ? [{ sql: ofItself, ofRow: ofItself }, ...otherConditions] : otherConditions
}

/** The rows whose reference is one of the matching objects. */
function referencedCondition(resource: Resource, step: string, paths: readonly string[]): SearchCondition {
  const table = referencedTableOf(resource.table, step)
  if (!table) throw new Error(`${getTableName(resource.table)}: nothing to search over "${step}"`)
  const scope = new Scope(table, 'referred', new Parameters())
  const matches = paths.map((path) => contains(scope.column(path))).join(' or ')
  return {
    sql: `{${step}} in (select "referred"."pk" ${scope.source} where ${matches})`,
    ofRow: `exists (select ${scope.source} where "referred"."pk" = {${step}} and (${matches}))`,
  }
}

/** The rows that any of the ways finds. */
function combinedSearch(resource: Resource): Search | undefined {
  const searchConditions = searched(resource)
  if (searchConditions.length === 0) return undefined
  const keys = searchConditions.map(({ sql }) => {
    const scope = new Scope(resource.table, 'found', new Parameters())
    const condition = sql.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => scope.column(path))
    return `select "found"."pk" ${scope.source} where ${condition}`
  })
  return { keys: keys.join(' union all '), ofRow: searchConditions.map(({ ofRow }) => `(${ofRow})`).join(' or ') }
}

const searches = new WeakMap<Resource, Search | undefined>()

/** The conditions of a search: every word must occur in one of the searched texts, ignoring case and the form of characters. */
export function readSearch(resource: Resource, query: Query): Condition[] {
  if (!query.search) return []
  const cached = searches.has(resource) ? searches.get(resource) : combinedSearch(resource)
  searches.set(resource, cached)
  if (!cached) return []
  const isOn = (flag: string | undefined) => TRUE_WORDS.has((flag ?? '').toLowerCase())
  const [isRegex, isWhole] = [isOn(query.search_regex), isOn(query.search_whole)]
  const foldedSearch = isRegex ? foldRegularExpression(query.search) : foldText(query.search)
  const terms = foldedSearch.split(/[\s,]+/).filter(Boolean)
  if (terms.length > MAX_TERMS) throw invalidQuery({ search: [queryErrors.too_many_search_words({ max_words: MAX_TERMS })] })
  if (isRegex || isWhole) {
    const byRegex = (sql: Expression) => sql.replaceAll(' ilike ', ' ~* ')
    const search = { keys: byRegex(cached.keys), ofRow: byRegex(cached.ofRow) }
    return terms.map((term) => {
      const expression = isRegex ? term : term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return { ...regexCondition('search', keysCondition(search), isWhole ? `\\y(?:${expression})\\y` : expression), search }
    })
  }
  return terms.map((term) => ({
    sql: keysCondition(cached),
    values: [`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`],
    search: cached,
  }))
}

const keysCondition = ({ keys }: Search): Expression => `{pk} in (${keys})`
