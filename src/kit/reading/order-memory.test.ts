import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import type { Pool } from 'pg'
import type { Statement, Texts } from '../../database/text-query.ts'
import { Database } from '../sql/tx.ts'
import { OrderMemory } from './order-memory.ts'
import type { OrderStatement } from './order-statement.ts'

/** Answers as a database does in which a list has so many rows, the keys 1, 2, 3 ... in their order, of which these changed. */
class Answering extends Database {
  readonly asked: Statement[] = []
  readonly rows: number
  readonly changed: number[] = []
  /** Milliseconds that it takes to read an order. */
  takes = 1

  constructor(rows: number) {
    super(undefined as unknown as Pool)
    this.rows = rows
  }

  override async texts(statement: Statement): Promise<Texts[]> {
    this.asked.push(statement)
    const most = Number(/^keys (\d+)/.exec(statement.text)?.[1] ?? 0)
    if (most > 0) later(this.takes)
    const keys = Int32Array.from({ length: Math.min(most, this.rows) }, (_, at) => at + 1)
    const total = this.changed.length
    const changes = {
      standing: `around/${total}`,
      around: 'around',
      total,
      slots: [['all 1', total, this.changed.slice(-256), []]],
    }
    return [[JSON.stringify(changes), `\\x${Buffer.from(keys.buffer).swap32().toString('hex')}`]]
  }
}

const reading = (most: number) => ({ most, text: `keys ${most}`, names: ['list'] })

const order: OrderStatement = {
  id: 1,
  names: ['list'],
  keys: [reading(12_000), reading(2_000_000)],
  isCounted: false,
  changes: { text: 'changes', names: ['counted'] },
}

/** What was asked for is answered. */
const answered = () => new Promise((resolve) => setImmediate(resolve))

/** How many keys each reading asked for. */
const readings = ({ asked }: Answering) => asked.flatMap(({ text }) => /^keys (\d+)/.exec(text)?.[1] ?? [])

/** Whether a page is found by what is known of the order of a list. */
const isKnown = async (memory: OrderMemory, database: Database, list: unknown, offset = 1_000) =>
  Boolean(await memory.page(order, { list }, { offset, limit: 25 }, database, async ({ standing }) => holds(standing, database)))

const holds = (standing: string, database: Database) =>
  (database as Answering).changed.length === Number(standing.split('/')[1]) ? { count: 1 } : undefined

/** Has found a page up to this row without the order, in so many milliseconds. */
const miss = (memory: OrderMemory, list: unknown, end: number, took = 1) =>
  memory.missed(order, { list }, { offset: end - 25, limit: 25, took, count: 100_000 })

/** Goes on to another moment, so many milliseconds later. */
let moment = 1_000_000
const later = (milliseconds: number) => {
  moment += milliseconds
}
before(() => mock.method(performance, 'now', () => moment))
after(() => mock.reset())

