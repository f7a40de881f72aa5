import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { cloneDatabase, createTestDatabase, type TestDatabase, withServer } from '../testing/database.ts'
import { checkDatabase, createPool } from './connect.ts'
import { migrate } from './migrate.ts'

const first = { '0000_first': 'create table thing (n int);\n--> statement-breakpoint\ninsert into thing values (1);' }
const second = { '0001_second': 'alter table thing add column label text;' }

let database: TestDatabase
let pool: pg.Pool
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stockroom-migrate-'))
  mkdirSync(join(folder, 'meta'))
  database = await createTestDatabase()
  pool = database.pool
})
beforeEach(() => pool.query('drop schema public cascade; create schema public'))
after(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

function writeMigrations(migrations: Record<string, string>): void {
  const tags = Object.keys(migrations)
  for (const tag of tags) writeFileSync(join(folder, `${tag}.sql`), migrations[tag] as string)
  const entries = tags.map((tag, idx) => ({ idx, version: '7', when: 0, tag, breakpoints: true }))
  writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
}

async function assertRejected(message: RegExp): Promise<void> {
  await assert.rejects(migrate(pool, folder), (error: Error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, message)
    return true
  })
}

test('each migration is applied once, in order', async () => {
  writeMigrations(first)
  assert.deepEqual(await migrate(pool, folder), ['0000_first'])
  writeMigrations({ ...first, ...second })
  assert.deepEqual(await migrate(pool, folder), ['0001_second'])
  assert.deepEqual(await migrate(pool, folder), [])
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1, label: null }])
})

test('programs that start at the same time apply a migration once', async () => {
  writeMigrations({ '0000_first': `select pg_sleep(0.05);${first['0000_first']}`, ...second })
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(pool, folder)))
  assert.deepEqual(applied.flat(), ['0000_first', '0001_second'])
  assert.equal((await pool.query('select n from thing')).rowCount, 1)
})

test('a database newer than the program is rejected', async () => {
  writeMigrations({ ...first, ...second })
  await migrate(pool, folder)
  writeMigrations(first)
  await assertRejected(/^the database is newer than this program: it has 0001_second, which this program does not have$/)
})

test('a migration changed after it was applied is rejected', async () => {
  writeMigrations(first)
  await migrate(pool, folder)
  writeMigrations({ '0000_first': `${first['0000_first']} -- and more`, ...second })
  await assertRejected(/^the migration 0000_first differs from the one that was applied/)
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1 }])
})

test('a failed migration is rolled back, and earlier ones stay', async () => {
  writeMigrations({
    ...first,
    '0001_bad': 'create table half (n int);\n--> statement-breakpoint\ninsert into nowhere values (1);',
  })
  await assert.rejects(migrate(pool, folder), /the migration 0001_bad failed: relation "nowhere" does not exist/)
  const { rows } = await pool.query('select tag from migration')
  assert.deepEqual(rows, [{ tag: '0000_first' }])
  assert.equal((await pool.query("select to_regclass('half') as half")).rows[0].half, null)
  writeMigrations({ ...first, '0001_bad': 'create table half (n int);' })
  assert.deepEqual(await migrate(pool, folder), ['0001_bad'])
})

test('a migration may take longer than a request, and the timeouts are restored afterwards', async () => {
  const shortTimeoutPool = createPool(database.url, 1, { statementTimeout: 100, canExitWhileIdle: true })
  writeMigrations({ '0000_slow': 'select pg_sleep(0.2);' })
  assert.deepEqual(await migrate(shortTimeoutPool, folder), ['0000_slow'])
  await assert.rejects(shortTimeoutPool.query('select pg_sleep(0.2)'), { code: '57014' })
  await shortTimeoutPool.end()
})

test('a program without its migrations reports that', async () => {
  await assert.rejects(migrate(pool, join(folder, 'nowhere')), /this program is incomplete: .*_journal.json is missing/)
})

test('a database is checked before it is used', async () => {
  assert.equal(await checkDatabase(pool), undefined)
  const other = await cloneDatabase('template0')
  await other.drop()
  const droppedPool = createPool(other.url, 1)
  await assert.rejects(
    checkDatabase(droppedPool),
    /^OperatorError: the database cannot be reached: database ".*" does not exist$/,
  )
  await droppedPool.end()
  const name = `${database.name}_latin`
  await withServer(database.url, async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int >= 150000 as has_providers")
    const provider = rows[0].has_providers ? 'locale_provider libc' : ''
    await client.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C' ${provider}`)
  })
  const latin = createPool(database.url.replace(database.name, name), 1)
  assert.match((await checkDatabase(latin)) ?? '', /encoding of the database is LATIN1, not UTF8/)
  await latin.end()
  await withServer(database.url, (client) => client.query(`drop database ${name} with (force)`))
})
