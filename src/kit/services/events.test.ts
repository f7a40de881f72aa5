import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { createTestDatabase } from '../../testing/database.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { Database, type Tx } from '../sql/tx.ts'
import { deleteOldEvents, readBacklog } from './event-cleanup.ts'
import { buildEventStatement, type EventReader, Events, type OutboxEvent } from './events.ts'

const { pool, drop } = await createTestDatabase()
const nodes: Events[] = []
after(async () => {
  await Promise.all(nodes.map((one) => one.stop()))
  await drop()
})

const log = pino({ level: 'silent' })

/** Starts event delivery as another node does. */
async function startNode(...readers: EventReader[]): Promise<{ events: Events; database: Database }> {
  const database: Database = new Database(pool, undefined, () => events.handleCommit())
  const events = new Events({ database, maintenance: { requireAvailable: async () => {} }, log })
  nodes.push(events)
  await events.setReaders(readers)
  events.start()
  return { events, database }
}

/** A reader outside the database that records its events. */
function createFollower(name: string, deliver: (event: OutboxEvent) => unknown = () => {}) {
  const received: OutboxEvent[] = []
  const reader: EventReader = {
    name,
    async deliver(event) {
      await deliver(event)
      received.push(event)
    },
  }
  return { reader, received }
}

const insertCode = (tx: Tx, name: string) =>
  tx.query<{ pk: number }>('insert into project_code (code) values ($1) returning pk', [name])
const countEvents = async (): Promise<number> => (await pool.query('select count(*)::int count from event')).rows[0].count

describe('a reader', () => {
  it('receives all events from its start on, in order, from all writers', async () => {
    await pool.query(`insert into project_code (code) values ('before')`)
    const { reader, received } = createFollower('first')
    const { database, events } = await startNode(reader)
    await database.transaction((tx) => insertCode(tx, 'one'), 7)
    await pool.query(`update project_code set description = 'by hand' where code = 'one'`)
    await waitUntil(() => received.length === 2, 'it receives nothing')
    assert.deepEqual(
      received.map(({ model, kind, account }) => ({ model, kind, account })),
      [
        { model: 'project_code', kind: 'created', account: 7 },
        { model: 'project_code', kind: 'saved', account: null },
      ],
    )
    assert.ok(received.every(({ created }) => Math.abs(Date.now() - created.getTime()) < 60_000))
    await events.stop()
  })

  it('receives only the events it subscribes to, and has no backlog from others', async () => {
    const { reader, received } = createFollower('choosy')
    const { database, events } = await startNode({ ...reader, accepts: ({ kind }) => kind === 'thing.done' })
    await database.transaction(async (tx) => {
      await insertCode(tx, 'two')
      tx.atCommit(buildEventStatement('project_code', [1, 2], 'thing.done'))
    })
    await waitUntil(() => received.length === 2, 'it receives nothing')
    await waitUntil(
      async () => (await readBacklog(database)).readers.find((one) => one.reader === 'choosy')?.events === 0,
      'it has a backlog',
    )
    await events.stop()
  })

  it('receives each event exactly once inside the database, even if it fails', async () => {
    await pool.query('create table received_event (position bigint primary key)')
    let remainingFailures = 2
    const { database, events } = await startNode({
      name: 'inside',
      async handleBatch(batch, tx) {
        await tx.query('insert into received_event select unnest($1::bigint[])', [batch.map(({ position }) => position)])
        if (remainingFailures-- > 0) throw new Error('not now')
      },
    })
    for (let count = 0; count < 10; count++) await database.transaction((tx) => insertCode(tx, `inside ${count}`))
    await waitUntil(async () => (await pool.query('select from received_event')).rowCount === 10, 'it has not received all')
    await events.stop()
  })

  it('receives the same event again after a failure, without holding up other readers', async () => {
    const attemptTimes: number[] = []
    const stubborn = createFollower('stubborn', () => {
      attemptTimes.push(performance.now())
      if (attemptTimes.length < 3) throw new Error('it does not respond')
    })
    const other = createFollower('other')
    const { database, events } = await startNode(stubborn.reader, other.reader)
    await database.transaction((tx) => insertCode(tx, 'stubborn'))
    await database.transaction((tx) => insertCode(tx, 'more'))
    await waitUntil(() => other.received.length === 2, 'others wait')
    assert.deepEqual(stubborn.received, [])
    const readReaderBacklog = async () => (await readBacklog(database)).readers.find(({ reader }) => reader === 'stubborn')
    // the other one may have received all of them before
    await waitUntil(async () => ((await readReaderBacklog())?.failures ?? 0) >= 1, 'no delivery is attempted')
    const readerBacklog = await readReaderBacklog()
    assert.equal(readerBacklog?.events, 2)
    assert.ok((readerBacklog?.age ?? 0) > 0)
    const [{ problem }] = (await pool.query(`select problem from event_reader where name = 'stubborn'`)).rows
    assert.equal(problem, 'it does not respond')
    await waitUntil(() => stubborn.received.length === 2, 'it does not receive them again')
    assert.equal(attemptTimes.length, 4)
    const [first, second, third] = attemptTimes as [number, number, number]
    assert.ok(second - first >= 1_000 && third - second >= 2_000, 'the pauses do not grow')
    await events.stop()
  })
})

