/**
 * Which database it is. One that was put back to an earlier state could count up to the same sum again: it has its counters in
 * another table (restored from a dump), is another database (made anew from a template), or its server was started anew (a standby
 * that took over).
 */
const PLACE = `to_regclass('change_counter')::oid, (select oid from pg_database where datname = current_database()),
  extract(epoch from pg_postmaster_start_time())`

/**
 * SQL of a stamp: the same text only as long as nothing changed in these tables, by the sum of their change counters, nor the day where the
 * SQL speaks of it. An expression over rows of `change_counter`. A test compares the tables with PostgreSQL's own plans (lists.test.ts).
 */
export function stampOf(tables: Iterable<string>, sql: string): string {
  const day = /\bcurrent_date\b/.test(sql) ? ', current_date' : ''
  return `concat_ws(' ', sum(value) filter (where table_name in (${listed(tables)})), ${PLACE}${day})`
}

/** How many rows a table has, by its change counters; null after TRUNCATE, which leaves a mark in slot -1, until they are counted. */
export const totalOf = (table: string): string =>
  `case when count(*) filter (where table_name = '${table}' and slot = -1) = 0 then coalesce(sum(rows) filter (where table_name = '${table}'), 0) end`

/** Names as a list of texts in SQL. */
export const listed = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(', ')
