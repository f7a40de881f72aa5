import { getTableName } from 'drizzle-orm'
import type { Condition, Search } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { type Expression, type Parameters, quote, Scope } from '../sql/sql.ts'

/** Which rows a list has, and in which order they come, as SQL of the alias `t`. */
export type ListRows = {
  table: string
  /** What rows have to fulfil; empty where that is nothing. */
  where: string
  /** The same, but for what a search looks for; and what each search does. */
  others: string
  searches: { search: Search; fill: (sql: Expression, scope: Scope) => string }[]
  /** Whether a text is looked for, in whatever way. */
  isSearch: boolean
  /** `from ... where ...` of all of them. */
  found: string
  /** The terms of the order, with their directions. */
  by: string[]
  /** The joins of the conditions, those of the order, and both. */
  joins: { found: string; order: string; both: string }
  /** How many rows there are, where that is kept or can be counted. */
  kept: string | undefined
}

const numbers = new WeakMap<Resource, number>()
let resourceCount = 0

/** Tells the lists of a resource from those of others, in what statements are kept under. */
export function numberOf(resource: Resource): number {
  const number = numbers.get(resource) ?? ++resourceCount
  numbers.set(resource, number)
  return number
}

/** What the conditions and the order of a list are in SQL; each condition has its values under its place among all of them. */
export function listRows(
  resource: Resource,
  { conditions, order }: { conditions: readonly Condition[]; order: readonly string[] },
  parameters: Parameters,
): ListRows {
  const table = quote(getTableName(resource.table))
  const hit = new Scope(resource.table, 't', parameters)
  const fill = (sql: Expression, scope: Scope, at: number) =>
    scope.expression(sql, (name) => (name.startsWith('value') ? `${at}:${name}` : name))
  const filled = conditions.map(({ sql, search }, at) => ({ sql: `(${fill(sql, hit, at)})`, search, at }))
  const where = filled.map(({ sql }) => sql).join(' and ')
  const ordered = new Scope(resource.table, 't', parameters)
  const by = order.map((entry) => ordered.expression(entry))
  return {
    table,
    where,
    others: filled.flatMap(({ sql, search }) => (search ? [] : [sql])).join(' and '),
    searches: filled.flatMap(({ search, at }) =>
      search ? [{ search, fill: (sql: Expression, scope: Scope) => fill(sql, scope, at) }] : [],
    ),
    isSearch: / ilike | ~\* /.test(where),
    found: `from ${table} t ${hit.joins}${where ? ` where ${where}` : ''}`,
    by,
    joins: {
      found: hit.joins,
      order: ordered.joins,
      // both name the same ones alike
      both: [...new Set([...hit.joinList, ...ordered.joinList])].join(' '),
    },
    // of all rows it is known how many they are, and of those that fulfil some conditions
    kept: conditions.length === 1 ? resource.tallied?.[conditions[0]?.sql as string]?.rows : undefined,
  }
}
