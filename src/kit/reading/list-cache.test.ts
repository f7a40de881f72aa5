import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import type { Statement, TextRow } from '../../database/text-query.ts'
import { createSampleCaller } from '../../resources/callers.ts'
import { resources } from '../../resources/index.ts'
import { createTestDatabase, testServer } from '../../testing/database.ts'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import type { Resource } from '../definition/resource.ts'
import type { Services } from '../services/services.ts'
import { Database } from '../sql/tx.ts'
import { readListRequest, runList } from './list.ts'

// a list that is read twice must not change in between
const service = await testService({}, { runsBackgroundWork: false })
await waitForStableDay(60_000)
const PAGE_WINDOW = { limit: 25, offset: 0 }
const caller = createSampleCaller({ pk: service.getPk('superuser'), isStaff: true, isSuperuser: true })

/** Records the results of list statements: the versions of page and count, the count, the rows, the cursor; `null` for cached parts. */
class RecordingDatabase extends Database {
  readonly statements: Statement[] = []
  readonly sent: TextRow[] = []
  override async queryAsText(statement: Statement) {
    const rowTexts = await super.queryAsText(statement)
    this.statements.push(statement)
    this.sent.push(...rowTexts)
    return rowTexts
  }
}

function readList(path: string, query: Record<string, string>, database: Database, requester = caller) {
  const resource = resources.find((candidate) => candidate.path === path) as Resource
  const services = { ...service.app.routes.services, database } as Services
  return runList(resource, readListRequest(resource, query, requester, PAGE_WINDOW, services), requester, services)
}

/** Inserts a few rows into each table whose rows appear in pages of other objects. */
const insertSampleRows = async () =>
  refill(
    service,
    `
    ${await getEmptyStatement(service, 'company', 'part', 'part_category', 'stock_location', 'purchase_order', 'project_code', 'setting')};
    insert into company (name, currency, is_supplier) select 'Supplier ' || n, 'USD', true from generate_series(1, 3) n;
    insert into stock_location (name) select 'Place ' || n from generate_series(1, 3) n;
    insert into part_category (name, parent) values ('Top', null), ('Middle', 1), ('Leaf', 2);
    insert into part (name, category) select 'Part ' || n, 1 + n % 3 from generate_series(1, 4) n;
    insert into part_pricing (part, currency, override_min_currency, override_max_currency) select pk, 'USD', 'USD', 'USD' from part;
    insert into supplier_part (part, supplier, "SKU") select n, 1 + n % 3, 'SKU ' || n from generate_series(1, 4) n;
    insert into purchase_order (reference, supplier, total_price_currency, status)
      select 'PO-' || n, 1 + n % 3, 'USD', 20 from generate_series(1, 4) n;
    insert into purchase_order_line ("order", part, quantity, purchase_price_currency)
      select 1 + n % 4, 1 + n % 4, n, 'USD' from generate_series(1, 6) n;
    insert into stock_item (part, location, supplier_part, purchase_order, quantity, purchase_price_currency)
      select 1 + n % 4, 1 + n % 3, 1 + n % 4, 1 + n % 4, n, 'USD' from generate_series(1, 12) n;
    insert into stock_tracking (item, tracking_type, deltas) select pk, 1, '{"location": 1}' from stock_item`,
  )
beforeEach(insertSampleRows)

const pages: [string, Record<string, string>][] = [
  ['/api/stock/', { part_detail: 'true', location_detail: 'true', supplier_part_detail: 'true', path_detail: 'true' }],
  ['/api/stock/', { search: 'place' }],
  ['/api/stock/', { location: '1', cascade: 'true' }],
  ['/api/stock/track/', {}],
  ['/api/stock/location/', { path_detail: 'true', ordering: 'items' }],
  ['/api/part/', { category_detail: 'true', starred: 'true' }],
  ['/api/part/', { search: 'SKU', category_detail: 'true' }],
  ['/api/part/category/', { path_detail: 'true' }],
  ['/api/company/part/', { part_detail: 'true', supplier_detail: 'true' }],
  ['/api/company/', {}],
  ['/api/order/po/', { supplier_detail: 'true', overdue: 'true' }],
  ['/api/order/po/', { ordering: '-supplier__name' }],
  ['/api/order/po-line/', { part_detail: 'true', order_detail: 'true' }],
]

