import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function changes(): Promise<number> {
  const { rows } = await database.pool.query(
    `select coalesce(sum(value), 0)::int changes from change_counter where table_name = 'project_code'`,
  )
  return rows[0].changes
}

test('each statement that changes a row counts once, in the transaction of the change', async () => {
  const { pool } = database
  const start = await changes()
  await pool.query(`insert into project_code (code) values ('A'), ('B')`)
  assert.equal(await changes(), start + 1)
  await pool.query(`update project_code set description = 'changed'`)
  assert.equal(await changes(), start + 2)
  await pool.query(
    `update project_code set description = 'changed' where code = 'none'; delete from project_code where code = 'none'`,
  )
  assert.equal(await changes(), start + 2)
  await pool.query(`begin; delete from project_code; rollback`)
  assert.equal(await changes(), start + 2)
  await pool.query(`truncate project_code cascade`)
  assert.equal(await changes(), start + 3)
})

test('the keys of the rows that a connection changed last are kept, with how many it changed', async () => {
  const client = await database.pool.connect()
  /** How many rows were changed, and the keys of the last of them that are kept without a gap, the last at the end. */
  const kept = async () => {
    const own = `table_name = 'project_code' and slot = pg_backend_pid()`
    const [counter] = (await client.query(`select row_changes::integer as upto, latest as keys from change_counter where ${own}`))
      .rows
    const { rows } = await client.query(`select upto::integer, keys from changed_keys where ${own} order by upto desc`)
    let keys: number[] = []
    let reached = counter.upto
    for (const one of [counter, ...rows]) {
      if (one.upto < reached) break
      keys = [...one.keys.slice(0, one.keys.length - (one.upto - reached)), ...keys]
      reached = Math.min(reached, one.upto - one.keys.length)
    }
    return { changes: counter.upto, keys, isShort: counter.keys.length < 16 + 128, rows: rows.length }
  }
  const change = (text: string) => client.query(text)
  const all: number[] = []
  const insert = async (from: number, to: number) => {
    await change(`insert into project_code (pk, code) select n, 'kept ' || n from generate_series(${from}, ${to}) n`)
    for (let pk = from; pk <= to; pk++) all.push(pk)
  }
  await insert(100_001, 100_003)
  const { changes: before } = await kept()
  const start = before - 3
  const check = async (least: number) => {
    const now = await kept()
    assert.equal(now.changes, start + all.length)
    assert.ok(now.isShort && now.rows <= 16)
    assert.deepEqual(now.keys.slice(-all.length), all.slice(-now.keys.length))
    assert.ok(now.keys.length >= Math.min(all.length, least), `${now.keys.length} of ${all.length} are kept`)
  }
  await check(3)
  await change(`update project_code set description = 'x' where pk = 100002; delete from project_code where pk in (100003, 5)`)
  all.push(100_002, 100_003)
  await change(`begin; update project_code set description = 'x' where pk = 100001; rollback`)
  await check(5)
  for (let round = 0; round < 600; round++) {
    const pk = 100_001 + (round % 2)
    await change(`update project_code set description = '${round}' where pk = ${pk}`)
    all.push(pk)
    if (round % 40 === 0) await check(256)
  }
  await insert(200_001, 200_128)
  await check(128 + 128)
  await insert(300_001, 300_005)
  await check(128)
  await change(`update project_code set description = 'y' where pk between 200001 and 200129 or pk = 100001`)
  const many = await kept()
  assert.deepEqual([many.changes, many.keys], [start + all.length + 129, []], 'of more none is kept')
  await change(`update project_code set description = 'z' where pk = 100001`)
  assert.deepEqual((await kept()).keys, [100_001])
  await change(`update project_code set pk = 400001 where pk = 100001`)
  assert.deepEqual((await kept()).keys, [], 'which key a row had is not told')
  // as if it had the number of one that ended
  await change(
    `delete from change_counter where slot = pg_backend_pid(); update project_code set description = 'a' where pk = 400001`,
  )
  assert.deepEqual(await kept(), { changes: 1, keys: [400_001], isShort: true, rows: 0 })
  await change('delete from project_code where pk > 100000')
  client.release()
  await database.pool.query('select correct_total(relation) from watched_table')
})

test('writers do not wait for each other, and none is forgotten while slots are folded', async () => {
  const { pool } = database
  const start = await changes()
  const blocking = await pool.connect()
  await blocking.query(`begin; insert into project_code (code) values ('open')`)
  const writes = Array.from({ length: 200 }, (_, n) => pool.query('insert into project_code (code) values ($1)', [`code ${n}`]))
  const folds = Array.from({ length: 20 }, () => pool.query('select fold_change_counters()'))
  await Promise.all([...writes, ...folds])
  await blocking.query('commit')
  blocking.release()
  assert.equal(await changes(), start + 201)
})

test('the slots of connections that ended are folded into one', async () => {
  const { pool } = database
  const start = await changes()
  await pool.query(`update change_counter set slot = 1000000000 + slot where slot > 0`)
  await pool.query('select fold_change_counters()')
  assert.equal(await changes(), start)
  const { rows } = await pool.query(`select slot from change_counter where table_name = 'project_code' and slot >= 0`)
  assert.deepEqual(rows, [{ slot: 0 }])
})

test('every table with a list is watched', async () => {
  const { rows } = await database.pool.query(`
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = 'count_change_update')
    order by relname`)
  assert.deepEqual(
    rows.map(({ relname }) => relname),
    [
      'account_link',
      'barcode_batch_entry',
      'change_counter',
      'changed_keys',
      'demo_run',
      'event',
      'event_reader',
      'idempotency_key',
      'linked_code',
      'loose_file',
      'machine_setting',
      'maintenance',
      'migration',
      'notice',
      'outgoing_mail',
      'part_price_due',
      'part_price_refresh',
      'part_price_run',
      'plugin_package',
      'plugin_registry',
      'plugin_setting',
      'print_job',
      'printed_file',
      'received_code',
      'recovery_code',
      'second_factor',
      'stock_adjustment',
      'stock_verification',
      'stocktake_run',
      'throttle',
      'told_notice',
    ],
  )
})

test('every text is ordered by code point', async () => {
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
