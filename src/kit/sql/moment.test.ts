import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createPool } from '../../database/connect.ts'
import type { InTurn } from '../../database/text-query.ts'
import { testService } from '../../testing/service.ts'
import { Problem } from '../request/problem.ts'
import { readMoment } from './moment.ts'
import { Database } from './tx.ts'

const service = await testService()
const pool = createPool(service.databaseUrl, 2)
const database = new Database(pool)
after(() => pool.end())

const LATE = { code: 'unavailable', status: 503 }
const forever = { text: 'select pg_sleep(60)' }
const connection = async () => (await database.texts({ text: 'select pg_backend_pid()' }))[0]?.[0]

describe('a moment', () => {
  it('lasts for one time only, however much is asked for; nothing is tried again', async () => {
    const before = await connection()
    const began = performance.now()
    await readMoment(
      database,
      async (moment) => {
        assert.deepEqual(await moment.texts({ text: 'select 1' }), [['1']])
        const asked = [...Array.from({ length: 5 }, () => forever), { ...forever, timeLimit: 20_000 }].map((one) =>
          moment.texts(one),
        )
        for (const one of await Promise.allSettled(asked)) {
          assert.equal(one.status, 'rejected')
          assert.equal(one.reason.status, 503)
        }
        await assert.rejects(moment.texts({ text: 'select 1' }), LATE)
        await assert.rejects(
          moment.transaction((tx) => tx.query('select 1')),
          LATE,
        )
      },
      500,
    )
    assert.ok(performance.now() - began < 4_000)
    // and the connection is as good as before
    assert.equal(await connection(), before)
    assert.deepEqual(await database.texts({ text: `select current_setting('statement_timeout')` }), [['30s']])
  })

  it('holds for work in a turn of its own, too', async () => {
    const began = performance.now()
    const late = readMoment(database, (moment) => moment.transaction((tx) => tx.query(forever.text)), 500)
    await assert.rejects(late, { code: '57014' })
    assert.ok(performance.now() - began < 4_000)
  })

  it('leaves a statement its own, shorter time, and the others their answers', async () => {
    await readMoment(database, async (moment) => {
      const slow = moment.texts({ ...forever, timeLimit: 50 })
      const quick = moment.texts({ text: 'select 2' })
      await assert.rejects(slow, { code: '57014' })
      assert.deepEqual(await quick, [['2']])
      assert.deepEqual(await moment.texts({ text: 'select 3' }), [['3']])
    })
  })

  it('leaves the only connection of a pool to what is asked beside it', async () => {
    const only = createPool(service.databaseUrl, 1)
    const small = new Database(only)
    try {
      await readMoment(small, async (moment) => {
        assert.deepEqual(await moment.texts({ text: 'select 1' }), [['1']])
        assert.deepEqual(await small.texts({ text: 'select 2' }), [['2']])
        // what would change something is done in a transaction beside the moment
        const made = await moment.transaction((tx) =>
          tx.query(`insert into project_code (code) values ('BESIDE') returning code`),
        )
        assert.deepEqual(made, [{ code: 'BESIDE' }])
        assert.deepEqual(await moment.texts({ text: `select count(*) from project_code where code = 'BESIDE'` }), [['0']])
      })
      await assert.rejects(
        readMoment(small, (moment) => moment.texts(forever), 300),
        LATE,
      )
    } finally {
      await only.end()
    }
  })

  it('takes a turn for a statement when its connection is free, and lets what is quick go first', async () => {
    const began = performance.now()
    const turns: number[] = []
    const inTurn: InTurn = (work) => {
      turns.push(performance.now() - began)
      return work()
    }
    const answered: string[] = []
    await readMoment(database, async (moment) => {
      const ask = (text: string, limits = {}) => moment.texts({ text, ...limits }).then(() => answered.push(text))
      await Promise.all([
        ask('select 1', { timeLimit: 5_000, inTurn }),
        ask('select 2', { timeLimit: 5_000, inTurn }),
        ask('select pg_sleep(0.2)').then(() => ask('select 3')),
      ])
    })
    assert.deepEqual(answered, ['select pg_sleep(0.2)', 'select 1', 'select 3', 'select 2'])
    assert.equal(turns.length, 2)
    assert.ok(Math.min(...turns) >= 200, `turns were taken after ${turns} ms`)
  })

  it('refuses what gets no turn, and goes on', async () => {
    const inTurn: InTurn = () => Promise.reject(new Problem('unavailable'))
    await readMoment(database, async (moment) => {
      await assert.rejects(moment.texts({ text: 'select 1', timeLimit: 5_000, inTurn }), LATE)
      assert.deepEqual(await moment.texts({ text: 'select 1' }), [['1']])
    })
  })

  it('answers the others when one of them fails', async () => {
    await readMoment(database, async (moment) => {
      const wrong = moment.texts({ text: 'select nonsense' })
      const right = moment.texts({ text: 'select 1' })
      await assert.rejects(wrong, { code: '42703' })
      assert.deepEqual(await right, [['1']])
    })
  })

  it('cannot be asked when it is over', async () => {
    const kept = await readMoment(database, async (moment) => {
      await moment.texts({ text: 'select 1' })
      return moment
    })
    await assert.rejects(kept.texts({ text: 'select 1' }), LATE)
    await assert.rejects(kept.read({ text: 'select 1' }), LATE)
    await assert.rejects(
      kept.transaction((tx) => tx.query('select 1')),
      LATE,
    )
    assert.deepEqual(await database.texts({ text: 'select pg_current_xact_id_if_assigned()' }), [[null]])
  })
})
