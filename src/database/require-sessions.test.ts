import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { testDatabase } from '../testing/database.ts'
import { freePort } from '../testing/free-port.ts'
import { databaseProxy } from '../testing/servers/database-proxy.ts'
import { type Assignment, transactionPooler } from '../testing/servers/transaction-pooler.ts'
import { requireSessions } from './require-sessions.ts'
import { openDatabase } from './with-database.ts'

const database = await testDatabase()
after(database.drop)
const log = pino({ level: 'silent' })
const open = (url: string) => openDatabase(loadConfig({ DATABASE_URL: url, SECRET_KEY: 'x'.repeat(32) }), log)

async function refused(url: string, what: RegExp): Promise<void> {
  await assert.rejects(open(url), (error) => {
    assert.ok(error instanceof OperatorError, String(error))
    assert.match(error.message, what)
    assert.match(error.message, /session mode.*pool_mode = session/)
    return true
  })
}

describe('the start behind a pooler', () => {
  const assignments: Record<Assignment, RegExp> = {
    first: /changed its session/,
    last: /changed its session/,
    // nothing but an announcement tells
    own: /notifications do not reach other connections/,
  }
  for (const [assignment, what] of Object.entries(assignments))
    it(`in transaction mode, which gives the session ${assignment === 'own' ? 'it had before' : `given back ${assignment}`}, says what to do and ends`, async () => {
      const url = await transactionPooler(database.url, { assignment: assignment as Assignment })
      await refused(url, what)
    })

  it('in transaction mode finds out each time it is tried', async () => {
    const url = await transactionPooler(database.url, { assignment: 'last' })
    for (let round = 0; round < 10; round++) await refused(url, /changed its session/)
  })

  it('in statement mode says what to do and ends', async () => {
    const url = await transactionPooler(database.url, { assignment: 'last', refusesTransactions: true })
    await refused(url, /transaction blocks not allowed/)
  })

  it('in session mode goes on, with the settings of a session', async () => {
    const { url } = await databaseProxy(database.url)
    const { pool, stop } = await open(url)
    const { rows } =
      await pool.query(`select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
      current_setting('plan_cache_mode') as plans`)
    assert.deepEqual(rows, [{ zone: 'UTC', timeout: '30s', plans: 'force_generic_plan' }])
    await stop()
  })
})

describe('requireSessions', () => {
  it('says that a database cannot be reached', async () => {
    await assert.rejects(
      requireSessions(`postgres://nobody@127.0.0.1:${await freePort()}/nothing`),
      /cannot be reached: .*ECONNREFUSED/,
    )
  })

  it('leaves the sessions as they were that others get afterwards', async () => {
    for (const assignment of ['last', 'own'] as const) {
      const url = await transactionPooler(database.url, { assignment })
      await assert.rejects(open(url), OperatorError)
      const clients = Array.from({ length: 5 }, () => new pg.Client({ connectionString: url }))
      const seen = new Set<string>()
      // each holds a session of its own: those that were used before, and those that these bring along
      for (const client of clients) {
        await client.connect()
        await client.query('begin')
        const { rows } =
          await client.query(`select array(select pg_listening_channels()) as channels, current_setting('plan_cache_mode') as plans,
          current_setting('statement_timeout') as timeout, pg_backend_pid() as pid`)
        const [{ pid, ...state }] = rows
        assert.deepEqual(state, { channels: [], plans: 'auto', timeout: '0' })
        seen.add(pid)
      }
      assert.equal(seen.size, clients.length)
      await Promise.all(clients.map((client) => client.end()))
    }
  })
})
