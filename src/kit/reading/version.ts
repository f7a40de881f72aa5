/**
 * Identifies the database. After a restore to an earlier state the counters could reach the same sum a second time: by then they are in
 * another table (restored from a dump), it is another database (recreated from a template), or its server was restarted (a standby that
 * took over).
 */
const DATABASE_ID = `to_regclass('change_counter')::oid, (select oid from pg_database where datname = current_database()),
  extract(epoch from pg_postmaster_start_time())`

/**
 * SQL of a version: the same text only as long as nothing changed in these tables, by the sum of their change counters, nor the day if the
 * SQL depends on it. An expression over rows of `change_counter`. A test compares the tables with PostgreSQL's own plans (lists.test.ts).
 */
export function versionSql(tables: Iterable<string>, sql: string): string {
  const day = /\bcurrent_date\b/.test(sql) ? ', current_date' : ''
  return `concat_ws(' ', sum(value) filter (where table_name in (${listed(tables)})), ${DATABASE_ID}${day})`
}

/** The number of rows in a table, by its change counters; null after TRUNCATE, which leaves a mark in slot -1, until they are counted. */
export const totalOf = (table: string): string =>
  `case when count(*) filter (where table_name = '${table}' and slot = -1) = 0 then coalesce(sum(rows) filter (where table_name = '${table}'), 0) end`

/** Names as a list of texts in SQL. */
export const listed = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(', ')
