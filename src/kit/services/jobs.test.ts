import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { installJobTables } from '../../database/job-tables.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { Database } from '../sql/tx.ts'
import { type Attempt, JOBS_CHANNEL, Jobs, type Queue } from './jobs.ts'
import { Listener } from './listener.ts'

const { pool, url, drop } = await createTestDatabase()
const database = new Database(pool)
const logLines: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => void logLines.push(line) })
const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
  await pool.query('delete from pgboss.job')
})
after(drop)

/** Starts a node that works on a queue named `number`, whose jobs hold a number. */
async function startNode(handle: (number: number, attempt: Attempt) => unknown, options: Partial<Queue> = {}) {
  const jobs = new Jobs(database, log)
  jobs.register<{ number: number }>({
    name: 'number',
    retries: 2,
    retryDelay: 60,
    retryDelayMax: 600,
    timeoutSeconds: 60,
    ...options,
    handle: async ({ number }, attempt) => void (await handle(number, attempt)),
  })
  const listener = new Listener(url, [JOBS_CHANNEL], (channel, queue) => jobs.wake(channel && queue), log)
  await listener.start()
  await jobs.start({ works: true })
  cleanups.push(
    () => listener.stop(),
    () => jobs.stop(),
  )
  return jobs
}

const sendJob = (jobs: Jobs, number: number) => database.transaction((tx) => jobs.send(tx, 'number', { number }))

/** Less than the polling interval of a node: the awaited job must have been announced. */
const ANNOUNCEMENT_TIMEOUT_MS = 8_000

const waitUntilAnnounced = (done: () => unknown, message: string) => waitUntil(done, message, ANNOUNCEMENT_TIMEOUT_MS)

const readStates = async (): Promise<string[]> =>
  (await pool.query('select state from pgboss.job order by created_on')).rows.map(({ state }) => state)

/** Makes the retries due immediately. */
async function runRetriesNow(jobs: Jobs): Promise<void> {
  await waitUntilAnnounced(async () => (await readStates()).includes('retry'), 'no job waits for a retry')
  await pool.query("update pgboss.job set start_after = now() where state = 'retry'")
  jobs.wake()
}

