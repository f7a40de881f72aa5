import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'

const service = await testService()

// More rows than each threshold at which a search changes its plan, in another order than they are listed.
await service.rows(`insert into company (name, currency, description, website, is_supplier, is_customer, is_manufacturer)
  select 'Company ' || lpad((n * 7919 % 120000)::text, 6, '0'), 'USD', case when n % 12 > 0 then 'alike' else 'other' end,
    case when n % 2 = 0 then 'https://even.example' when n % 4001 = 0 then 'https://rare.example' else '' end,
    n % 4 = 0, n % 10 = 0, n % 300 = 0
  from generate_series(1, 120000) n`)
await service.rows('analyze company')

const SEARCHES = {
  alike: `description = 'alike'`,
  rare: `website like '%rare%'`,
  'alike even': `description = 'alike' and website like '%even%'`,
  'rare alike': `website like '%rare%' and description = 'alike'`,
  nowhere: 'false',
}
const FILTERS = {
  '': 'true',
  is_manufacturer: 'is_manufacturer',
  is_customer: 'is_customer',
  is_supplier: 'is_supplier',
  active: 'active',
}

/** The first matching keys from an offset on, and the total number of matches. */
async function readExpected(where: string, order: string, offset: number) {
  const [{ count }] = await service.rows(`select count(*)::integer as count from company where ${where}`)
  const rows = await service.rows(`select pk from company where ${where} order by ${order} limit 3 offset ${offset}`)
  return { count, keys: rows.map(({ pk }) => pk) }
}

describe('a search', () => {
  for (const [search, searchCondition] of Object.entries(SEARCHES))
    for (const [filter, filterCondition] of Object.entries(FILTERS))
      it(`finds matches of "${search}" ${filter && `among ${filter} rows`}, in the order of the list, and counts them`, async () => {
        for (const { ordering, order, offset } of [
          { ordering: 'name', order: 'name, pk', offset: 0 },
          { ordering: '-name', order: 'name desc, pk desc', offset: 5 },
        ]) {
          const filterQuery = filter && `&${filter}=true`
          const path = `/api/company/?search=${encodeURIComponent(search)}${filterQuery}&ordering=${ordering}&limit=3&offset=${offset}`
          const { body } = await service.superuser.get(path)
          const result = { count: body.count, keys: body.results.map(({ pk }: { pk: number }) => pk) }
          assert.deepEqual(result, await readExpected(`(${searchCondition}) and (${filterCondition})`, order, offset), path)
        }
      })

  it('is paged by cursor, however many rows it finds', async () => {
    for (const search of ['alike', 'rare'] as const) {
      const { body } = await service.superuser.get(`/api/company/?search=${search}&cursor=40000&limit=3`)
      const where = `${SEARCHES[search]} and pk > 40000`
      assert.deepEqual(
        body.results.map(({ pk }: { pk: number }) => pk),
        (await readExpected(where, 'pk', 0)).keys,
      )
    }
  })
})
