import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createPool } from '../../database/connect.ts'
import type { Enqueue } from '../../database/text-query.ts'
import { createRoundTripCounter } from '../../testing/round-trips.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import type { Services } from '../services/services.ts'
import { Database } from '../sql/tx.ts'
import { withPipeline } from './pipeline.ts'

const service = await testService()

/** Opens a database with a pool of its own, and the services that a pipeline needs. */
function openDatabase(size: number) {
  const pool = createPool(service.databaseUrl, size)
  after(() => pool.end())
  const database = new Database(pool)
  return { pool, database, services: { database, config: { databasePoolSize: size } } as Services }
}

const { pool, database, services } = openDatabase(4)
const PID = { text: 'select pg_backend_pid()' }
const readText = async (source: Database, statement: { text: string; name?: string; values?: unknown[] }) =>
  (await source.queryAsText(statement))[0]?.[0]

describe('a pipeline', () => {
  it('sends all reads immediately over one connection, each as its own transaction', async () => {
    const trips = createRoundTripCounter(pool)
    let results: (string | null | undefined)[][] = []
    const count = await trips(async () => {
      results = await withPipeline(services, undefined, (pipeline) =>
        Promise.all(
          Array.from({ length: 20 }, async (_, index) => [
            await readText(pipeline, { text: `select pg_backend_pid() || ' ' || $1`, name: 'who', values: [index] }),
          ]),
        ),
      )
    })
    assert.equal(count, 1)
    assert.deepEqual(
      results.map(([value]) => value?.split(' ')[1]),
      Array.from({ length: 20 }, (_, index) => String(index)),
    )
    assert.equal(new Set(results.map(([value]) => value?.split(' ')[0])).size, 1)
    const transactions = await withPipeline(services, undefined, (pipeline) =>
      Promise.all(Array.from({ length: 5 }, () => readText(pipeline, { text: 'select pg_current_xact_id()' }))),
    )
    assert.equal(new Set(transactions).size, 5)
  })

  it('returns rows as objects, and as the strings that PostgreSQL writes', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const statement = { text: `select 7::bigint as number, null as nothing, date '2024-01-31' as day, '{"a":1}'::json as json` }
      const [objects, texts] = await Promise.all([pipeline.read(statement), pipeline.queryAsText(statement)])
      assert.deepEqual(objects, await database.read(statement))
      assert.deepEqual(texts, await database.queryAsText(statement))
    })
  })

  it('returns the results of the others if some of them fail, and continues', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const [invalid, valid, divisionByZero, last] = await Promise.allSettled([
        readText(pipeline, { text: 'select nonsense' }),
        readText(pipeline, { text: 'select 1' }),
        readText(pipeline, { text: 'select 1 / $1::integer', values: [0], name: 'divide' }),
        readText(pipeline, { text: 'select 4 / $1::integer', values: [2] }),
      ])
      assert.deepEqual([invalid?.status, divisionByZero?.status], ['rejected', 'rejected'])
      assert.deepEqual(
        [valid, last],
        [
          { status: 'fulfilled', value: '1' },
          { status: 'fulfilled', value: '2' },
        ],
      )
      assert.equal(await readText(pipeline, { text: 'select 1 / $1::integer', values: [1], name: 'divide' }), '1')
    })
  })

  it('runs everything else over another connection', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const ownPid = await readText(pipeline, PID)
      assert.notEqual(await pipeline.transaction(async (tx) => (await tx.queryAsText(PID))[0]?.[0]), ownPid)
      assert.notEqual(await readText(pipeline, { ...PID, timeLimit: 1_000 } as typeof PID), ownPid)
      const rows = await pipeline.transaction((tx) => tx.query(`insert into project_code (code) values ('MADE') returning code`))
      assert.deepEqual(rows, [{ code: 'MADE' }])
      assert.equal(await readText(pipeline, { text: `select count(*) from project_code where code = 'MADE'` }), '1')
      assert.equal(pipeline.origin, database)
    })
  })

  it('runs statements with a time limit one after the other, and holds at most one turn', async () => {
    let [activeTurns, peak] = [0, 0]
    const enqueue: Enqueue = async (callback) => {
      peak = Math.max(peak, ++activeTurns)
      try {
        return await callback()
      } finally {
        activeTurns--
      }
    }
    await withPipeline(services, undefined, async (pipeline) => {
      const readLimited = (sql: string) => pipeline.queryAsText({ text: sql, timeLimit: 200, enqueue })
      const slow = readLimited('select pg_sleep(60)')
      const others = [readLimited('select 1'), readLimited('select 2')]
      assert.equal(await readText(pipeline, { text: 'select 3' }), '3')
      await assert.rejects(slow, { code: '57014' })
      assert.deepEqual(await Promise.all(others), [[['1']], [['2']]])
      assert.equal(peak, 1)
    })
  })

  it('leaves the only connection of a pool to other statements', async () => {
    const smallDatabase = openDatabase(1)
    await withPipeline(smallDatabase.services, undefined, async (pipeline) => {
      assert.equal(await readText(pipeline, { text: 'select 1' }), '1')
      assert.equal(await readText(smallDatabase.database, { text: 'select 2' }), '2')
      assert.deepEqual(await pipeline.transaction((tx) => tx.query('select 3 as three')), [{ three: 3 }])
    })
    assert.equal(smallDatabase.pool.totalCount, 1)
  })

  it('uses at most half of the connections; others wait', async () => {
    const gate = Promise.withResolvers<void>()
    let started = 0
    const results = Array.from({ length: 5 }, (_, account) =>
      withPipeline(services, account, async (pipeline) => {
        started++
        await gate.promise
        return readText(pipeline, { text: 'select 1' })
      }),
    )
    await waitUntil(async () => started === 2, 'two begin')
    // the other connections serve all other statements
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => readText(database, { text: 'select 2' }))), ['2', '2', '2'])
    assert.equal(started, 2)
    gate.resolve()
    assert.deepEqual(await Promise.all(results), Array(5).fill('1'))
  })

  it('leaves a turn to another account, however many requests one sends', async () => {
    const gate = Promise.withResolvers<void>()
    const started: number[] = []
    const holdClient = (account: number) =>
      withPipeline(services, account, async () => {
        started.push(account)
        await gate.promise
      })
    const results = [holdClient(1), holdClient(1), holdClient(1), holdClient(2)]
    await waitUntil(async () => started.length === 2, 'two begin')
    assert.deepEqual(started, [1, 2])
    gate.resolve()
    await Promise.all(results)
  })

  it('returns its connection only after all results have arrived, and reads from the database itself from then on', async () => {
    let slow: Promise<unknown> | undefined
    const endedPipeline = await withPipeline(services, undefined, async (pipeline) => {
      slow = pipeline.queryAsText({ text: 'select pg_sleep(0.2)' })
      return pipeline
    })
    assert.deepEqual(await slow, [['']])
    assert.equal(pool.idleCount, pool.totalCount)
    // none of its statements runs inside another's transaction
    await database.transaction(async (tx) => {
      const [row] = await tx.queryAsText(PID)
      assert.notEqual(await readText(endedPipeline, PID), row?.[0])
    })
    assert.deepEqual(await endedPipeline.read({ text: 'select 1 as one' }), [{ one: 1 }])
  })

  it('loses only the pending statements if its connection breaks', async () => {
    const outcomes = await withPipeline(services, undefined, async (pipeline) => {
      const pid = await readText(pipeline, PID)
      // both may be rejected before the statement that ends their connection returns
      const pending = Promise.allSettled([
        pipeline.queryAsText({ text: 'select pg_sleep(60)' }),
        pipeline.queryAsText({ text: 'select 1' }),
      ])
      await database.queryAsText({ text: 'select pg_terminate_backend($1)', values: [pid] })
      return pending
    })
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await withPipeline(services, undefined, (pipeline) => readText(pipeline, { text: 'select 1' })), '1')
  })
})
