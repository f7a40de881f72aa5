/**
 * Identifies the database. After a restore to an earlier state the counters could reach the same sum a second time: by then they are in
 * another table (restored from a dump), it is another database (recreated from a template), or its server was restarted (a standby that
 * took over).
 */
const DATABASE_ID = `to_regclass('change_counter')::oid, (select oid from pg_database where datname = current_database()),
  extract(epoch from pg_postmaster_start_time())`

/**
 * SQL of a version: an expression over rows of `change_counter` that changes whenever the sum of these tables' counters does, and every day
 * if the SQL depends on the date. A test compares the tables with PostgreSQL's own plans (lists.test.ts).
 */
export function versionSql(tables: Iterable<string>, sql: string): string {
  const day = /\bcurrent_date\b/.test(sql) ? ', current_date' : ''
  return `concat_ws(' ', sum(value) filter (where table_name in (${sqlStringList(tables)})), ${DATABASE_ID}${day})`
}

/** The number of rows in a table, by its change counters; null after TRUNCATE, which leaves a mark in slot -1, until they are counted. */
export const rowCountSql = (table: string): string =>
  `case when count(*) filter (where table_name = '${table}' and slot = -1) = 0 then coalesce(sum(rows) filter (where table_name = '${table}'), 0) end`

/** Names as a comma-separated list of SQL strings. */
export const sqlStringList = (names: Iterable<string>): string => [...names].map((name) => `'${name}'`).join(', ')