describe('background jobs', () => {
  test('committed jobs run promptly, each once, all of them', async () => {
    const done: number[] = []
    const jobs = await startNode((number) => done.push(number))
    await pause(50)
    const startTime = Date.now()
    await database.transaction(async (tx) => {
      for (const number of [1, 2, 3, 4, 5]) await jobs.send(tx, 'number', { number })
    })
    await waitUntilAnnounced(() => done.length === 5, 'not all were carried out')
    assert.ok(Date.now() - startTime < 2_000)
    assert.deepEqual(done, [1, 2, 3, 4, 5])
    await waitUntilAnnounced(async () => (await readStates()).every((state) => state === 'completed'), 'not all are completed')
  })

  test('a job of a transaction that is rolled back does not exist', async () => {
    const done: number[] = []
    const jobs = await startNode((number) => done.push(number))
    const failing = database.transaction(async (tx) => {
      await jobs.send(tx, 'number', { number: 1 })
      throw new Error('changed our mind')
    })
    await assert.rejects(failing, /changed our mind/)
    await sendJob(jobs, 2)
    await waitUntilAnnounced(() => done.length > 0, 'nothing was carried out')
    assert.deepEqual(done, [2])
    assert.equal((await readStates()).length, 1)
  })

  test('a job that fails is retried later, and given up after the last attempt', async () => {
    const attempts: boolean[] = []
    logLines.length = 0
    const jobs = await startNode((_number, { isLast }) => {
      attempts.push(isLast)
      throw new Error('no luck')
    })
    await sendJob(jobs, 1)
    await runRetriesNow(jobs)
    await waitUntilAnnounced(() => attempts.length === 2, 'no second attempt')
    await runRetriesNow(jobs)
    await waitUntilAnnounced(async () => (await readStates())[0] === 'failed', 'it is not given up')
    assert.deepEqual(attempts, [false, false, true])
    assert.equal(logLines.filter((line) => line.includes('no luck')).length, 3)
  })

  test('two nodes share the work and run no job twice', async () => {
    const done: number[] = []
    const firstNode = await startNode((number) => done.push(number))
    await startNode((number) => done.push(number))
    for (let number = 0; number < 20; number++) await sendJob(firstNode, number)
    await waitUntilAnnounced(() => done.length === 20, 'not all were carried out')
    await pause(100)
    assert.deepEqual(
      done.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, number) => number),
    )
  })

  test('jobs of one owner run one at a time on all nodes, others do not wait; a waiting one is not added a second time', async () => {
    const startedNumbers: number[] = []
    const releases = new Map<number, () => void>()
    const handle = (number: number) => {
      startedNumbers.push(number)
      return new Promise<void>((resolve) => releases.set(number, resolve))
    }
    const firstNode = await startNode(handle, { name: 'owned', concurrency: 2 })
    await startNode(handle, { name: 'owned', concurrency: 2 })
    const addJob = (number: number, owner: string, name: string) =>
      database.transaction((tx) => firstNode.send(tx, 'owned', { number }, { owner, name }))
    await addJob(1, 'a', 'first')
    await waitUntilAnnounced(() => startedNumbers.length === 1, 'the first is not carried out')
    for (const number of [2, 3, 4]) await addJob(number, 'a', 'second')
    await addJob(5, 'b', 'first')
    await waitUntilAnnounced(() => startedNumbers.length === 2, 'it waits for another owner')
    assert.deepEqual(startedNumbers, [1, 5])
    assert.deepEqual((await readStates()).toSorted(), ['active', 'active', 'created'])
    releases.get(1)?.()
    releases.get(5)?.()
    await waitUntilAnnounced(() => startedNumbers.length === 3, 'the next of the owner is not carried out')
    releases.get(2)?.()
    await waitUntilAnnounced(async () => (await readStates()).every((state) => state === 'completed'), 'not all are completed')
    assert.deepEqual(startedNumbers, [1, 5, 2])
  })

  test('a process without workers enqueues jobs for those with workers', async () => {
    const jobs = new Jobs(database, log)
    jobs.register({ name: 'number', retries: 1, retryDelay: 1, retryDelayMax: 1, timeoutSeconds: 60, handle: async () => {} })
    await jobs.start({ works: false })
    await sendJob(jobs, 7)
    await jobs.stop()
    const done: number[] = []
    await startNode((number) => done.push(number))
    await waitUntilAnnounced(() => done.length === 1, 'the job was not found')
  })

  test('a stop waits for the job in progress, and logs nothing', async () => {
    logLines.length = 0
    let finished = false
    const started = Promise.withResolvers<void>()
    const jobs = await startNode(async () => {
      started.resolve()
      await pause(200)
      finished = true
    })
    await sendJob(jobs, 1)
    await started.promise
    await jobs.stop()
    assert.ok(finished)
    assert.deepEqual(await readStates(), ['completed'])
    assert.deepEqual(logLines, [])
  })

  test('a stop aborts a job that takes too long, which is retried', { timeout: scaleTimeout(20_000) }, async () => {
    logLines.length = 0
    const started = Promise.withResolvers<void>()
    const jobs = await startNode(async (_number, { signal }) => {
      started.resolve()
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))))
    })
    await sendJob(jobs, 1)
    await started.promise
    const startTime = Date.now()
    await jobs.stop()
    assert.ok(Date.now() - startTime < 8_000)
    assert.deepEqual(await readStates(), ['retry'])
    assert.deepEqual(logLines, [])
  })

  test('programs that install the tables at the same time do not conflict', async () => {
    await pool.query('drop schema pgboss cascade')
    await Promise.all([1, 2, 3].map(() => installJobTables(pool)))
    const done: number[] = []
    const jobs = await startNode((number) => done.push(number))
    await sendJob(jobs, 1)
    await waitUntilAnnounced(() => done.length === 1, 'nothing was carried out')
  })
})
