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
function open(size: number) {
  const pool = createPool(service.databaseUrl, size)
  after(() => pool.end())
  const database = new Database(pool)
  return { pool, database, services: { database, config: { databasePoolSize: size } } as Services }
}

const { pool, database, services } = open(4)
const PID = { text: 'select pg_backend_pid()' }
const text = async (from: Database, statement: { text: string; name?: string; values?: unknown[] }) =>
  (await from.texts(statement))[0]?.[0]

describe('a pipeline', () => {
  it('sends all reads immediately over one connection, each as its own transaction', async () => {
    const trips = createRoundTripCounter(pool)
    let results: (string | null | undefined)[][] = []
    const count = await trips(async () => {
      results = await withPipeline(services, undefined, (pipeline) =>
        Promise.all(
          Array.from({ length: 20 }, async (_, at) => [
            await text(pipeline, { text: `select pg_backend_pid() || ' ' || $1`, name: 'who', values: [at] }),
          ]),
        ),
      )
    })
    assert.equal(count, 1)
    assert.deepEqual(
      results.map(([one]) => one?.split(' ')[1]),
      Array.from({ length: 20 }, (_, at) => String(at)),
    )
    assert.equal(new Set(results.map(([one]) => one?.split(' ')[0])).size, 1)
    const transactions = await withPipeline(services, undefined, (pipeline) =>
      Promise.all(Array.from({ length: 5 }, () => text(pipeline, { text: 'select pg_current_xact_id()' }))),
    )
    assert.equal(new Set(transactions).size, 5)
  })

  it('returns rows as objects, and as the texts that PostgreSQL writes', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const statement = { text: `select 7::bigint as number, null as nothing, date '2024-01-31' as day, '{"a":1}'::json as json` }
      const [objects, texts] = await Promise.all([pipeline.read(statement), pipeline.texts(statement)])
      assert.deepEqual(objects, await database.read(statement))
      assert.deepEqual(texts, await database.texts(statement))
    })
  })

  it('returns the results of the others if some of them fail, and continues', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const [wrong, right, zero, late] = await Promise.allSettled([
        text(pipeline, { text: 'select nonsense' }),
        text(pipeline, { text: 'select 1' }),
        text(pipeline, { text: 'select 1 / $1::integer', values: [0], name: 'divide' }),
        text(pipeline, { text: 'select 4 / $1::integer', values: [2] }),
      ])
      assert.deepEqual([wrong?.status, zero?.status], ['rejected', 'rejected'])
      assert.deepEqual(
        [right, late],
        [
          { status: 'fulfilled', value: '1' },
          { status: 'fulfilled', value: '2' },
        ],
      )
      assert.equal(await text(pipeline, { text: 'select 1 / $1::integer', values: [1], name: 'divide' }), '1')
    })
  })

  it('runs everything else over another connection', async () => {
    await withPipeline(services, undefined, async (pipeline) => {
      const own = await text(pipeline, PID)
      assert.notEqual(await pipeline.transaction(async (tx) => (await tx.texts(PID))[0]?.[0]), own)
      assert.notEqual(await text(pipeline, { ...PID, timeLimit: 1_000 } as typeof PID), own)
      const rows = await pipeline.transaction((tx) => tx.query(`insert into project_code (code) values ('MADE') returning code`))
      assert.deepEqual(rows, [{ code: 'MADE' }])
      assert.equal(await text(pipeline, { text: `select count(*) from project_code where code = 'MADE'` }), '1')
      assert.equal(pipeline.origin, database)
    })
  })

  it('runs statements with a time limit one after the other, and holds at most one turn', async () => {
    let [holding, peak] = [0, 0]
    const enqueue: Enqueue = async (work) => {
      peak = Math.max(peak, ++holding)
      try {
        return await work()
      } finally {
        holding--
      }
    }
    await withPipeline(services, undefined, async (pipeline) => {
      const limited = (text: string) => pipeline.texts({ text, timeLimit: 200, enqueue })
      const slow = limited('select pg_sleep(60)')
      const others = [limited('select 1'), limited('select 2')]
      assert.equal(await text(pipeline, { text: 'select 3' }), '3')
      await assert.rejects(slow, { code: '57014' })
      assert.deepEqual(await Promise.all(others), [[['1']], [['2']]])
      assert.equal(peak, 1)
    })
  })

  it('leaves the only connection of a pool to other statements', async () => {
    const small = open(1)
    await withPipeline(small.services, undefined, async (pipeline) => {
      assert.equal(await text(pipeline, { text: 'select 1' }), '1')
      assert.equal(await text(small.database, { text: 'select 2' }), '2')
      assert.deepEqual(await pipeline.transaction((tx) => tx.query('select 3 as three')), [{ three: 3 }])
    })
    assert.equal(small.pool.totalCount, 1)
  })

  it('uses at most half of the connections; others wait', async () => {
    const gate = Promise.withResolvers<void>()
    let started = 0
    const all = Array.from({ length: 5 }, (_, account) =>
      withPipeline(services, account, async (pipeline) => {
        started++
        await gate.promise
        return text(pipeline, { text: 'select 1' })
      }),
    )
    await waitUntil(async () => started === 2, 'two begin')
    // the other connections serve all other statements
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => text(database, { text: 'select 2' }))), ['2', '2', '2'])
    assert.equal(started, 2)
    gate.resolve()
    assert.deepEqual(await Promise.all(all), Array(5).fill('1'))
  })

  it('leaves a turn to another account, however many requests one sends', async () => {
    const gate = Promise.withResolvers<void>()
    const started: number[] = []
    const holdClient = (account: number) =>
      withPipeline(services, account, async () => {
        started.push(account)
        await gate.promise
      })
    const all = [holdClient(1), holdClient(1), holdClient(1), holdClient(2)]
    await waitUntil(async () => started.length === 2, 'two begin')
    assert.deepEqual(started, [1, 2])
    gate.resolve()
    await Promise.all(all)
  })

  it('returns its connection only after all results have arrived, and reads from the database itself from then on', async () => {
    let slow: Promise<unknown> | undefined
    const ended = await withPipeline(services, undefined, async (pipeline) => {
      slow = pipeline.texts({ text: 'select pg_sleep(0.2)' })
      return pipeline
    })
    assert.deepEqual(await slow, [['']])
    assert.equal(pool.idleCount, pool.totalCount)
    // nothing of it runs inside another's transaction
    await database.transaction(async (tx) => {
      const [row] = await tx.texts(PID)
      assert.notEqual(await text(ended, PID), row?.[0])
    })
    assert.deepEqual(await ended.read({ text: 'select 1 as one' }), [{ one: 1 }])
  })

  it('loses only the pending statements if its connection breaks', async () => {
    const lost = await withPipeline(services, undefined, async (pipeline) => {
      const pid = await text(pipeline, PID)
      // both may be rejected before the statement that ends their connection returns
      const pending = Promise.allSettled([pipeline.texts({ text: 'select pg_sleep(60)' }), pipeline.texts({ text: 'select 1' })])
      await database.texts({ text: 'select pg_terminate_backend($1)', values: [pid] })
      return pending
    })
    assert.deepEqual(
      lost.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(await withPipeline(services, undefined, (pipeline) => text(pipeline, { text: 'select 1' })), '1')
  })
})
