// Over 400 lines: what a known order is, how pages are found by it and when it is read are tried here on one list.
import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import fc from 'fast-check'
import { standIn } from '../../callers.ts'
import type { Statement, Texts } from '../../database/text-query.ts'
import { resources } from '../../resources/index.ts'
import { emptying, refill } from '../../testing/refill.ts'
import { testService } from '../../testing/service.ts'
import { until } from '../../testing/until.ts'
import type { Resource } from '../definition/resource.ts'
import type { Services } from '../services/services.ts'
import { readMoment } from '../sql/moment.ts'
import { Database } from '../sql/tx.ts'
import { KnownOrder } from './known-order.ts'
import { readListRequest, runList, statementOf } from './list.ts'
import { OrderMemory } from './order-memory.ts'
import type { ChangedSlot, Changes, OrderStatement } from './order-statement.ts'

describe('a known order', () => {
  /** What rows are ordered by, by their keys; none where there is no row. */
  type Rows = Map<number, number>
  const keysOf = (rows: Rows) => [...rows].sort(([one, by], [other, than]) => by - than || one - other).map(([key]) => key)

  const key = fc.integer({ min: 1, max: 60 })
  const rowsAtFirst = fc
    .dictionary(key.map(String), fc.integer({ min: 0, max: 9 }))
    .map((rows) => new Map(Object.entries(rows).map(([key, by]) => [Number(key), by])))
  /** A row is put in, put elsewhere or taken out by one of three connections, all of whose changes are told at some time. */
  const change = fc.record({ key, by: fc.option(fc.integer({ min: 0, max: 9 })), slot: fc.integer({ min: 1, max: 3 }) })
  /** What is told of a slot that changed these rows, of which it puts away so many together. */
  const TOGETHER = 16
  const slotOf = (name: string, keys: number[]): ChangedSlot => {
    const before = Array.from({ length: Math.floor(keys.length / TOGETHER) }, (_, at): [number, number[]] => {
      const upto = (at + 1) * TOGETHER
      return [upto, keys.slice(upto - TOGETHER, upto)]
    })
    return [name, keys.length, keys.slice(-(keys.length % TOGETHER || TOGETHER)), before.reverse()]
  }
  const changes = fc.array(fc.array(change, { maxLength: 15 }), { maxLength: 4 })

  it('has every page where it is, whatever changed since', () => {
    const property = fc.property(
      rowsAtFirst,
      changes,
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 70 }),
      (rows, rounds, offset, limit, most) => {
        const slots = new Map<number, number[]>()
        const told = (): Changes => ({
          standing: `around/${[...slots.values()].reduce((sum, { length }) => sum + length, 0)}`,
          around: 'around',
          total: [...slots.values()].reduce((sum, { length }) => sum + length, 0),
          slots: [...slots].map(([slot, keys]) => slotOf(`table ${slot}`, keys)),
        })
        const first = keysOf(rows).slice(0, most)
        const order = new KnownOrder(Int32Array.from(first), first.length === rows.size, told())
        for (const round of rounds) {
          for (const { key, by, slot } of round) {
            if (by === null) rows.delete(key)
            else rows.set(key, by)
            slots.set(slot, [...(slots.get(slot) ?? []), key])
          }
          const now = told()
          assert.ok(order.catchUp(now))
          assert.equal(order.standing, now.standing)
          const place = order.placeOf(offset, limit)
          const isFar = offset + limit + 2 * order.changed > most
          if (!place) {
            assert.ok(isFar, 'what is known is found')
            continue
          }
          const some = new Map([...rows].filter(([key]) => place.keys.includes(key)))
          assert.deepEqual(keysOf(some).slice(place.skipped, place.skipped + limit), keysOf(rows).slice(offset, offset + limit))
          if (place.unchanged !== null)
            assert.equal(place.unchanged + place.changed.filter((key) => rows.has(key)).length, rows.size)
          assert.ok(place.keys.length <= limit + 2 * order.changed, 'no more rows are looked at than have to be')
        }
      },
    )
    fc.assert(property, { numRuns: 2_000 })
  })

  it('takes in nothing of an earlier moment, and gives up where it is not told which rows changed', () => {
    const at = (changes: number, latest: number[], before: [number, number[]][] = [], around = 'around'): Changes => ({
      standing: `around/${changes}`,
      around,
      total: changes,
      slots: [['table 1', changes, latest, before]],
    })
    const order = new KnownOrder(Int32Array.of(1, 2, 3), true, at(10, []))
    assert.ok(order.catchUp(at(12, [7, 2, 3])))
    assert.ok(order.catchUp(at(11, [7, 2])))
    assert.deepEqual([order.standing, order.changed], ['around/12', 2])
    assert.equal(order.catchUp(at(12, [7, 2, 3], [], 'another')), false)
    assert.equal(order.catchUp(at(15, [4, 5])), false, 'of the 13th it is not told')
    assert.equal(order.catchUp(at(18, [4, 5], [[15, [8, 9, 8]]])), false, 'of the 16th it is not told')
    assert.equal(order.catchUp(at(17, [4, 5], [[15, [9]]])), false, 'of the 13th and 14th it is not told')
    assert.equal(order.catchUp(at(130, [], [[130, [1, 2, 3]]])), false, 'of most it is not told')
    assert.equal(order.catchUp({ ...at(13, [7, 2, 3]), slots: [['table 0', 1, [], []]] }), false)
    assert.deepEqual([order.standing, order.changed], ['around/12', 2])
    assert.ok(
      order.catchUp(
        at(
          17,
          [4, 5],
          [
            [15, [6, 9, 8]],
            [12, [1, 1, 1]],
          ],
        ),
      ),
    )
    assert.deepEqual([order.standing, order.changed], ['around/17', 7], 'and takes in no more than it is told since')
  })

  it('takes in nothing of an earlier moment whose slots were folded into one since', () => {
    const slots: Changes['slots'] = [
      ['table 0', 2, [], []],
      ['table 2', 1, [3], []],
    ]
    const order = new KnownOrder(Int32Array.of(1, 2, 3), true, { standing: 'around/3', around: 'around', total: 3, slots })
    assert.ok(order.catchUp({ standing: 'around/2', around: 'around', total: 2, slots: [['table 1', 2, [1, 2], []]] }))
    assert.deepEqual([order.standing, order.changed], ['around/3', 0])
  })
})

