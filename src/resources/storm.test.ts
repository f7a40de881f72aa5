import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testService } from '../testing/service.ts'
import type { Client } from '../testing/storm/client.ts'
import { runStorm, WRONG_SUMS_QUERY } from '../testing/storm/storm.ts'
import { createStormData } from '../testing/storm/storm-data.ts'
import { waitUntil } from '../testing/until.ts'
import { assertHistorySums } from './stock/fixture.ts'

const service = await testService()

/** Number of clients, and duration in seconds; `npm run bench -- storm` uses larger values. */
const CLIENT_COUNT = 24
const DURATION_SECONDS = Number(process.env.STORM_SECONDS ?? 6)

const authorization = `Basic ${Buffer.from('superuser:a password of tests').toString('base64')}`

/** Sends requests without the checks of the other tests, which take longer than the requests. */
async function send(method: string, url: string, body?: unknown) {
  const { statusCode, payload } = await service.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    payload: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: statusCode, body: payload ? JSON.parse(payload) : undefined, text: payload }
}

/** Returns the number of deadlocks in the database; connections report their counters when they end. */
async function countDeadlocks(): Promise<number> {
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  const before = await service.rows(`select pid, pg_terminate_backend(pid) ${others}`)
  const pids = before.map(({ pid }) => pid)
  await waitUntil(
    async () => (await service.rows(`select pid ${others} and pid = any($1)`, [pids])).length === 0,
    'the connections do not end',
  )
  return (await service.rows('select deadlocks from pg_stat_database where datname = current_database()'))[0].deadlocks
}

it(`${CLIENT_COUNT} clients that do everything at once cause no deadlock, and all sums stay correct`, async () => {
  const undoable: Client['undoable'] = []
  const client: Client = { send, rows: service.rows, undoable }
  await createStormData(client)
  const { statuses } = await runStorm(Array(CLIENT_COUNT).fill(client), performance.now() + DURATION_SECONDS * 1_000)
  assert.deepEqual(await service.rows(WRONG_SUMS_QUERY), [])
  await assertHistorySums(service)
  assert.equal(await countDeadlocks(), 0)
  assert.ok(Object.keys(statuses).length > 40, `only ${Object.keys(statuses)} happened`)
})
