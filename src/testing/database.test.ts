import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createPool } from '../database/connect.ts'
import { cloneDatabase, createTestDatabase, withServer } from './database.ts'

test('each test file has a database of its own, with the migrations applied', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  after(() => Promise.all([one.drop(), other.drop()]))
  assert.notEqual(one.url, other.url)
  await one.pool.query('create table only_here (n int)')
  await assert.rejects(other.pool.query('select * from only_here'), { code: '42P01' })
  assert.notEqual((await other.pool.query('select tag from migration')).rowCount, 0)
})

test('cloneDatabase copies a database with its data', async () => {
  const source = await createTestDatabase()
  await source.pool.query('create table thing (n int); insert into thing values (7)')
  await source.pool.end()
  const copy = await cloneDatabase(source.name)
  assert.deepEqual((await copy.pool.query('select n from thing')).rows, [{ n: 7 }])
  await copy.drop()
})

test('dates, timestamps and decimals are returned as text, in arrays too', async () => {
  const { pool, drop } = await createTestDatabase()
  after(drop)
  const { rows } = await pool.query(`select
    date '2024-02-29' as day, timestamptz '2024-02-29 12:00:00.123456+02' as instant, 1.50000::numeric as amount,
    array[1.10, null]::numeric[] as amounts, array[date '2024-02-29'] as days, 42::int8 as count, 9007199254740993 as huge,
    current_setting('timezone') as zone, current_setting('statement_timeout') as timeout`)
  assert.deepEqual(rows[0], {
    day: '2024-02-29',
    instant: '2024-02-29 10:00:00.123456+00',
    amount: '1.50000',
    amounts: ['1.10', null],
    days: ['2024-02-29'],
    count: 42,
    huge: '9007199254740993',
    zone: 'UTC',
    timeout: '30s',
  })
})

test('a connection that breaks while idle does not end the process', async () => {
  const { url, pool, drop } = await createTestDatabase(1)
  after(drop)
  const pid = (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
  const broken = once(pool, 'error')
  await withServer(url, (client) => client.query('select pg_terminate_backend($1)', [pid]))
  await broken
  assert.notEqual((await pool.query('select pg_backend_pid() as pid')).rows[0].pid, pid)
})

test('session options in the URL override the defaults', async () => {
  const { url, drop } = await createTestDatabase()
  after(drop)
  const pool = createPool(`${url}${url.includes('?') ? '&' : '?'}options=-c%20statement_timeout%3D5000`, 1)
  const { rows } = await pool.query("select current_setting('statement_timeout') as timeout, current_setting('timezone') as zone")
  assert.deepEqual(rows[0], { timeout: '5s', zone: 'UTC' })
  await pool.end()
})