const service = await testService({}, { works: false })
const caller = standIn({ pk: service.pkOf('superuser'), isStaff: true, isSuperuser: true })

/** Whether a page was found by a known order. */
const isByOrder = ({ text }: Statement, [answer]: Texts[]) =>
  /k\.row_changes\) is distinct from/.test(text) && Boolean(answer?.[3])

/** How often an order was read, and a page found by it. */
class Listening extends Database {
  ordersRead = 0
  byOrder = 0
  override async texts(statement: Statement) {
    const answer = await super.texts(statement)
    if (/^ *(with .*)?select json_build_object\('standing'/s.test(statement.text)) this.ordersRead++
    if (isByOrder(statement, answer)) this.byOrder++
    return answer
  }
}

/** Behind the row from which on pages are found by their order. */
const OFFSET = 1_020
const ROWS = 1_200

function list(query: Record<string, string>, database: Database, offset = OFFSET) {
  const resource = resources.find(({ path }) => path === '/api/stock/') as Resource
  const services = { ...service.app.routes.services, database } as Services
  const request = readListRequest(resource, query, caller, { limit: 25, offset }, services)
  return runList(resource, request, caller, services)
}

const fill = async () =>
  refill(
    service,
    `
    ${await emptying(service, 'company', 'part', 'stock_location')};
    insert into company (name, currency, is_supplier) select 'Supplier ' || n, 'USD', true from generate_series(1, 3) n;
    insert into stock_location (name) select 'Place ' || n from generate_series(1, 3) n;
    insert into part (name, "IPN") select 'Part ' || n, case when n > 2 then 'I' || n end from generate_series(1, 4) n;
    insert into supplier_part (part, supplier, "SKU") select n, 1 + n % 3, 'SKU ' || n from generate_series(1, 4) n;
    insert into stock_item (part, location, supplier_part, quantity, batch, purchase_price_currency)
      select case when n % 12 = 0 then 1 + n / 12 % 4 else 3 end, nullif(n % 4, 0), case when n % 5 > 0 then 1 + n % 4 end, n % 50,
        case when n % 8 = 0 then 'B' || n % 7 end, 'USD'
      from generate_series(1, ${ROWS}) n`,
  )
beforeEach(fill)

const queries: Record<string, string>[] = [
  {},
  ...['pk', '-quantity', 'batch', '-updated', 'location', '-part__IPN', 'SKU', '-stock'].map((ordering) => ({ ordering })),
  { in_stock: 'true', ordering: 'quantity' },
  { part: '3', ordering: '-pk' },
  { has_batch: 'false', ordering: '-quantity' },
]

/** Reads pages until their orders are known. */
async function readOrders(database: Listening, asked = queries): Promise<void> {
  for (const query of asked) {
    const before = database.ordersRead
    // one is not read right after the other
    await until(
      async () => {
        await list(query, database)
        return database.ordersRead > before
      },
      `the order of ${JSON.stringify(query)} is not read`,
    )
  }
}

const pk = fc.integer({ min: 1, max: ROWS + 20 })
const change = fc.oneof(
  fc.tuple(pk, fc.integer({ min: 1, max: 60 })).map(([pk, n]) => `update stock_item set quantity = ${n} where pk = ${pk}`),
  fc
    .tuple(pk, fc.integer({ min: 1, max: 3 }))
    .map(([pk, n]) => `update stock_item set location = ${n}, updated = now() where pk % 90 = ${pk % 90}`),
  pk.map((pk) => `update stock_item set part = 1 + ${pk} % 4, supplier_part = null where pk = ${pk}`),
  fc
    .tuple(pk, fc.integer({ min: 1, max: 5 }))
    .map(
      ([pk, n]) =>
        `insert into stock_item (part, quantity, batch, purchase_price_currency) select 1 + ${pk} % 4, n, 'B' || ${pk} % 9, 'USD' from generate_series(1, ${n}) n`,
    ),
  pk.map((pk) => `delete from stock_item where pk = ${pk}`),
  pk.map((pk) => `begin; update stock_item set quantity = 99 where pk > ${pk}; rollback`),
  pk.map(
    (pk) =>
      `begin; delete from stock_item where pk = ${pk}; savepoint before; update stock_item set quantity = 1; rollback to before; commit`,
  ),
  pk.map(
    (pk) => `merge into stock_item using generate_series(${pk}, ${pk} + 3) wanted on stock_item.pk = wanted
    when matched and wanted % 2 = 0 then delete when matched then update set quantity = 7`,
  ),
  // a key that nobody has been told of
  pk.map((pk) => `update stock_item set pk = pk + 100000 where pk = ${pk}`),
  // more than is kept of
  fc.constant(`update stock_item set quantity = quantity + 1 where pk % 3 = 0`),
  // what the order reads beside
  fc.integer({ min: 1, max: 4 }).map((pk) => `update part set name = name || 'x', "IPN" = 'I' || ${9} - ${pk} where pk = ${pk}`),
  fc.integer({ min: 1, max: 4 }).map((pk) => `delete from supplier_part where pk = ${pk}`),
  // connections that ended
  fc.constant(`update change_counter set slot = 1000000000 + slot where slot > 0; select fold_change_counters()`),
  fc.constant(`select correct_total('stock_item')`),
  fc.constant(
    `set session_replication_role = replica; update stock_item set batch = 'past triggers' where pk % 50 = 3; set session_replication_role = origin; update stock_item set batch = batch where pk % 50 = 3`,
  ),
  fc.constant(`truncate stock_item cascade`),
)

describe('a page far behind the first, whose order was read before', () => {
  it('is found by that order, after changes too', async () => {
    const database = new Listening(service.pool)
    await readOrders(database)
    await service.rows(`update stock_item set quantity = 3, part = 2, location = null, batch = 'B1' where pk in (5, 600, 1_190)`)
    const before = database.byOrder
    for (const query of queries) await list(query, database)
    assert.equal(database.byOrder, before + queries.length)
  })

  it('is found so after somebody asked for one behind the end of every list', async () => {
    const database = new Listening(service.pool)
    for (let round = 0; round < 2; round++) await list({}, database, 5_000_000)
    await until(async () => database.ordersRead > 0, 'no order is read')
    await list({}, database)
    assert.equal(database.byOrder, 1)
    // too much to know what it was
    await service.rows('update stock_item set quantity = quantity + 1')
    await until(async () => {
      await list({}, database, OFFSET + database.ordersRead)
      return database.byOrder > 1
    }, 'it is not read again')
  })

  it('is no reason to read the order in a transaction, which would wait for it', async () => {
    await new Database(service.pool).transaction((tx) =>
      tx.lend(5_000, async (reader) => {
        const texts = mock.method(reader, 'texts')
        await list({ ordering: '-quantity' }, reader)
        assert.equal(texts.mock.callCount(), 1)
      }),
    )
  })

  it('is found anew when a row was given another key', async () => {
    const database = new Listening(service.pool)
    const asked = { ordering: '-quantity' }
    await readOrders(database, [asked])
    await service.rows(
      `update stock_item set pk = pk + 100000 where pk = (select pk from stock_item order by quantity desc, pk desc limit 1 offset 100)`,
    )
    assert.deepEqual(await list(asked, database), await list(asked, new Database(service.pool)))
  })

  it('is found anew when something changed that the order reads beside the rows themselves', async () => {
    const database = new Listening(service.pool)
    const asked = { ordering: '-part__IPN' }
    await readOrders(database, [asked])
    const before = await list(asked, database)
    await service.rows(`update part set "IPN" = 'I' || 9 - pk where pk in (3, 4)`)
    const after = await list(asked, database)
    assert.notEqual(after.rows, before.rows)
    assert.deepEqual(after, await list(asked, new Database(service.pool)))
  })

  it('is what a process would read that remembers nothing, after any change by anyone', async () => {
    const property = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (statements) => {
      await fill()
      const database = new Listening(service.pool)
      await readOrders(database)
      for (const statement of statements) {
        await service.rows(statement)
        for (const query of queries)
          for (const offset of [OFFSET, OFFSET + 7])
            assert.deepEqual(
              await list(query, database, offset),
              await list(query, new Database(service.pool), offset),
              `${JSON.stringify(query)} ${offset}`,
            )
      }
    })
    await fc.assert(property, { numRuns: 6 })
  })

  it('is what the database holds in an earlier moment, too, since which connections ended', async () => {
    const database = new Listening(service.pool)
    const asked = { ordering: '-quantity' }
    const end = `update change_counter set slot = 1000000000 + slot where slot > 0`
    // one that changed few rows, which are all told
    await service.rows(`${end}; select fold_change_counters(); update stock_item set quantity = 17 where pk = 77; ${end}`)
    await readMoment(database, async (moment) => {
      const keysOf = async (offset: number) =>
        JSON.parse((await list(asked, moment, offset)).rows).map(({ pk }: { pk: number }) => pk)
      await keysOf(0)
      await service.rows(`select fold_change_counters();
        update stock_item set quantity = 1000 where pk = (select pk from stock_item order by quantity, pk limit 1)`)
      await readOrders(database, [asked])
      const held = await moment.read<{ pk: number }>({
        text: `select pk from stock_item order by quantity desc, pk desc limit 25 offset ${OFFSET}`,
      })
      assert.deepEqual(
        await keysOf(OFFSET),
        held.map(({ pk }) => pk),
      )
    })
    await list(asked, database)
    assert.equal(database.byOrder, 1, 'what is known holds still for those who ask later')
  })

  it('is what the database holds in that moment, while others write', async () => {
    const database = new Listening(service.pool)
    const asked = { ordering: '-quantity' }
    await readOrders(database, [asked])
    let isOver = false
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      for (let round = 0; !isOver; round++) {
        const pk = 1 + ((round * 37 + writer * 11) % ROWS)
        const end = round % 4 ? 'commit' : 'rollback'
        await service.rows(`begin; update stock_item set quantity = ${(round * 7) % 60} where pk = ${pk};
          insert into stock_item (part, quantity, purchase_price_currency) values (1, ${round % 50}, 'USD');
          delete from stock_item where pk = ${ROWS + round * 3 + writer}; ${end}`)
      }
    })
    const reading = Array.from({ length: 3 }, async (_, reader) => {
      for (let round = 0; round < 60; round++)
        await readMoment(database, async (moment) => {
          const texts = moment.texts.bind(moment)
          moment.texts = async (statement) => {
            const answer = await texts(statement)
            if (isByOrder(statement, answer)) database.byOrder++
            return answer
          }
          const offset = OFFSET + ((round * 13 + reader) % 150)
          const { rows, count } = await list(asked, moment, offset)
          const [{ keys, all }] = (await moment.read<{ keys: number[]; all: number }>({
            text: `select (select count(*)::integer from stock_item) as all, array(
              select pk from stock_item order by quantity desc, pk desc limit 25 offset ${offset}) as keys`,
          })) as [{ keys: number[]; all: number }]
          assert.deepEqual([JSON.parse(rows).map(({ pk }: { pk: number }) => pk), count], [keys, all])
        })
    })
    await Promise.all(reading).finally(() => {
      isOver = true
    })
    await Promise.all(writers)
    assert.ok(database.byOrder > 30, `${database.byOrder} pages were found by their order`)
  })
})

