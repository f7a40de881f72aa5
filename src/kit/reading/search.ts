import { getTableName } from 'drizzle-orm'
import { type Condition, FLAG_TRUE, type Query, regexCondition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { invalid } from '../request/problem.ts'
import { type Expression, Parameters, quote, referencedTableOf, Scope } from '../sql/sql.ts'

/** More words than anyone types; each costs a pass over what is searched. */
const MAX_TERMS = 20

/** A text holds the word. Columns order by code point, but in a search "Ä" finds "ä". */
export const contains = (text: Expression): Expression => `${text}::text collate "default" ilike {@value}`

/**
 * What a list searches, as ways to find rows: each a condition with `{@value}`, a LIKE pattern. The texts of the row itself
 * are one way. Those of an object it refers to (`{part.name}`) are another: that object is looked up first, and the rows then
 * by reference. So each way has an index of its own, where one condition over joined tables has none.
 */
export function searched(resource: Resource): Expression[] {
  const own = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.search ? [field.column ? `{${field.column.name}}` : (field.sql ?? name)] : [],
  )
  const texts: Expression[] = []
  const others: Expression[] = []
  const referred = new Map<string, string[]>()
  for (const entry of [...own, ...(resource.search ?? [])]) {
    const [, step, path] = /^\{(\w+)\.([\w.]+)\}$/.exec(entry) ?? []
    if (step && path && referencedTableOf(resource.table, step)) referred.set(step, [...(referred.get(step) ?? []), path])
    else if (entry.includes('{@value}')) others.push(entry)
    else texts.push(contains(entry.startsWith('{') ? entry : `(${entry})`))
  }
  for (const [step, paths] of referred) others.push(amongReferred(resource, step, paths))
  return texts.length ? [texts.join(' or '), ...others] : others
}

/** The rows whose reference is one of the objects that fit. */
function amongReferred(resource: Resource, step: string, paths: readonly string[]): Expression {
  const table = referencedTableOf(resource.table, step)
  if (!table) throw new Error(`${getTableName(resource.table)}: nothing to search over "${step}"`)
  const scope = new Scope(table, 'referred', new Parameters())
  const fits = paths.map((path) => contains(scope.column(path))).join(' or ')
  return `{${step}} in (select "referred"."pk" from ${quote(getTableName(table))} "referred" ${scope.joins} where ${fits})`
}

/** The rows that any of the ways finds. */
function anyWay(resource: Resource): Expression {
  const ways = searched(resource).map((way) => {
    const scope = new Scope(resource.table, 'found', new Parameters())
    const condition = way.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => scope.column(path))
    return `select "found"."pk" from ${quote(getTableName(resource.table))} "found" ${scope.joins} where ${condition}`
  })
  return ways.length ? `{pk} in (${ways.join(' union all ')})` : ''
}

const places = new WeakMap<Resource, Expression>()

/** The conditions of a search: every word must occur in one of the searched places, ignoring case. */
export function readSearch(resource: Resource, query: Query): Condition[] {
  if (!query.search) return []
  const known = places.get(resource) ?? anyWay(resource)
  places.set(resource, known)
  if (!known) return []
  const terms = query.search.split(/[\s,]+/).filter(Boolean)
  if (terms.length > MAX_TERMS) throw invalid({ search: [`Search for no more than ${MAX_TERMS} words.`] })
  const [isRegex, isWhole] = [query.search_regex, query.search_whole].map((flag) => FLAG_TRUE.has(flag ?? ''))
  if (isRegex || isWhole) {
    const byRegex = known.replaceAll(' ilike ', ' ~* ')
    return terms.map((term) => {
      const expression = isRegex ? term : term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return regexCondition('search', byRegex, isWhole ? `\\y(?:${expression})\\y` : expression)
    })
  }
  return terms.map((term) => ({ sql: known, values: [`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`] }))
}