const arbitraryKey = (highest: number) => fc.integer({ min: 1, max: highest })
/** Changes to everything that those pages show, by any kind of statement. */
const changes = fc.oneof(
  fc
    .tuple(arbitraryKey(3), fc.constantFrom('name', 'description', 'image'))
    .map(([pk, column]) => `update company set ${column} = ${column} || 'x' where pk = ${pk}`),
  arbitraryKey(3).map((pk) => `update company set active = not active where pk = ${pk}`),
  arbitraryKey(3).map((pk) => `update stock_location set name = name || 'x', external = not external where pk = ${pk}`),
  fc
    .tuple(arbitraryKey(3), arbitraryKey(3))
    .map(([pk, location]) => `update part_category set default_location = ${location}, name = name || 'y' where pk = ${pk}`),
  fc
    .tuple(arbitraryKey(4), arbitraryKey(3))
    .map(([pk, category]) => `update part set category = ${category}, name = name || 'z' where pk = ${pk}`),
  arbitraryKey(4).map((pk) => `insert into part_star (part, "user") values (${pk}, ${caller.pk}) on conflict do nothing`),
  arbitraryKey(4).map((pk) => `delete from part_star where part = ${pk}`),
  arbitraryKey(4).map((pk) => `update part_pricing set overall_min = coalesce(overall_min, 0) + 1 where part = ${pk}`),
  fc
    .tuple(arbitraryKey(12), arbitraryKey(9))
    .map(([pk, quantity]) => `update stock_item set quantity = ${quantity} where pk = ${pk}`),
  fc
    .tuple(arbitraryKey(12), arbitraryKey(3))
    .map(([pk, location]) => `update stock_item set location = ${location} where pk = ${pk}`),
  arbitraryKey(12).map((pk) => `delete from stock_item where pk = ${pk}`),
  arbitraryKey(12).map(
    (pk) =>
      `insert into stock_tracking (item, tracking_type, deltas) select pk, 10, '{"location": 2}' from stock_item where pk = ${pk}`,
  ),
  fc
    .tuple(arbitraryKey(4), arbitraryKey(3))
    .map(([pk, supplier]) => `update supplier_part set supplier = ${supplier}, "SKU" = "SKU" || 'x' where pk = ${pk}`),
  arbitraryKey(4).map(
    (pk) => `update purchase_order set target_date = current_date - 1, reference = reference || '1' where pk = ${pk}`,
  ),
  fc
    .tuple(arbitraryKey(6), arbitraryKey(9))
    .map(([pk, quantity]) => `update purchase_order_line set received = ${quantity}, quantity = 9 where pk = ${pk}`),
  arbitraryKey(6).map((pk) => `delete from purchase_order_line where pk = ${pk}`),
  fc.constant(`update user_account set first_name = first_name || 'x'`),
  fc.constant('truncate stock_tracking'),
)