describe('the order of a list', () => {
  const slow = { took: 60, count: 20_000 }
  const first = { offset: 0, limit: 25 }
  const stock = resources.find(({ path }) => path === '/api/stock/') as Resource

  /** Of which list, and how often its order was read and which rows of it are known to be unchanged where a page is looked for. */
  function memoryOf(query: Record<string, string>) {
    const database = new Listening(service.pool)
    const services = { ...service.app.routes.services, database } as Services
    const request = readListRequest(stock, query, caller, { limit: 25, offset: 0 }, services)
    const { statement, values } = statementOf(stock, request, caller, services)
    const order = statement.known?.order as OrderStatement
    const memory = new OrderMemory(database)
    const unchangedAt = async (offset: number) => {
      const found = await memory.page(order, values, { offset, limit: 25 }, database, async ({ unchanged }) => ({
        unchanged,
        count: 1,
      }))
      return found?.unchanged
    }
    return { database, memory, order, values, unchangedAt }
  }

  it('is kept from the first row on where pages come slowly, and more than once, as all rows are counted', async () => {
    const { database, memory, order, values, unchangedAt } = memoryOf({ has_batch: 'true' })
    memory.missed(order, values, { ...first, ...slow })
    memory.missed(order, values, { ...first, took: 10, count: 20_000 })
    memory.missed(order, values, { ...first, took: 60, count: 500 })
    assert.equal(await unchangedAt(0), undefined)
    assert.equal(database.ordersRead, 0)
    memory.missed(order, values, { ...first, ...slow })
    await until(async () => database.ordersRead > 0, 'it is not read')
    const [{ count }] = await service.rows(`select count(*)::integer as count from stock_item where batch <> ''`)
    assert.equal(await unchangedAt(0), count)
    await database.transaction((tx) => tx.query('update stock_item set quantity = 5 where pk in (8, 9, 16)'))
    assert.equal(await unchangedAt(0), count - 2)
  })

  it('is not where only a page was late, and its order is not', async () => {
    const { database, memory, order, values, unchangedAt } = memoryOf({ ordering: '-quantity' })
    for (let round = 0; round < 2; round++) memory.missed(order, values, { ...first, ...slow, took: 10_000 })
    await until(async () => database.ordersRead > 0, 'it is not read')
    assert.equal(await unchangedAt(0), undefined)
    assert.equal(await unchangedAt(OFFSET), ROWS)
  })
})
