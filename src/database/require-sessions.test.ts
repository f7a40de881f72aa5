import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { createTestDatabase } from '../testing/database.ts'
import { findFreePort } from '../testing/free-port.ts'
import { startDatabaseProxy } from '../testing/servers/database-proxy.ts'
import { type Assignment, startTransactionPooler } from '../testing/servers/transaction-pooler.ts'
import { requireSessions } from './require-sessions.ts'
import { openDatabase } from './with-database.ts'

const database = await createTestDatabase()
after(database.drop)
const log = pino({ level: 'silent' })
const open = (url: string) => openDatabase(loadConfig({ DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) }), log)

async function assertRejected(url: string, pattern: RegExp): Promise<void> {
  await assert.rejects(open(url), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, pattern)
    assert.match(error.message, /session mode.*pool_mode = session/)
    return true
  })
}

describe('the start behind a pooler', () => {
  const assignments: Record<Assignment, RegExp> = {
    first: /changed its session/,
    last: /changed its session/,
    // only notifications reveal it
    own: /notifications do not reach other connections/,
  }
  for (const [assignment, pattern] of Object.entries(assignments))
    it(`exits with advice in transaction mode, for ${assignment === 'own' ? 'its earlier session' : `the session returned ${assignment}`}`, async () => {
      const url = await startTransactionPooler(database.url, { assignment: assignment as Assignment })
      await assertRejected(url, pattern)
    })

  it('fails on every attempt in transaction mode', async () => {
    const url = await startTransactionPooler(database.url, { assignment: 'last' })
    for (let round = 0; round < 10; round++) await assertRejected(url, /changed its session/)
  })

  it('says how to fix it and ends in statement mode', async () => {
    const url = await startTransactionPooler(database.url, { assignment: 'last', rejectsTransactions: true })
    await assertRejected(url, /transaction blocks not allowed/)
  })

  it('continues in session mode, with the settings of a session', async () => {
    const { url } = await startDatabaseProxy(database.url)
    const { pool, stop } = await open(url)
    const { rows } =
      await pool.query(`select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
      current_setting('plan_cache_mode') as plans`)
    assert.deepEqual(rows, [{ zone: 'UTC', timeout: '30s', plans: 'force_generic_plan' }])
    await stop()
  })
})

describe('requireSessions', () => {
  it('reports that a database cannot be reached', async () => {
    await assert.rejects(
      requireSessions(`postgres://nobody@127.0.0.1:${await findFreePort()}/nothing`),
      /cannot be reached: .*ECONNREFUSED/,
    )
  })

  it('leaves the sessions unchanged for their next users', async () => {
    for (const assignment of ['last', 'own'] as const) {
      const url = await startTransactionPooler(database.url, { assignment })
      await assert.rejects(open(url), OperatorError)
      const clients = Array.from({ length: 5 }, () => new pg.Client({ connectionString: url }))
      const processIds = new Set<string>()
      // each holds its own session: those used before, and new ones
      for (const client of clients) {
        await client.connect()
        await client.query('begin')
        const { rows } =
          await client.query(`select array(select pg_listening_channels()) as channels, current_setting('plan_cache_mode') as plans,
          current_setting('statement_timeout') as timeout, pg_backend_pid() as pid`)
        const [{ pid, ...state }] = rows
        assert.deepEqual(state, { channels: [], plans: 'auto', timeout: '0' })
        processIds.add(pid)
      }
      assert.equal(processIds.size, clients.length)
      await Promise.all(clients.map((client) => client.end()))
    }
  })
})