describe('numbering', () => {
  it('assigns positions to many events together, in order and without gaps', async () => {
    await pool.query(`
      insert into event (model, key, kind) select 'part', n, 'many' from generate_series(1, 20000) n order by random()`)
    const startTime = performance.now()
    const { rows } = await pool.query('select number_events(20000) as count')
    assert.ok(performance.now() - startTime < scaleTimeout(5_000), 'it takes too long')
    assert.equal(rows[0].count, 20_000)
    const [gap] = (
      await pool.query(`
        select * from (
          select position, lag(position) over (order by id) as before from event where kind = 'many'
        ) pair where position <> before + 1`)
    ).rows
    assert.equal(gap, undefined)
    await pool.query(`delete from event where kind = 'many'`)
  })
})

describe('following 32 concurrent writers', () => {
  it('sees no gaps and keeps the order of each object, even while a transaction stays open', {
    timeout: scaleTimeout(120_000),
  }, async () => {
    const { reader, received } = createFollower('storm')
    const { database, events } = await startNode(reader)
    const before = await countEvents()
    const keys = (
      await pool.query(`insert into project_code (code) select 'storm ' || n from generate_series(1, 20) n returning pk`)
    ).rows.map(({ pk }) => pk)
    await pool.query('create table written (key integer, number integer)')

    const openClient = await pool.connect()
    await openClient.query('begin')
    await openClient.query(`insert into project_code (code) values ('open from the start')`)

    let isOver = false
    let number = 0
    const runWriter = async (seed: number) => {
      for (let round = 0; !isOver || round < 3; round++) {
        const key = keys[(seed * 7 + round * 3) % keys.length]
        await database
          .transaction(async (tx) => {
            // ids are assigned before and after the row is locked
            if (seed % 2) await insertCode(tx, `${seed} ${round}`)
            await tx.query('select from project_code where pk = $1 for update', [key])
            const emitted = ++number
            tx.atCommit(buildEventStatement('project_code', [key], `write.${emitted}`))
            await tx.query('insert into written values ($1, $2)', [key, emitted])
            if (round % 5 === 0) await pause(5)
            if (round % 7 === 6) throw new Error('given up')
          })
          .catch((error) => assert.equal(error.message, 'given up'))
      }
    }
    const writers = Array.from({ length: 32 }, (_, seed) => runWriter(seed))
    const startTime = performance.now()
    // it follows even though a transaction older than all of them is open
    await waitUntil(() => received.length > 1_500, 'the reader makes no progress', 90_000)
    isOver = true
    await Promise.all(writers)
    const written = (await pool.query('select key, number from written')).rows as { key: number; number: number }[]
    const listEmitted = () => received.filter(({ kind }) => kind.startsWith('write.'))
    await waitUntil(() => listEmitted().length >= written.length, 'events are missing', 60_000)
    assert.ok(!received.some(({ account }) => account === 99))
    await openClient.query('set local stockroom.account = 99')
    await openClient.query(`update project_code set description = 'at last' where code = 'open from the start'`)
    await openClient.query('commit')
    openClient.release()
    await waitUntil(async () => received.length >= (await countEvents()) - before, 'events are missing', 60_000)

    const order = new Map<number, number[]>()
    for (const { key, kind } of listEmitted()) order.set(key, [...(order.get(key) ?? []), Number(kind.slice('write.'.length))])
    for (const [key, numbers] of order) {
      const expected = written.filter((one) => one.key === key).map((one) => one.number)
      assert.deepEqual(
        numbers,
        expected.toSorted((one, other) => one - other),
        `of object ${key}`,
      )
    }
    assert.equal(received.length, (await countEvents()) - before)
    assert.equal(new Set(received.map(({ position }) => position)).size, received.length)
    assert.deepEqual(
      received.map(({ position }) => position),
      received.map(({ position }) => position).toSorted((one, other) => one - other),
    )
    assert.deepEqual(
      received.filter(({ account }) => account === 99).map(({ kind }) => kind),
      ['saved'],
    )
    console.log(`${received.length} events in ${Math.round(performance.now() - startTime)} ms`)
    await events.stop()
  })
})

