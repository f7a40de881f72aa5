import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/company/address/'

const createCompany = async () => (await member.post('/api/company/', { name: 'Acme' })).body.pk as number
const createAddress = async (company: number, body: object) => (await member.post(path, { company, ...body })).body
const listPrimaryTitles = async (company: number) =>
  (await member.get(`${path}?company=${company}`)).body.results
    .filter((entry: { primary: boolean }) => entry.primary)
    .map((entry: { title: string }) => entry.title)
const count = async () => (await service.superuser.get(path)).body.count

describe('POST /api/company/address/', () => {
  it('makes the first address primary, whatever the body says', async () => {
    const company = await createCompany()
    const created = await member.post(path, { company, title: 'HQ', line1: '1 Way', primary: false })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, {
      pk: created.body.pk,
      company,
      title: 'HQ',
      primary: true,
      line1: '1 Way',
      line2: '',
      postal_code: '',
      postal_city: '',
      province: '',
      country: '',
      shipping_notes: '',
      internal_shipping_notes: '',
      link: '',
    })
    await createAddress(company, { title: 'Depot' })
    assert.deepEqual(await listPrimaryTitles(company), ['HQ'])
  })

  it('makes another address primary in place of the previous one', async () => {
    const company = await createCompany()
    await createAddress(company, { title: 'HQ' })
    assert.equal((await createAddress(company, { title: 'Depot', primary: true })).primary, true)
    assert.deepEqual(await listPrimaryTitles(company), ['Depot'])
  })

  it('leaves one primary address after concurrent requests', async () => {
    const company = await createCompany()
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) => member.post(path, { company, title: `A ${index}`, primary: index % 2 === 0 })),
    )
    assert.deepEqual([...new Set(created.map(({ status }) => status))], [201])
    assert.equal((await listPrimaryTitles(company)).length, 1)
  })

  it('rejects invalid input, naming the field', async () => {
    const company = await createCompany()
    const before = await count()
    for (const [body, field] of [
      [{ title: 'A' }, 'company'],
      [{ company: 99_999, title: 'A' }, 'company'],
      [{ company }, 'title'],
      [{ company, title: 'A', postal_code: 'x'.repeat(11) }, 'postal_code'],
      [{ company, title: 'A', country: null }, 'country'],
      [{ company, title: 'A', link: 'x' }, 'link'],
      [{ company, title: 'A', primary: 'perhaps' }, 'primary'],
    ] as const) {
      const response = await member.post(path, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]])
    }
    assert.equal(await count(), before)
  })

  it('requires a role that may add orders', async () => {
    const company = await createCompany()
    await assertCallers(service, (client) => client.post(path, { company, title: 'C' }), ['member', 'superuser'], count)
  })
})

describe('PATCH /api/company/address/{id}/', () => {
  it('moves the primary flag, but a single address always keeps it', async () => {
    const company = await createCompany()
    const first = await createAddress(company, { title: 'HQ' })
    assert.equal((await member.patch(`${path}${first.pk}/`, { primary: false })).body.primary, true)
    const second = await createAddress(company, { title: 'Depot' })
    assert.equal((await member.patch(`${path}${second.pk}/`, { primary: true })).body.primary, true)
    assert.deepEqual(await listPrimaryTitles(company), ['Depot'])
  })

  it('leaves one primary address when all request it concurrently', async () => {
    const company = await createCompany()
    const created = []
    for (let index = 0; index < 6; index++) created.push(await createAddress(company, { title: `A ${index}` }))
    const responses = await Promise.all(created.map(({ pk }) => member.patch(`${path}${pk}/`, { primary: true })))
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    assert.equal((await listPrimaryTitles(company)).length, 1)
  })

  it('requires a role that may change orders', async () => {
    const { pk } = await createAddress(await createCompany(), { title: 'HQ' })
    const read = async () => (await member.get(`${path}${pk}/`)).body
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { line1: 'x' }), ['member', 'superuser'], read)
  })
})

describe('DELETE /api/company/address/{id}/', () => {
  it('does not promote another address', async () => {
    const company = await createCompany()
    const first = await createAddress(company, { title: 'HQ' })
    await createAddress(company, { title: 'Depot' })
    assert.equal((await member.delete(`${path}${first.pk}/`)).status, 204)
    assert.deepEqual(await listPrimaryTitles(company), [])
    const { body } = await member.get(`/api/company/${company}/`)
    assert.deepEqual([body.address, body.primary_address, body.address_count], [null, null, 1])
  })
})

describe('GET, DELETE /api/company/address/', () => {
  it('orders by title, filters by company, and deletes several', async () => {
    const company = await createCompany()
    const created = [await createAddress(company, { title: 'B' }), await createAddress(company, { title: 'A' })]
    const listTitles = async (query = '') =>
      (await member.get(`${path}?company=${company}${query}`)).body.results.map((entry: { title: string }) => entry.title)
    assert.deepEqual(await listTitles(), ['A', 'B'])
    assert.deepEqual(await listTitles('&ordering=-title'), ['B', 'A'])
    assert.equal((await member.get(`${path}?company=99999`)).status, 400)
    assert.equal((await member.delete(path, { items: created.map(({ pk }) => pk) })).status, 204)
    assert.deepEqual(await listTitles(), [])
  })

  it('require roles that may see or delete orders', async () => {
    await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
    await assertCallers(service, (client) => client.delete(path, { items: [99_999] }), ['member', 'superuser'], count)
  })
})

describe('GET /api/company/address/', () => {
  it('searches titles, streets, towns and countries', async () => {
    const company = await createCompany()
    const { pk } = await createAddress(company, {
      title: 'Lighthouse',
      line1: '9 Quay Road',
      postal_city: 'Whitby',
      country: 'Atlantis',
    })
    for (const search of ['lighth', 'quay', 'whit+atlan'])
      assert.deepEqual(
        (await member.get(`${path}?search=${search}`)).body.results.map((entry: { pk: number }) => entry.pk),
        [pk],
        search,
      )
    assert.equal((await member.get(`${path}?search=quay+nowhere`)).body.count, 0)
  })
})
