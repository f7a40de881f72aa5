import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standIn } from '../callers.ts'
import type { Query } from '../kit/definition/filter.ts'
import type { Resource } from '../kit/definition/resource.ts'
import { orderings, readListRequest, runList } from '../kit/reading/list.ts'
import { orderByObject } from '../kit/reading/order-by-object.ts'
import type { Services } from '../kit/services/services.ts'
import { Parameters } from '../kit/sql/sql.ts'
import { Database } from '../kit/sql/tx.ts'
import { makeAlike } from '../testing/objects/alike.ts'
import { testService } from '../testing/service.ts'
import { resources } from './index.ts'

const service = await testService()
const services = { ...service.app.routes.services, database: new Database(service.pool) } as Services
const caller = standIn({ isStaff: true, isSuperuser: true, groups: [1] })

await makeAlike(service)

/** A condition that all rows fulfil: with one that is not counted a list is read row by row. */
const ALL = { sql: 'true', values: [] }

const isByObject = (resource: Resource, order: readonly string[]) =>
  orderByObject(resource, { conditions: [], order, limit: 'limit 1', isLater: true }, new Parameters()) !== undefined

type Asked = { query: Query; condition?: string }

async function page(resource: Resource, { query, condition }: Asked, limit: number, offset: number, isByRow: boolean) {
  const request = readListRequest(resource, query, caller, { limit, offset }, services)
  const conditions = [...(condition ? [{ sql: condition, values: [] }] : []), ...(isByRow ? [ALL] : [])]
  return runList(resource, { ...request, conditions }, caller, services)
}

describe('pages in an order by something of a referenced object', () => {
  for (const resource of resources) {
    const queries = [{}, ...Object.keys(orderings(resource)).flatMap((name) => [{ ordering: name }, { ordering: `-${name}` }])]
    const asked = queries.filter((query) => {
      const { order, conditions } = readListRequest(resource, query, caller, { limit: 1, offset: 1 }, services)
      return conditions.length === 0 && isByObject(resource, order)
    })
    if (asked.length === 0) continue
    const ways: Asked[] = [undefined, ...Object.keys(resource.tallied ?? {})].flatMap((condition) =>
      asked.map((query) => ({ query, condition })),
    )
    it(`GET ${resource.path}: are those that come of sorting all rows`, async () => {
      for (const way of ways) {
        const { count } = await page(resource, way, 1, 0, true)
        for (const [limit, offset] of [
          [1, 0],
          [25, 0],
          [25, 1],
          [2, 5],
          [5, 11],
          [7, Math.floor(count / 3)],
          [60, Math.floor(count / 2)],
          [3, count - 7],
          [10, count - 4],
          [25, count],
          [25, count + 30],
          // a limit that is in no statement
          [1500, 1],
        ] as const) {
          if (offset < 0) continue
          const expected = await page(resource, way, limit, offset, true)
          assert.deepEqual(await page(resource, way, limit, offset, false), expected, `${JSON.stringify(way)} ${limit} ${offset}`)
        }
      }
    })
  }
})

describe('pages of a search', () => {
  const stock = resources.find(({ path }) => path === '/api/stock/') as Resource
  /** How many items are found: nearly all, one in a few, very few, none. */
  const searches = ['part', 'Place', 'place 3', 'PART_1', 'Part 3', 'part place', 'i2 place', 'xyz', 'part xyz']

  for (const search of searches) {
    it(`for "${search}" are those of the items that have all its words, in each order, by few or by many`, async () => {
      const words = search.split(' ').map((word) => `%${word.replace('_', '\\_')}%`)
      const found = await service.rows(
        `select item.pk from stock_item item join part on part.pk = item.part left join stock_location place on place.pk = item.location
         where not exists (select from unnest($1::text[]) word where concat_ws(' ', part.name) not ilike word
           and concat_ws(' ', part."IPN") not ilike word and concat_ws(' ', place.name) not ilike word)`,
        [words],
      )
      const among = [{ sql: '{pk} = any({@value}::integer[])', values: [found.map(({ pk }) => pk)] }]
      for (const ordering of ['', '-part__name', 'SKU', '-location', 'quantity', '-stock', 'pk'])
        for (const [limit, offset] of [
          [5, 0],
          [7, 11],
          [25, Math.max(1, found.length - 3)],
        ] as const) {
          const request = readListRequest(stock, { search, ordering }, caller, { limit, offset }, services)
          const expected = await runList(stock, { ...request, conditions: among }, caller, services)
          assert.deepEqual(await runList(stock, request, caller, services), expected, `${ordering} ${limit} ${offset}`)
        }
    })
  }

  it('finds few and many among them', async () => {
    const { count } = await page(stock, { query: {} }, 1, 0, true)
    const counts = await Promise.all(
      searches.map(async (search) => {
        const request = readListRequest(stock, { search }, caller, { limit: 1, offset: 0 }, services)
        return (await runList(stock, request, caller, services)).count
      }),
    )
    assert.ok(counts.some((found) => found > count / 2) && counts.some((found) => found > 0 && found < count / 4), String(counts))
  })
})
