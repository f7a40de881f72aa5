import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { superuser } = service

beforeEach(async () => {
  await refill(service, await getEmptyStatement(service, 'company', 'part', 'part_category'))
  // each is written by a transaction of its own, so that each has a different version
  for (let number = 1; number <= 60; number++)
    await service.rows(`insert into company (name, currency) values ($1, 'USD')`, [`Company ${number % 7}`])
})

type Row = { pk: number; etag: string }

const readRows = async (path: string): Promise<Row[]> => (await superuser.get(path)).body.results

describe('a list with etag=true', () => {
  it('shows with each row the ETag of its detail URL, whatever statement reads the page', async () => {
    for (const query of [
      '',
      'limit=7',
      'limit=25&offset=20',
      'limit=33&offset=20&ordering=-name',
      'search=company+3',
      'search=company+3&limit=3&offset=2',
      'cursor=&limit=10',
      'cursor=&limit=3&search=company',
    ]) {
      const rows = await readRows(`/api/company/?etag=true&${query}`)
      assert.ok(rows.length > 2, query)
      for (const { pk, etag } of rows) assert.equal(etag, (await superuser.get(`/api/company/${pk}/`)).headers.etag, query)
    }
    const { body: category } = await superuser.post('/api/part/category/', { name: 'Screws' })
    for (const name of ['M3', 'M4']) await superuser.post('/api/part/', { name, description: name, category: category.pk })
    for (const { pk, etag } of await readRows('/api/part/?etag=1&category_detail=true&limit=2'))
      assert.equal(etag, (await superuser.get(`/api/part/${pk}/`)).headers.etag)
  })

  it('returns ETags that If-Match accepts once: the next page shows the next version', async () => {
    const path = '/api/company/?etag=true&limit=2'
    const [first, second] = (await readRows(path)) as [Row, Row]
    const change = (etag: string) => superuser.patch(`/api/company/${first.pk}/`, { name: 'Changed' }, { 'if-match': etag })
    assert.equal((await change(second.etag)).status, 412)
    assert.equal((await change(first.etag)).status, 200)
    const [changed, same] = (await readRows(path)) as [Row, Row]
    assert.notEqual(changed.etag, first.etag)
    assert.equal(same.etag, second.etag)
    assert.equal((await change(changed.etag)).status, 200)
  })

  it('has ETags only if etag is true and its objects have URLs', async () => {
    for (const query of ['', '?etag=', '?etag=false', '?etag=junk'])
      for (const row of await readRows(`/api/company/${query}`)) assert.ok(!('etag' in row), query)
    await superuser.post('/api/part/category/', { name: 'Screws' })
    for (const row of await readRows('/api/part/category/tree/?etag=true')) assert.ok(!('etag' in row), 'the tree')
    const { body } = await superuser.post('/api/search/', { search: 'company 3', limit: 2, company: { etag: 'true' } })
    for (const { pk, etag } of body.company.results) assert.equal(etag, (await superuser.get(`/api/company/${pk}/`)).headers.etag)
  })
})
