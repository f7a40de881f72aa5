import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { ROOT } from '../paths.ts'
import { createTestDatabase } from '../testing/database.ts'

const { pool, drop } = await createTestDatabase(2)
after(drop)

/** Describes the columns, indexes and constraints of a schema; each line names none. */
async function describeSchema(schema: string): Promise<Set<string>> {
  const queries = [
    `select table_name, column_name, data_type, is_nullable, column_default, character_maximum_length, numeric_precision,
       numeric_scale, generation_expression
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = $1 and table_type = 'BASE TABLE'`,
    'select indexname, indexdef from pg_indexes where schemaname = $1',
    `select conname, conrelid::regclass::text as name, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition
     from pg_constraint where connamespace = $1::regnamespace and contype <> 'n'`,
  ]
  const results = await Promise.all(queries.map((text) => pool.query(text, [schema])))
  return new Set(results.flatMap(({ rows }) => rows.map((row) => JSON.stringify(row).replaceAll(`${schema}.`, ''))))
}

test('the migrations make every column, index and constraint of the table definitions', async () => {
  const tables: Record<string, unknown> = {}
  for (const file of globSync('src/**/*.table.ts', { cwd: ROOT }))
    for (const [name, value] of Object.entries(await import(pathToFileURL(join(ROOT, file)).href)))
      tables[`${file} ${name}`] = value
  const empty = generateDrizzleJson({})
  const statements = await generateMigration(empty, generateDrizzleJson(tables))
  const client = await pool.connect()
  await client.query('create schema defined; set search_path to defined, public')
  for (const statement of statements) await client.query(statement.replaceAll('"public".', '"defined".'))
  client.release(true)
  const [migrated, defined] = [await describeSchema('public'), await describeSchema('defined')]
  assert.ok(defined.size > 2_000)
  assert.deepEqual(
    [...defined].filter((line) => !migrated.has(line)),
    [],
  )
})