describe('a cached page', () => {
  it('is not sent by PostgreSQL a second time', async () => {
    for (const [path, query] of pages) {
      const database = new RecordingDatabase(service.pool)
      const first = await readList(path, query, database)
      assert.deepEqual(await readList(path, query, database), first)
      assert.equal(database.sent.length, 2, path)
      assert.deepEqual(database.sent[1]?.slice(2), [null, null, null], path)
    }
  })

  it('includes its count, even if that was evicted from the cache', async () => {
    const database = new RecordingDatabase(service.pool)
    for (let round = 0; round < 2; round++) await readList('/api/order/po/', { supplier_detail: 'true' }, database)
    const [pageVersion, countVersion] = database.sent[0] as TextRow
    assert.notEqual(pageVersion, countVersion)
    const { text, values = [] } = database.statements[1] as Statement
    const staleValues = values.map((value) => (value === countVersion ? null : value))
    assert.ok(staleValues.includes(pageVersion))
    assert.deepEqual(await database.queryAsText({ text, values: staleValues }), [[pageVersion, countVersion, null, null, null]])
  })

  it('is not cached if it is very long', async () => {
    const pageVersionCounts: unknown[] = []
    class Endless extends Database {
      override async queryAsText({ values = [] }: Statement): Promise<TextRow[]> {
        pageVersionCounts.push(values.filter((value) => value === 'version of the page').length)
        return [['version of the page', 'version of the count', '1', `[${'1'.repeat(length)}]`]]
      }
    }
    let length = 1_000
    const database = new Endless(service.pool)
    for (length of [5_000_000, 1_000]) for (let round = 0; round < 2; round++) await readList('/api/project-code/', {}, database)
    assert.deepEqual(pageVersionCounts, [0, 0, 0, 1])
    await readList('/api/project-code/', {}, new Endless(service.pool))
    assert.equal(pageVersionCounts.at(-1), 0, 'another database has a cache of its own')
  })

  it('equals the page read by a process without a cache, after any change by anyone', async () => {
    const property = fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 8 }), async (statements) => {
      await insertSampleRows()
      const database = new Database(service.pool)
      for (const statement of statements) {
        await Promise.all(pages.map(([path, query]) => readList(path, query, database)))
        await service.rows(statement)
        for (const [path, query] of pages)
          assert.deepEqual(await readList(path, query, database), await readList(path, query, new Database(service.pool)), path)
      }
    })
    await fc.assert(property, { numRuns: 8 })
  })

  it('equals the content of the database during concurrent writes', async () => {
    const database = new Database(service.pool)
    let quantity = 0
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; round < 25; round++) {
        const note = `${writer} ${round}`
        await service.rows('update stock_item set notes = $1, quantity = quantity + 1 where pk = $2', [note, writer + 1])
        const before = quantity
        const { rows } = await readList('/api/stock/', {}, database)
        const ownItem = JSON.parse(rows).find(({ pk }: { pk: number }) => pk === writer + 1)
        assert.equal(ownItem.notes, note, 'a writer sees its own change')
        const sum = JSON.parse(rows).reduce((total: number, row: { quantity: number }) => total + row.quantity, 0)
        assert.ok(sum >= before, 'no reader sees an earlier state than another one saw before')
        quantity = Math.max(quantity, sum)
      }
    })
    await Promise.all(writers)
  })

  it('depends on the values it was read for: the caller, the filters, the parameters', async () => {
    const database = new Database(service.pool)
    const readStarred = async (requester: typeof caller) =>
      JSON.parse((await readList('/api/part/', { name_regex: '^Part 1$' }, database, requester)).rows).map(
        (row: { starred: boolean }) => row.starred,
      )
    await service.rows('insert into part_star (part, "user") values (1, $1)', [caller.pk])
    assert.deepEqual(await readStarred(caller), [true])
    assert.deepEqual(await readStarred({ ...caller, pk: service.getPk('viewer') }), [false])
    const countStarred = async (requester: typeof caller) =>
      (await readList('/api/part/', { starred: 'true' }, database, requester)).count
    assert.deepEqual([await countStarred(caller), await countStarred({ ...caller, pk: service.getPk('viewer') })], [1, 0])
    const countMatching = async (value: string) => (await readList('/api/part/', { name_regex: value }, database)).count
    assert.deepEqual([await countMatching('1'), await countMatching('[12]'), await countMatching('1')], [1, 2, 1])
    await service.rows(`insert into part (name, "IPN") values ('a b', 'c'), ('a', 'b c'), ('c', 'a b'), ('b c', 'a')`)
    const readMatchingRows = async (IPN: string, name_regex: string) =>
      (await readList('/api/part/', { IPN, name_regex }, database)).rows
    assert.notEqual(await readMatchingRows('c', 'a b'), await readMatchingRows('b c', 'a'))
    assert.notEqual(await readMatchingRows('a b', 'c'), await readMatchingRows('a', 'b c'))
  })

  it('depends on its position in the list', async () => {
    const read = async (query: string) => {
      const { body } = await service.superuser.get(`/api/part/?ordering=pk&${query}`)
      return [body.count, ...body.results.map(({ pk }: { pk: number }) => pk)]
    }
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await read('limit=2'), [4, 1, 2])
      assert.deepEqual(await read('limit=2&offset=1'), [4, 2, 3])
      assert.deepEqual(await read('limit=2&offset=2'), [4, 3, 4])
      assert.deepEqual(await read('limit=3'), [4, 1, 2, 3])
      assert.deepEqual(await read('limit=4'), [4, 1, 2, 3, 4])
    }
  })

  it('expires with the day if it depends on the current date', async () => {
    const client = new pg.Pool({ connectionString: service.databaseUrl, max: 1 })
    after(() => client.end())
    const database = new Database(client)
    const countOverdue = async () => JSON.parse((await readList('/api/order/po/', { overdue: 'true' }, database)).rows).length
    // these two zones never have the same date
    await client.query(`set timezone = 'Etc/GMT+12'`)
    await client.query('update purchase_order set target_date = current_date')
    assert.equal(await countOverdue(), 0)
    await client.query(`set timezone = 'Etc/GMT-14'`)
    assert.equal(await countOverdue(), 4)
  })

  it('expires immediately if it depends on the current time', async () => {
    const database = new RecordingDatabase(service.pool)
    const [{ pk }] = await service.rows(
      `insert into user_session (id_hash, "user", expires) values (decode(repeat('ab', 32), 'hex'), $1, now() + interval '300 ms') returning pk`,
      [caller.pk],
    )
    const isActive = async () =>
      JSON.parse((await readList('/api/user/session/', {}, database)).rows).find((row: { pk: number }) => row.pk === pk).active
    await waitUntil(async () => !(await isActive()), 'a session that expired is shown as active', 10_000)
    assert.ok(database.sent.every(([, , count, rows]) => count !== null && rows !== null))
  })

  it('is invalidated when the database was restored to an earlier state and counts up to the same number', async () => {
    const database = new Database(service.pool)
    const readNames = async () => (await readList('/api/project-code/', {}, database)).rows
    await service.rows(`insert into project_code (code) values ('before')`)
    assert.match(await readNames(), /before/)
    await service.rows(`
      create table restored (like change_counter including all);
      insert into restored select * from change_counter;
      update project_code set code = 'after';
      drop table change_counter;
      alter table restored rename to change_counter`)
    assert.match(await readNames(), /after/)
  })

  it('is invalidated when its database was recreated from an earlier one and counts up to the same number', async () => {
    const server = new pg.Client({ connectionString: process.env[testServer.urlVariable] })
    await server.connect()
    const { name, pool, drop } = await createTestDatabase()
    after(async () => {
      await drop()
      await server.end()
    })
    await server.query(`create database ${name}_backup template ${name}`)
    const database = new Database(pool)
    const readCodes = async () => (await readList('/api/project-code/', {}, database)).rows
    await pool.query(`insert into project_code (code) values ('lost')`)
    assert.match(await readCodes(), /lost/)
    await server.query(`drop database ${name} with (force)`)
    await waitUntil(() => pool.totalCount === 0, 'the pool keeps connections to the dropped database')
    await server.query(`create database ${name} template ${name}_backup`)
    await server.query(`drop database ${name}_backup`)
    await pool.query(`insert into project_code (code) values ('kept')`)
    assert.match(await readCodes(), /kept/)
  })
})

describe('nested objects in a page', () => {
  it('keep its rows in their order, however PostgreSQL joins them', async () => {
    const options = '-c enable_hashjoin=off -c enable_nestloop=off'
    const mergeJoinPool = new pg.Pool({ connectionString: service.databaseUrl, options, max: 1 })
    const details = { part_detail: 'true', location_detail: 'true', supplier_part_detail: 'true' }
    // ended before the database is dropped
    try {
      for (const ordering of ['pk', '-pk', '-quantity', 'part,-pk']) {
        const readKeys = async (query: Record<string, string>) =>
          JSON.parse((await readList('/api/stock/', { ordering, ...query }, new Database(mergeJoinPool))).rows).map(
            ({ pk }: { pk: number }) => pk,
          )
        assert.deepEqual(await readKeys(details), await readKeys({}), ordering)
      }
    } finally {
      await mergeJoinPool.end()
    }
  })
})