describe('two nodes', () => {
  it('never serve the same reader at the same time, and share the readers', async () => {
    let activeCount = 0
    let peak = 0
    const received: number[] = []
    const createReader = (): EventReader => ({
      name: 'shared',
      async deliver({ position }) {
        peak = Math.max(peak, ++activeCount)
        await pause(1)
        received.push(position)
        activeCount--
      },
    })
    const [firstNode, secondNode] = [await startNode(createReader()), await startNode(createReader())]
    for (let count = 0; count < 100; count++) {
      await (count % 2 ? firstNode : secondNode).database.transaction((tx) => insertCode(tx, `shared ${count}`))
    }
    await waitUntil(() => received.length >= 100, 'not all are delivered')
    assert.equal(peak, 1)
    assert.equal(received.length, 100)
    assert.deepEqual(
      received,
      received.toSorted((first, second) => first - second),
    )
    await firstNode.events.stop()
    await secondNode.events.stop()
  })
})

describe('old events', () => {
  it('are deleted a day after every reader has received them, and after some days in any case, which is logged', async () => {
    await pool.query('delete from event_reader; delete from event')
    const lines: Record<string, unknown>[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const database = new Database(pool)
    const readRemainingKinds = async () => (await pool.query('select kind from event order by id')).rows.map(({ kind }) => kind)
    await pool.query(`
      insert into event (model, key, kind, created) values
        ('part', 1, 'ancient', now() - interval '8 days'), ('part', 1, 'received', now() - interval '2 days'),
        ('part', 1, 'behind', now() - interval '2 days'), ('part', 1, 'new', now())`)
    await pool.query('select number_events(100)')
    await pool.query(`insert into event_reader (name, position) values
      ('slow', (select position from event where kind = 'received')), ('slowest', (select min(position) - 1 from event))`)
    await deleteOldEvents(database, { days: 7, log: logger })
    assert.deepEqual(await readRemainingKinds(), ['received', 'behind', 'new'])
    assert.deepEqual(
      lines.map(({ reader, events }) => ({ reader, events })),
      [{ reader: 'slowest', events: 1 }],
    )
    await pool.query(`delete from event_reader where name = 'slowest'`)
    await deleteOldEvents(database, { days: 7, log: logger })
    assert.deepEqual(await readRemainingKinds(), ['behind', 'new'])
    assert.equal(lines.length, 1)
  })
})
