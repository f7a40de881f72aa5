import type { Client, Pool } from 'pg'

/** Tables that migrations fill, so that they have rows in a database that was never used. */
const FILLED_TABLES: readonly string[] = [
  'migration',
  'change_counter',
  'plugin_registry',
  // the default templates, and their tables in earlier versions
  'label_template',
  'report_template',
  'bom_report',
  'build_line_label',
  'build_report',
  'part_label',
  'purchase_order_report',
  'return_order_report',
  'sales_order_report',
  'stock_item_label',
  'stock_location_label',
  'stock_location_report',
  'test_report',
]

/**
 * Whether a migrated database, of any version, holds data that someone entered. A table that a migration of another version fills counts as
 * data, so that it is rather backed up once too often.
 */
export async function holdsData(database: Pool | Client): Promise<boolean> {
  const { rows: tables } = await database.query<{ condition: string }>(
    `select format('exists (select from %I)', relname) as condition from pg_class
     where relkind = 'r' and relpersistence = 'p' and relnamespace = current_schema()::regnamespace and relname <> all ($1::text[])`,
    [FILLED_TABLES],
  )
  if (tables.length === 0) return false
  const { rows } = await database.query(`select ${tables.map(({ condition }) => condition).join(' or ')} as holds_data`)
  return rows[0].holds_data
}
