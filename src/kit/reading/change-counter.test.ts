import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

async function countChanges(): Promise<number> {
  const { rows } = await database.pool.query(
    `select coalesce(sum(value), 0)::int changes from change_counter where table_name = 'project_code'`,
  )
  return rows[0].changes
}

test('the change counter counts each statement that changes a row once, in the transaction of the change', async () => {
  const { pool } = database
  const start = await countChanges()
  await pool.query(`insert into project_code (code) values ('A'), ('B')`)
  assert.equal(await countChanges(), start + 1)
  await pool.query(`update project_code set description = 'changed'`)
  assert.equal(await countChanges(), start + 2)
  await pool.query(
    `update project_code set description = 'changed' where code = 'none'; delete from project_code where code = 'none'`,
  )
  assert.equal(await countChanges(), start + 2)
  await pool.query(`begin; delete from project_code; rollback`)
  assert.equal(await countChanges(), start + 2)
  await pool.query(`truncate project_code cascade`)
  assert.equal(await countChanges(), start + 3)
})

test('the change counter makes no writer wait for another, and loses no change while slots are folded', async () => {
  const { pool } = database
  const start = await countChanges()
  const blocking = await pool.connect()
  await blocking.query(`begin; insert into project_code (code) values ('open')`)
  const writes = Array.from({ length: 200 }, (_, n) => pool.query('insert into project_code (code) values ($1)', [`code ${n}`]))
  const folds = Array.from({ length: 20 }, () => pool.query('select fold_change_counters()'))
  await Promise.all([...writes, ...folds])
  await blocking.query('commit')
  blocking.release()
  assert.equal(await countChanges(), start + 201)
})

test('fold_change_counters() folds the slots of ended connections into one', async () => {
  const { pool } = database
  const start = await countChanges()
  await pool.query(`update change_counter set slot = 1000000000 + slot where slot > 0`)
  await pool.query('select fold_change_counters()')
  assert.equal(await countChanges(), start)
  const { rows } = await pool.query(`select slot from change_counter where table_name = 'project_code' and slot >= 0`)
  assert.deepEqual(rows, [{ slot: 0 }])
})

test('every table with a list has change triggers', async () => {
  const { rows } = await database.pool.query(`
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'count_change_update')
    order by relname`)
  assert.deepEqual(
    rows.map(({ relname }) => relname),
    [
      'account_link',
      'backup_run',
      'barcode_batch_entry',
      'change_counter',
      'currency_failure',
      'demo_run',
      'event',
      'event_reader',
      'idempotency_key',
      'import_heading',
      'instance_logo',
      'linked_code',
      'loose_file',
      'machine_setting',
      'maintenance',
      'migration',
      'notice',
      'part_price_due',
      'part_price_refresh',
      'part_price_run',
      'plugin_package',
      'plugin_registry',
      'plugin_setting',
      'printed_file',
      'received_code',
      'recovery_code',
      'stock_adjustment',
      'stock_verification',
      'stocktake_run',
      'throttle',
      'told_notice',
    ],
  )
})

test('every text column sorts by code point', async () => {
  const { rows } = await database.pool.query(`
    select attrelid::regclass::text || '.' || attname as text_column from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migration'
    where attcollation <> 0 and attcollation <> 'pg_catalog."C"'::regcollation`)
  assert.deepEqual(rows, [])
})

test('every foreign key has an index that begins with it', async () => {
  const { rows } = await database.pool.query(`
    select conrelid::regclass::text || '.' || conname as without_index from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace
      and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`)
  assert.deepEqual(rows, [])
})
