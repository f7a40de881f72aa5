import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { superuser } = service

beforeEach(async () => {
  await refill(service, await getEmptyStatement(service, 'company'))
  await service.rows(
    `insert into company (name, currency, is_supplier) select 'Company ' || n % 7, 'USD', n % 2 = 0 from generate_series(1, 100) n`,
  )
})

type Row = { pk: number; name: string }

/** Reads all rows of a list, following `next`. `afterPage` runs after each page. */
async function walk(path: string, afterPage: () => Promise<unknown> = async () => {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let next: string | null = path; next !== null; ) {
    const { status, body } = await superuser.get(next.replace(/^https?:\/\/[^/]+/, ''))
    assert.equal(status, 200, next)
    assert.equal(body.previous, null)
    rows.push(...body.results)
    next = body.next
    await afterPage()
  }
  return rows
}

const getKeys = (rows: readonly Row[]) => rows.map(({ pk }) => pk)
const readKeys = async (where: string) => getKeys(await service.rows(`select pk from company where ${where} order by pk`))

describe('paging by cursor', () => {
  it('returns the whole list in the order of the keys, whatever the page size', async () => {
    for (const limit of [1, 7, 25, 99, 100, 101, 250])
      assert.deepEqual(getKeys(await walk(`/api/company/?cursor=&limit=${limit}`)), await readKeys('true'), `${limit} at a time`)
    assert.deepEqual(getKeys(await walk('/api/company/?cursor=')), await readKeys('true'))
    assert.deepEqual(getKeys(await walk('/api/company/?cursor=&ordering=pk&limit=30')), await readKeys('true'))
  })

  it('keeps filters and searches, and counts all matching rows', async () => {
    assert.deepEqual(getKeys(await walk('/api/company/?cursor=&limit=20&is_supplier=true')), await readKeys('is_supplier'))
    assert.deepEqual(getKeys(await walk('/api/company/?cursor=&limit=4&search=company+3')), await readKeys(`name = 'Company 3'`))
    const { body } = await superuser.get('/api/company/?cursor=&limit=20&is_supplier=true')
    assert.equal(body.count, 50)
    assert.equal((await superuser.get(new URL(body.next).pathname + new URL(body.next).search)).body.count, 50)
  })

  it('is served from the cache like other pages, with its cursor', async () => {
    const first = await walk('/api/company/?cursor=&limit=20')
    assert.deepEqual(await walk('/api/company/?cursor=&limit=20'), first)
  })

  it('returns every row that exists throughout exactly once, during concurrent writes', async () => {
    const stableKeys = await readKeys(`name <> 'Company 3'`)
    let isOver = false
    let createdCount = 0
    const writers = Array.from({ length: 3 }, async (_, writer) => {
      while (!isOver) {
        const name = `New ${writer} ${createdCount++}`
        // rows are added, changed and deleted; remaining rows change their name, by which the list is usually ordered
        await service.rows(`insert into company (name, currency) values ($1, 'USD')`, [name])
        await service.rows(
          `update company set name = md5(name) where name like 'Company%' and name <> 'Company 3' and pk % 3 = $1`,
          [writer],
        )
        await service.rows(
          `delete from company where pk = (select min(pk) from company where name = 'Company 3' or name like 'New %')`,
        )
      }
    })
    const walks: number[][] = []
    // the first passes may end before the writers have begun
    while (createdCount < 20) walks.push(getKeys(await walk('/api/company/?cursor=&limit=9')))
    isOver = true
    await Promise.all(writers)
    for (const walkedKeys of walks) {
      assert.deepEqual(
        walkedKeys.filter((pk) => stableKeys.includes(pk)),
        stableKeys,
      )
      assert.equal(new Set(walkedKeys).size, walkedKeys.length)
    }
  })

  it('rejects an offset, another order, and an invalid cursor', async () => {
    for (const query of [
      'cursor=&offset=25',
      'cursor=5&offset=0',
      'cursor=&ordering=name',
      'cursor=&ordering=-pk',
      'cursor=x',
      'cursor=-1',
      'cursor=99999999999',
    ]) {
      const { status, body } = await superuser.get(`/api/company/?${query}`)
      assert.equal(status, 400, query)
      assert.deepEqual(Object.keys(body), ['cursor'], query)
    }
  })

  it('does not change other lists: their next link stays the same', async () => {
    const { body } = await superuser.get('/api/company/?limit=25')
    assert.match(body.next, /\?limit=25&offset=25$/)
  })
})
