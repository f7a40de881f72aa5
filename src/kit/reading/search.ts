import { getTableName } from 'drizzle-orm'
import { SPECIFICATION_WIRE, type Wire } from '../../wire.ts'
import { buildRegexCondition, type Condition, type Query, type Search, TRUE_WORDS } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { invalidQuery } from '../request/problem.ts'
import { type Expression, findTableReferencedByKey, Parameters, Scope } from '../sql/sql.ts'
import { foldRegularExpression, foldSql, foldText } from '../values/fold-text.ts'
import { queryErrors } from '../values/value-errors.ts'

/** Maximum number of words. Each requires a search of its own. */
const MAX_TERMS = 20

/** Builds the condition that a text contains the word, in any Unicode form. Columns sort by code point, but in a search "Ä" finds "ä". */
export const buildContains = (text: Expression): Expression => `${foldSql(text)} collate "default" ilike {@value}`

/** A condition with `{@value}`, a LIKE pattern: in a form that uses an index, and in one that checks a single row. */
type SearchCondition = { sql: Expression; rowCondition: Expression }

/**
 * The conditions that search the texts of a list. The texts of the row itself are one condition. Those of an object that it refers to
 * (`{part.name}`) are another: that object is looked up first, and then the rows that refer to it. So each condition can use an index, while
 * one condition over joined tables cannot.
 */
export function listSearchConditions(resource: Resource): SearchCondition[] {
  const fieldTexts = Object.entries(resource.fields).flatMap(([name, field]) =>
    field.search ? [field.column ? `{${field.column.name}}` : (field.sql ?? name)] : [],
  )
  const texts: Expression[] = []
  const otherConditions: SearchCondition[] = []
  const referred = new Map<string, string[]>()
  for (const entry of [...fieldTexts, ...(resource.search ?? [])]) {
    const [, step, path] = /^\{(\w+)\.([\w.]+)\}$/.exec(entry) ?? []
    if (step && path && findTableReferencedByKey(resource.table, step)) referred.set(step, [...(referred.get(step) ?? []), path])
    else if (entry.includes('{@value}')) otherConditions.push({ sql: entry, rowCondition: entry })
    else texts.push(buildContains(entry.startsWith('{') ? entry : `(${entry})`))
  }
  for (const [step, paths] of referred) otherConditions.push(buildReferencedCondition(resource, step, paths))
  const rowTextCondition = texts.join(' or ')
  return texts.length ? [{ sql: rowTextCondition, rowCondition: rowTextCondition }, ...otherConditions] : otherConditions
}

/** The rows whose reference is one of the matching objects. */
function buildReferencedCondition(resource: Resource, step: string, paths: readonly string[]): SearchCondition {
  const table = findTableReferencedByKey(resource.table, step)
  if (!table) throw new Error(`${getTableName(resource.table)}: nothing to search over "${step}"`)
  const scope = new Scope(table, 'referred', new Parameters())
  const matches = paths.map((path) => buildContains(scope.column(path))).join(' or ')
  return {
    sql: `{${step}} in (select "referred"."pk" ${scope.source} where ${matches})`,
    rowCondition: `exists (select ${scope.source} where "referred"."pk" = {${step}} and (${matches}))`,
  }
}

/** Combines the conditions of a resource: the rows that match any of them. */
function combineSearch(resource: Resource): Search | undefined {
  const searchConditions = listSearchConditions(resource)
  if (searchConditions.length === 0) return undefined
  const keys = searchConditions.map(({ sql }) => {
    const scope = new Scope(resource.table, 'found', new Parameters())
    const condition = sql.replaceAll(/\{([\w.]+)\}/g, (_, path: string) => scope.column(path))
    return `select "found"."pk" ${scope.source} where ${condition}`
  })
  return {
    keys: keys.join(' union all '),
    rowCondition: searchConditions.map(({ rowCondition }) => `(${rowCondition})`).join(' or '),
  }
}

const searches = new WeakMap<Resource, Search | undefined>()

/** Resources as clients of API 530 search them. */
const searchedByNew = new WeakMap<Resource, Resource>()

const searchedWithNotes = new WeakMap<Resource, Resource>()

/** The resource with further searched expressions. */
function searchAlso(resource: Resource, expressions: readonly Expression[], cache: WeakMap<Resource, Resource>): Resource {
  const cached = cache.get(resource)
  const searched = cached ?? { ...resource, search: [...(resource.search ?? []), ...expressions] }
  cache.set(resource, searched)
  return searched
}

function getSearched(resource: Resource, { searchesMore }: Pick<Wire, 'searchesMore'>, isWithNotes: boolean): Resource {
  const { searchedBy530 } = resource
  const searched = searchesMore && searchedBy530 ? searchAlso(resource, searchedBy530, searchedByNew) : resource
  const { notes } = resource.fields
  return isWithNotes && notes?.column && !notes.search ? searchAlso(searched, ['{notes}'], searchedWithNotes) : searched
}

/** The conditions of a search: every word must occur in one of the searched texts, ignoring case and the form of characters. */
export function readSearch(searched: Resource, query: Query, wire: Pick<Wire, 'searchesMore'> = SPECIFICATION_WIRE): Condition[] {
  if (!query.search) return []
  const resource = getSearched(searched, wire, TRUE_WORDS.has((query.search_notes ?? '').toLowerCase()))
  const cached = searches.has(resource) ? searches.get(resource) : combineSearch(resource)
  searches.set(resource, cached)
  if (!cached) return []
  const isOn = (flag: string | undefined) => TRUE_WORDS.has((flag ?? '').toLowerCase())
  const [isRegex, isWhole] = [isOn(query.search_regex), isOn(query.search_whole)]
  const foldedSearch = isRegex ? foldRegularExpression(query.search) : foldText(query.search)
  const terms = foldedSearch.split(/[\s,]+/).filter(Boolean)
  if (terms.length > MAX_TERMS) throw invalidQuery({ search: [queryErrors.too_many_search_words({ max_words: MAX_TERMS })] })
  if (isRegex || isWhole) {
    const toRegexSql = (sql: Expression) => sql.replaceAll(' ilike ', ' ~* ')
    const search = { keys: toRegexSql(cached.keys), rowCondition: toRegexSql(cached.rowCondition) }
    return terms.map((term) => {
      const expression = isRegex ? term : term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return {
        ...buildRegexCondition('search', buildKeysCondition(search), isWhole ? `\\y(?:${expression})\\y` : expression),
        search,
      }
    })
  }
  return terms.map((term) => ({
    sql: buildKeysCondition(cached),
    values: [`%${term.replaceAll(/[\\%_]/g, '\\$&')}%`],
    search: cached,
  }))
}

const buildKeysCondition = ({ keys }: Search): Expression => `{pk} in (${keys})`
