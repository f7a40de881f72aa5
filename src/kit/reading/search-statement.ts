import type { Search } from '../definition/filter.ts'
import type { Expression, Scope } from '../sql/sql.ts'

/** Maximum number of rows that are always checked one by one, which takes about 10 ms. */
const MAX_FEW_ROWS = 1_000
/** Maximum number of rows that are checked one by one if the words match more rows than this. */
const MAX_SOME_ROWS = 20_000
/** Number of hits beyond which a page is faster by scanning the list in its order than by sorting them. */
const MIN_MANY_ROWS = 100_000

/** A condition of a list, and the function that turns its expressions into SQL of a scope. */
type Term = { search: Search; fill: (expression: Expression, scope: Scope) => string }

/**
 * Builds the parts of a `with` clause that find the keys of a search's hits, as `hit`. Each word is looked up by indexes in the whole table,
 * and the keys of all words are intersected. If the other conditions match few rows, or a moderate number while the words match very many,
 * those rows are checked instead.
 * @param terms the words; none if only a filter has a regular expression
 * @param filters the other conditions, as one, and their joins; possibly none
 * @param scope creates a scope of the rows `t`
 */
export function buildHitParts(
  table: string,
  terms: readonly Term[],
  filters: { where: string; joins: string },
  scope: () => Scope,
): string[] {
  const [keys = '', ...further] = terms.map(
    ({ search, fill }, index) => `k${index}.pk from (${fill(search.keys, scope())}) k${index}`,
  )
  const matchSql = [`select distinct ${keys}`, ...further.map((more) => `select ${more}`)].join(' intersect ')
  if (!filters.where) return [`hit as materialized (${matchSql})`]
  const row = scope()
  const rowCondition = terms.map(({ search, fill }) => `(${fill(search.rowCondition, row)})`).join(' and ')
  const filteredSql = (condition: string) => `select t.pk from ${table} t ${filters.joins} where ${filters.where} ${condition}`
  if (!keys) return [`hit as materialized (${filteredSql('')})`]
  const checkRows = (rows: string, condition: string) =>
    `select t.pk from ${rows} candidate join ${table} t on t.pk = candidate.pk ${row.joins} where ${condition} and ${rowCondition}`
  const areFew = `(select count(*) from few) <= ${MAX_FEW_ROWS}`
  const areSome = `(select count(*) from some_rows) between 1 and ${MAX_SOME_ROWS}`
  return [
    `few as materialized (${filteredSql(`limit ${MAX_FEW_ROWS + 1}`)})`,
    `matching as materialized (select pk from (${matchSql}) found where not ${areFew})`,
    `some_rows as materialized (${filteredSql(`and (select count(*) from matching) > ${MAX_SOME_ROWS} limit ${MAX_SOME_ROWS + 1}`)})`,
    `hit as materialized (
       ${checkRows('few', areFew)}
       union all
       ${checkRows('some_rows', areSome)}
       union all
       select filtered.pk from matching cross join lateral (${filteredSql('and t.pk = matching.pk limit 1')}) filtered where not ${areFew} and not ${areSome}
     )`,
  ]
}

/** The order of a page: its terms with their directions, the joins that they need, and the end of the rows (`limit 25`, or nothing). */
type Order = { by: readonly string[]; joins: string; end: string }

/**
 * The keys of a page of `hit`, in order. Hits are fetched one by one, which is fast for the few of most searches; if there are very many,
 * the list is scanned in its order, by an index, until the page is full.
 * @param furtherConditions further conditions of the rows `t`
 */
export function buildHitPage(table: string, { by, joins, end }: Order, furtherConditions: readonly string[]): string {
  const terms = by.map((term) => /^(.*) ((?:asc|desc)(?: nulls last)?)$/s.exec(term) as unknown as [string, string, string])
  const columns = terms.map(([, sql], index) => `${sql} as by${index}`).join(', ')
  const order = terms.map(([, , direction], index) => `found.by${index} ${direction}`).join(', ')
  const areMany = `(select count(*) from hit) > ${MIN_MANY_ROWS}`
  const where = (...conditions: string[]) => [...conditions, ...furtherConditions].join(' and ')
  const fetchHits = (condition: string) => `select found.pk from hit cross join lateral (
      select t.pk, ${columns} from ${table} t ${joins} where ${where('t.pk = hit.pk')} limit 1
    ) found where ${condition} order by ${order} ${end}`
  if (!end) return fetchHits('true')
  // inside an expression hits are a hash table to probe, and the planner cannot start from them
  const isHit = 'case when t.pk in (select pk from hit) then true end'
  return `select pk from (${fetchHits(`not ${areMany}`)}) fetched
    union all select pk from (select t.pk from ${table} t ${joins} where ${where(areMany, isHit)} order by ${by.join(', ')} ${end}) scanned`
}