describe('the memory of orders', () => {
  /** Asks for pages up to this row until one is found by the order. */
  async function askFor(memory: OrderMemory, database: Database, list: unknown, end: number): Promise<void> {
    for (let times = 0; times < 5 && !(await isKnown(memory, database, list, end - 25)); times++) {
      miss(memory, list, end)
      await answered()
      later(1_000)
    }
  }

  it('forgets those that were not used for the longest, so that all together take 16 MB', async () => {
    const database = new Answering(1_500_000)
    const memory = new OrderMemory(database)
    for (const list of ['first', 'second', 'third']) {
      await askFor(memory, database, list, 500_000)
      assert.ok(await isKnown(memory, database, list, 499_000), `the ${list} is known`)
    }
    const known = await Promise.all(['first', 'second', 'third'].map((list) => isKnown(memory, database, list)))
    assert.deepEqual(known, [false, true, true])
  })

  it('counts what they are kept under', async () => {
    const database = new Answering(0)
    const memory = new OrderMemory(database)
    const lists = Array.from({ length: 20 }, (_, n) => `${n} ${'x'.repeat(1_000_000)}`)
    for (const list of lists) await askFor(memory, database, list, 1_025)
    assert.deepEqual([await isKnown(memory, database, lists[0]), await isKnown(memory, database, lists[19])], [false, true])
  })

  it('is not kept from reading by who asks for what is behind all rows, or behind all that are ever read', async () => {
    for (const rows of [3_000, 5_000_000]) {
      const database = new Answering(rows)
      const memory = new OrderMemory(database)
      await askFor(memory, database, 'all', 1_025)
      await isKnown(memory, database, 'all', 5_000_000)
      miss(memory, 'all', 4_000_000)
      await answered()
      for (let times = 0; times < 3; times++) {
        later(1_000_000)
        miss(memory, 'all', 1_025)
        await answered()
      }
      assert.deepEqual(readings(database), Array(5).fill('12000'))
    }
  })

  it('is left alone for a minute where an order cannot be read', async () => {
    class Failing extends Answering {
      override texts(statement: Statement): Promise<Texts[]> {
        this.asked.push(statement)
        return Promise.reject(new Error('canceling statement due to statement timeout'))
      }
    }
    const database = new Failing(5_000)
    const memory = new OrderMemory(database)
    for (let seconds = 0; seconds < 130; seconds++) {
      miss(memory, 'all', 1_025)
      await answered()
      later(1_000)
    }
    assert.deepEqual(readings(database), Array(3).fill('12000'))
  })

  it('finds no page by an order of which so many rows changed that it is found sooner without', async () => {
    for (const [end, most] of [
      [1_025, 40],
      [500_000, 1_000],
    ] as const) {
      const database = new Answering(600_000)
      database.takes = 1_000
      const memory = new OrderMemory(database)
      await askFor(memory, database, 'all', end)
      // it takes so long to read that it is not soon read anew
      let changed = 0
      for (; changed <= 2_000 && (await isKnown(memory, database, 'all', end - 25)); changed += 10)
        database.changed.push(...Array.from({ length: 10 }, (_, n) => changed + n))
      assert.equal(changed, most + 10)
    }
  })

  it('takes no name for a statement that reads an order', async () => {
    const database = new Answering(5_000)
    const memory = new OrderMemory(database)
    for (let times = 0; times < 3; times++) {
      miss(memory, 'all', 1_025)
      await answered()
      later(100_000)
      database.changed.push(times)
      await isKnown(memory, database, 'all')
    }
    const named = (what: string) => database.asked.filter(({ text, name }) => text.startsWith(what) && name).length
    assert.deepEqual([named('keys'), named('changes') > 0], [0, true])
  })

  it('finds the first pages by an order that takes long to read, and not by one that is read at once, however long a page was in coming', async () => {
    for (const [takes, isFirstKnown] of [
      [5, false],
      [400, true],
    ] as const) {
      const database = new Answering(50_000)
      database.takes = takes
      const memory = new OrderMemory(database)
      miss(memory, 'all', 25, 400)
      await answered()
      const known = await Promise.all([0, 1_000].map((offset) => isKnown(memory, database, 'all', offset)))
      assert.deepEqual(known, [isFirstKnown, true], `${takes} ms`)
    }
  })

  it('takes no list for slow whose pages have many rows, nor one as it takes long to read all of it', async () => {
    const database = new Answering(600_000)
    const memory = new OrderMemory(database)
    for (let times = 0; times < 4; times++)
      memory.missed(order, { list: 'rows' }, { offset: 0, limit: 250, took: 90, count: 600_000 })
    await answered()
    assert.deepEqual(readings(database), [])
    database.takes = 400
    memory.missed(order, { list: 'far' }, { offset: 0, limit: 25, took: 90, count: 600_000 })
    await answered()
    await askFor(memory, database, 'far', 500_000)
    assert.equal(readings(database).at(-1), '2000000')
    for (let times = 0; times < 50; times++) database.changed.push(times)
    assert.deepEqual([await isKnown(memory, database, 'far'), await isKnown(memory, database, 'far', 499_975)], [false, true])
  })

  it('reads no order for one page that was late, nor all rows of one after the other without a rest', async () => {
    const database = new Answering(50_000)
    database.takes = 100
    const memory = new OrderMemory(database)
    miss(memory, 'late', 25, 30)
    await answered()
    assert.deepEqual(readings(database), [])
    const askTwice = async (list: string) => {
      for (let times = 0; times < 2; times++) {
        miss(memory, list, 500_000)
        await answered()
        later(2_000)
      }
    }
    await askTwice('one')
    assert.deepEqual(readings(database), ['12000', '2000000'])
    database.takes = 4_000
    await askTwice('other')
    database.takes = 100
    await askTwice('third')
    assert.deepEqual(readings(database).slice(2), ['12000', '2000000', '12000'])
    later(2_000)
    miss(memory, 'third', 500_000)
    await answered()
    assert.equal(readings(database).at(-1), '2000000')
  })
})
