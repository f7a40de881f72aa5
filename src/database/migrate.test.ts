import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { cloneDatabase, createTestDatabase, type TestDatabase, withServer } from '../testing/database.ts'
import { checkDatabase, createPool } from './connect.ts'
import { migrate, type PendingUpdate } from './migrate.ts'

const first = { '0000_first': 'create table thing (n int);\n--> statement-breakpoint\ninsert into thing values (1);' }
const second = { '0001_second': 'alter table thing add column label text;' }
const third = { '0002_third': 'alter table thing add column weight int;' }

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
  await assert.rejects(migrate(pool, { folder }), (error: Error) => {
    assert.ok(error instanceof OperatorError)
    assert.match(error.message, message)
    return true
  })
}

test('each migration is applied once, in order', async () => {
  writeMigrations(first)
  assert.deepEqual(await migrate(pool, { folder }), ['0000_first'])
  writeMigrations({ ...first, ...second })
  assert.deepEqual(await migrate(pool, { folder }), ['0001_second'])
  assert.deepEqual(await migrate(pool, { folder }), [])
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1, label: null }])
})

test('programs that start at the same time apply a migration once', async () => {
  writeMigrations({ '0000_first': `select pg_sleep(0.05);${first['0000_first']}`, ...second })
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(pool, { folder })))
  assert.deepEqual(applied.flat(), ['0000_first', '0001_second'])
  assert.equal((await pool.query('select n from thing')).rowCount, 1)
})

test('a database newer than the program is rejected', async () => {
  writeMigrations({ ...first, ...second })
  await migrate(pool, { folder })
  writeMigrations(first)
  await assertRejected(
    /^the database is newer than this program \(.+\), which does not have its migration 0001_second; use the newer version, or restore a backup from before its update$/,
  )
  assert.deepEqual((await pool.query('select tag from migration order by tag')).rows, [
    { tag: '0000_first' },
    { tag: '0001_second' },
  ])
})

test('the program prepares the update of an older database, but not that of an empty or current one', async () => {
  const calls: unknown[] = []
  const prepare = async ({ applied, missing }: PendingUpdate) => void calls.push([applied.map(({ tag }) => tag), missing])
  writeMigrations(first)
  await migrate(pool, { folder, prepare })
  await migrate(pool, { folder, prepare })
  assert.deepEqual(calls, [])
  writeMigrations({ ...first, ...second, ...third })
  await migrate(pool, { folder, prepare })
  assert.deepEqual(calls, [[['0000_first'], ['0001_second', '0002_third']]])
})

test('a failed preparation leaves the database as it is', async () => {
  writeMigrations(first)
  await migrate(pool, { folder })
  writeMigrations({ ...first, ...second })
  await assert.rejects(migrate(pool, { folder, prepare: () => Promise.reject(new Error('not now')) }), /not now/)
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1 }])
})

test('programs that start at the same time prepare an update once, and the others wait for it', async () => {
  writeMigrations(first)
  await migrate(pool, { folder })
  writeMigrations({ ...first, ...second })
  let [running, calls] = [0, 0]
  const prepare = async () => {
    calls++
    assert.equal(++running, 1)
    await pool.query('select pg_sleep(0.05)')
    running--
  }
  const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, { folder, prepare })))
  assert.deepEqual([applied.flat(), calls], [['0001_second'], 1])
})

test('a migration changed after it was applied is rejected', async () => {
  writeMigrations(first)
  await migrate(pool, { folder })
  writeMigrations({ '0000_first': `${first['0000_first']} -- and more`, ...second })
  await assertRejected(/^the migration 0000_first differs from the one that was applied/)
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1 }])
})

test('a failed migration rolls all of its update back, with a message for the operator', async () => {
  writeMigrations(first)
  await migrate(pool, { folder })
  writeMigrations({
    ...first,
    ...second,
    '0002_bad': 'create table half (n int);\n--> statement-breakpoint\ninsert into nowhere values (1);',
  })
  await assertRejected(
    /^the update of the database failed at the migration 0002_bad \(relation "nowhere" does not exist\); the database is unchanged: the previous version still opens it; to go on, /,
  )
  assert.deepEqual((await pool.query('select tag from migration')).rows, [{ tag: '0000_first' }])
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1 }])
  assert.equal((await pool.query("select to_regclass('half') as half")).rows[0].half, null)
  writeMigrations({ ...first, ...second, '0002_bad': 'create table half (n int);' })
  assert.deepEqual(await migrate(pool, { folder }), ['0001_second', '0002_bad'])
})

test('an update whose connection breaks is rolled back', async () => {
  writeMigrations(first)
  await migrate(pool, { folder })
  writeMigrations({ ...first, ...second, '0002_cut': 'select pg_terminate_backend(pg_backend_pid());' })
  await assertRejected(/^the update of the database failed at the migration 0002_cut \(.+\); the database is unchanged: /)
  assert.deepEqual((await pool.query('select * from thing')).rows, [{ n: 1 }])
})

test('a migration may alter a table whose deferred triggers the one before it fired', async () => {
  writeMigrations({
    ...first,
    '0001_deferred': `create table parent (n int primary key); create table child (n int references parent deferrable initially deferred);
      insert into parent values (1); insert into child values (1);`,
    '0002_altered': 'alter table child add column label text;',
  })
  assert.equal((await migrate(pool, { folder })).length, 3)
})

test('a migration may take longer than a request, and the timeouts are restored afterwards', async () => {
  const shortTimeoutPool = createPool(database.url, 1, { statementTimeout: 100, canExitWhileIdle: true })
  writeMigrations({ '0000_slow': 'select pg_sleep(0.2);' })
  assert.deepEqual(await migrate(shortTimeoutPool, { folder }), ['0000_slow'])
  await assert.rejects(shortTimeoutPool.query('select pg_sleep(0.2)'), { code: '57014' })
  await shortTimeoutPool.end()
})

test('a program without its migrations reports that', async () => {
  await assert.rejects(
    migrate(pool, { folder: join(folder, 'nowhere') }),
    /this program is incomplete: .*_journal.json is missing/,
  )
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
