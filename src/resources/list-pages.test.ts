import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Query } from '../kit/definition/filter.ts'
import type { Resource } from '../kit/definition/resource.ts'
import { type ListRequest, readListRequest, runList } from '../kit/reading/list.ts'
import { MIN_SKIP_OFFSET, skipObjects } from '../kit/reading/skip-objects.ts'
import type { Services } from '../kit/services/services.ts'
import { Parameters, Scope } from '../kit/sql/sql.ts'
import { Database } from '../kit/sql/tx.ts'
import { createSimilarObjects } from '../testing/objects/similar-rows.ts'
import { testService } from '../testing/service.ts'
import { createSampleCaller } from './callers.ts'
import { resources } from './index.ts'

const service = await testService()
const services = { ...service.app.routes.services, database: new Database(service.pool) } as Services
const caller = createSampleCaller({ isStaff: true, isSuperuser: true, groups: [1] })

await createSimilarObjects(service)

/** A condition that all rows meet: with a condition that has no maintained count, a list is sorted. */
const ALWAYS_TRUE = { sql: 'true', values: [] }

const stock = resources.find(({ path }) => path === '/api/stock/') as Resource

const createScope = () => new Scope(stock.table, 't', new Parameters())

type ListCase = { query: Query; condition?: string }

function createRequest({ query, condition }: ListCase, limit: number, offset: number): ListRequest {
  const request = readListRequest(stock, query, caller, { limit, offset }, services)
  return condition ? { ...request, conditions: [{ sql: condition, values: [] }] } : request
}

/** Reads a page by sorting all rows. */
function readSortedPage(list: ListCase, limit: number, offset: number) {
  const request = createRequest(list, limit, offset)
  return runList(stock, { ...request, conditions: [...request.conditions, ALWAYS_TRUE] }, caller, services)
}

describe('pages of a search', () => {
  /** Searches that find nearly all items, a few, very few, and none. */
  const searches = ['part', 'Place', 'place 3', 'PART_1', 'Part 3', 'part place', 'i2 place', 'xyz', 'part xyz']

  for (const search of searches) {
    it(`contain the items with all words of "${search}", in each order, with small and large pages`, async () => {
      const words = search.split(' ').map((word) => `%${word.replace('_', '\\_')}%`)
      const result = await service.rows(
        `select item.pk from stock_item item join part on part.pk = item.part left join stock_location place on place.pk = item.location
         where not exists (select from unnest($1::text[]) word where concat_ws(' ', part.name) not ilike word
           and concat_ws(' ', part."IPN") not ilike word and concat_ws(' ', place.name) not ilike word)`,
        [words],
      )
      const matchConditions = [{ sql: '{pk} = any({@value}::integer[])', values: [result.map(({ pk }) => pk)] }]
      for (const ordering of ['', '-part__name', 'SKU', '-location', 'quantity', '-stock', 'pk'])
        for (const [limit, offset] of [
          [5, 0],
          [7, 11],
          [25, Math.max(1, result.length - 3)],
        ] as const) {
          const request = readListRequest(stock, { search, ordering }, caller, { limit, offset }, services)
          const expected = await runList(stock, { ...request, conditions: matchConditions }, caller, services)
          assert.deepEqual(await runList(stock, request, caller, services), expected, `${ordering} ${limit} ${offset}`)
        }
    })
  }

  it('covers searches with few and with many matches', async () => {
    const { count } = await readSortedPage({ query: {} }, 1, 0)
    const counts = await Promise.all(
      searches.map(async (search) => {
        const request = readListRequest(stock, { search }, caller, { limit: 1, offset: 0 }, services)
        return (await runList(stock, request, caller, services)).count
      }),
    )
    assert.ok(
      counts.some((result) => result > count / 2) && counts.some((result) => result > 0 && result < count / 4),
      String(counts),
    )
  })
})

describe('deep pages of stock ordered by part name', () => {
  const lists: ListCase[] = [undefined, ...Object.keys(stock.storedCounts ?? {})].flatMap((condition) =>
    ['', '-part__name'].map((ordering) => ({ query: { ordering }, condition })),
  )

  before(async () => {
    // 33 parts with 9 names; some parts have no items, some only items that are gone
    await service.rows(`insert into part (name, description) select 'Part ' || n % 9, '' from generate_series(31, 33) n`)
    await service.rows(`insert into stock_item (part, location, status, quantity, purchase_price_currency)
      select 1 + (n * n) % 30, case when n % 7 > 1 then 1 + n % 8 end, case when n % 2 = 0 then 60 else 10 end, n % 5, 'USD'
      from generate_series(1, ${3 * MIN_SKIP_OFFSET + 900}) n`)
  })

  it('are the same as by sorting, wherever they begin and end', async () => {
    for (const list of lists) {
      const { count } = await readSortedPage(list, 1, 0)
      assert.ok(count > MIN_SKIP_OFFSET)
      const skipQuery = skipObjects(stock, createRequest(list, 25, MIN_SKIP_OFFSET), 'limit 25', createScope())
      assert.ok(skipQuery, 'they are found by skipping parts')
      for (const [limit, offset] of [
        [25, MIN_SKIP_OFFSET - 1],
        [25, MIN_SKIP_OFFSET],
        [7, MIN_SKIP_OFFSET + 117],
        [60, Math.floor((MIN_SKIP_OFFSET + count) / 2)],
        [3, count - 7],
        [25, count - 1],
        [25, count + 30],
        // a limit above the usual ones, which is not part of the statement text
        [1500, MIN_SKIP_OFFSET],
      ] as const) {
        const expected = await readSortedPage(list, limit, offset)
        const result = await runList(stock, createRequest(list, limit, offset), caller, services)
        assert.deepEqual(result, expected, `${JSON.stringify(list)} ${limit} ${offset}`)
      }
    }
  })

  it('are sorted under any other condition, and in orders by values that some items do not have', () => {
    const skipQuery = (request: ListRequest) => skipObjects(stock, request, 'limit 25', createScope())
    for (const query of [{ status: '10' }, { in_stock: 'true', status: '10' }, { ordering: 'location' }, { ordering: 'SKU' }])
      assert.equal(
        skipQuery(createRequest({ query: query as unknown as Query }, 25, MIN_SKIP_OFFSET)),
        undefined,
        JSON.stringify(query),
      )
  })
})
