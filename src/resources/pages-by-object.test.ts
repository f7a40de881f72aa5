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
import { testService } from '../testing/service.ts'
import { resources } from './index.ts'

const service = await testService()
const services = { ...service.app.routes.services, database: new Database(service.pool) } as Services
const caller = standIn({ isStaff: true, isSuperuser: true, groups: [1] })

// Many objects are alike in what lists are ordered by, many have no rows, and many rows have no object. The sums that are kept follow.
await service.rows(`insert into company (name, currency, is_supplier, is_customer, is_manufacturer)
  select 'Company ' || n % 5, 'USD', true, true, true from generate_series(1, 12) n`)
await service.rows(`insert into stock_location (name, parent) select 'Place ' || n, null from generate_series(1, 9) n`)
await service.rows(`insert into project_code (code, description) select 'P' || n, '' from generate_series(1, 5) n`)
await service.rows(`insert into part (name, "IPN", revision, description, purchaseable, salable)
  select 'Part ' || n % 9, case when n % 3 > 0 then 'I' || n % 4 end, 'R' || n, '', true, true from generate_series(1, 30) n`)
await service.rows(
  `insert into manufacturer_part (part, manufacturer, "MPN") select n, 1 + n % 12, 'M' || n % 4 from generate_series(1, 8) n`,
)
await service.rows(`insert into supplier_part (part, supplier, "SKU", manufacturer_part)
  select 1 + n % 30, 1 + n % 12, 'S' || n % 7, case when n % 2 = 0 then 1 + n % 8 end from generate_series(1, 40) n`)
await service.rows(`insert into purchase_order (reference, reference_int, supplier, project_code, complete_date, status, total_price_currency)
  select 'PO-' || n, n, case when n % 4 > 0 then 1 + n % 12 end, case when n % 3 = 0 then 1 + n % 5 end, case when n % 2 = 0 then date '2024-01-01' + n % 3 end, 10, 'USD'
  from generate_series(1, 25) n`)
await service.rows(`insert into purchase_order_line ("order", part, quantity, purchase_price_currency)
  select 1 + (n * n) % 20, case when n % 6 > 0 then 1 + n % 40 end, 1, 'USD' from generate_series(1, 120) n`)
await service.rows(`insert into sales_order (reference, reference_int, customer, project_code, status, total_price_currency)
  select 'SO-' || n, n, case when n % 5 > 0 then 1 + n % 12 end, case when n % 3 = 0 then 1 + n % 5 end, 10, 'USD' from generate_series(1, 25) n`)
await service.rows(`insert into sales_order_line ("order", part, quantity, sale_price_currency)
  select 1 + (n * 7) % 23, case when n % 5 > 0 then 1 + n % 30 end, 1, 'USD' from generate_series(1, 90) n`)
await service.rows(`insert into stock_item (part, location, supplier_part, status, quantity, purchase_price_currency)
  select 1 + (n * n) % 30, case when n % 7 > 1 then 1 + n % 8 end, case when n % 3 = 0 then 1 + n % 40 end, case when n % 4 = 0 then 60 else 10 end, 1 + n % 3, 'USD'
  from generate_series(1, 150) n`)

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
