import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type pg from 'pg'
import { pino } from 'pino'
import { type App, buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createPool } from './database/connect.ts'
import { type EmbeddedServer, startEmbedded } from './database/embedded.ts'
import { installJobTables } from './database/job-tables.ts'
import { migrate } from './database/migrate.ts'
import { Database } from './kit/sql/tx.ts'
import { ensureFirstAccount } from './resources/user/first-account.ts'
import { waitUntil } from './testing/until.ts'

// A PostgreSQL that runs but is frozen, as on a machine that swaps or a disk that hangs.

const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'stockroom-frozen-'))
const password = 'a password of tests'
const headers = { authorization: `Basic ${btoa(`admin:${password}`)}` }
const CODES_PATH = '/api/project-code/'
/** Maximum time for any response here, in milliseconds: waiting for the pool, one statement, and a slow machine. */
const MAX_RESPONSE_MS = 10_000

let server: EmbeddedServer
let pool: pg.Pool
let app: App

before(async () => {
  server = await startEmbedded(folder, log, { durable: false })
  pool = createPool(server.url, 3, { statementTimeout: 1_000, responseTimeout: 3_000 })
  pool.options.connectionTimeoutMillis = 1_000
  await migrate(pool)
  await installJobTables(pool)
  const config = loadConfig({
    DATA_DIR: folder,
    DATABASE_POOL_SIZE: '3',
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: password,
  })
  await ensureFirstAccount(pool, config)
  app = await buildApp({ config, pool, databaseUrl: server.url, log, runsBackgroundWork: false })
  await app.ready()
})
after(async () => {
  sendSignal('SIGCONT')
  await app.close()
  await pool.end()
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** Sends a signal to the server and all its processes. */
function sendSignal(signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of [server.pid, ...children.map(Number)]) process.kill(pid, signal)
}

async function runWhileFrozen<T>(callback: () => Promise<T>): Promise<T> {
  sendSignal('SIGSTOP')
  try {
    return await callback()
  } finally {
    sendSignal('SIGCONT')
  }
}

async function measureTime<T extends object>(promise: Promise<T>): Promise<T & { milliseconds: number }> {
  const startTime = performance.now()
  const result = await promise
  return Object.assign(result, { milliseconds: performance.now() - startTime })
}

const request = (method: 'GET' | 'POST', url: string, payload?: object) =>
  measureTime(app.inject({ method, url, headers, payload }))

describe('a frozen database', { skip: process.platform !== 'linux' }, () => {
  it('delays every request for a bounded time, responds 503, and recovers when it resumes', async () => {
    assert.equal((await request('POST', CODES_PATH, { code: 'BEFORE' })).statusCode, 201)
    const responses = await runWhileFrozen(() =>
      Promise.all(
        Array.from({ length: 4 }, (_, number) => [
          request('GET', CODES_PATH),
          request('GET', `${CODES_PATH}1/`),
          request('GET', `${CODES_PATH}?search=B&search_regex=true&limit=${number + 1}`),
          request('POST', CODES_PATH, { code: `FROZEN ${number}` }),
        ]).flat(),
      ),
    )
    for (const { statusCode, headers, milliseconds } of responses) {
      assert.equal(statusCode, 503)
      assert.match(String(headers['retry-after']), /^[25]$/)
      assert.ok(milliseconds < MAX_RESPONSE_MS, `a response took ${milliseconds} ms`)
    }
    await waitUntil(async () => (await request('GET', '/readyz')).statusCode === 200, 'it does not recover')
    assert.equal((await request('GET', CODES_PATH)).statusCode, 200)
    assert.equal((await request('POST', CODES_PATH, { code: 'AFTER' })).statusCode, 201)
    assert.ok(pool.totalCount <= 3)
  })

  it('makes the service immediately not ready, but still alive', async () => {
    // open connections for the pool to use
    await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.1)')))
    const [ready, alive] = await runWhileFrozen(() => Promise.all([request('GET', '/readyz'), request('GET', '/livez')]))
    assert.deepEqual([ready.statusCode, ready.json()], [503, { status: 'unavailable' }])
    assert.ok(ready.milliseconds < 2_900, `it took ${ready.milliseconds} ms to report that`)
    assert.equal(alive.statusCode, 200)
    await waitUntil(async () => (await request('GET', '/readyz')).statusCode === 200, 'it does not recover')
  })

  it('ends a transaction in progress, and discards its connection without waiting for a rollback', async () => {
    const database = new Database(pool)
    let processId: number | undefined
    const transaction = database.transaction(async (tx) => {
      processId = (await tx.first<{ pid: number }>('select pg_backend_pid() as pid'))?.pid
      await tx.query(`insert into project_code (code) values ('HALF')`)
      sendSignal('SIGSTOP')
      await tx.query('select 1')
    })
    const startTime = performance.now()
    await assert.rejects(transaction, /Query read timeout/)
    const milliseconds = performance.now() - startTime
    sendSignal('SIGCONT')
    assert.ok(milliseconds < 5_500, `it took ${milliseconds} ms`)
    const isConnectionClosed = async () =>
      (await pool.query('select 1 from pg_stat_activity where pid = $1', [processId])).rowCount === 0
    await waitUntil(isConnectionClosed, 'the connection is still there')
    assert.equal((await pool.query(`select 1 from project_code where code = 'HALF'`)).rowCount, 0)
  })
})
