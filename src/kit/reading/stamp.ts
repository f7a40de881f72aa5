/**
 * Which database it is. One that was put back to an earlier state could count up to the same sum again: it has its counters in
 * another table (restored from a dump), is another database (made anew from a template), or its server was started anew (a standby
 * that took over).
 */
const PLACE = `to_regclass('change_counter')::oid, (select oid from pg_database where datname = current_database()),
  extract(epoch from pg_postmaster_start_time())`

/**
 * What is the same only as long as nothing changed in the tables that the SQL reads: the sum of their change counters, and the
 * day where the SQL speaks of it. An expression over rows of `change_counter`.
 */
export function stampOf(sql: string): string {
  const day = /\bcurrent_date\b/.test(sql) ? ', current_date' : ''
  return `concat_ws(' ', sum(value) filter (where table_name in (${listed(tablesIn(sql))})), ${PLACE}${day})`
}

/** How many rows a table has, by its change counters; null after TRUNCATE, which leaves a mark in slot -1, until they are counted anew. */
export const totalOf = (table: string): string =>
  `case when count(*) filter (where table_name = '${table}' and slot = -1) = 0 then coalesce(sum(rows) filter (where table_name = '${table}'), 0) end`

/**
 * The names behind `from` and `join` in SQL: those of every table that it reads, and some that are none. A test compares them with
 * PostgreSQL's own plans (lists.test.ts).
 */
export const tablesIn = (sql: string): string[] => [
  ...new Set([...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)"?/g)].map((match) => match[1] as string)),
]

/** Names as a list of texts in SQL, of which there is at least one. */
export const listed = (names: readonly string[]): string => (names.length ? names : ['']).map((name) => `'${name}'`).join(', ')
