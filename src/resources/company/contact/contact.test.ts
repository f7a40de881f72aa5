import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/company/contact/'
const company = (await member.post('/api/company/', { name: 'Acme' })).body.pk as number
const otherCompany = (await member.post('/api/company/', { name: 'Other' })).body.pk as number

const readContacts = async () => (await service.superuser.get(path)).body.results
const create = async (body: object) => (await member.post(path, { company, ...body })).body

describe('POST /api/company/contact/', () => {
  it('creates a contact', async () => {
    const created = await member.post(path, { company, name: 'Jo', email: 'jo@acme.example', role: 'sales' })
    assert.equal(created.status, 201)
    const { pk } = created.body
    assert.deepEqual(created.body, { pk, company, name: 'Jo', phone: '', email: 'jo@acme.example', role: 'sales' })
    assert.deepEqual((await service.viewer.get(`${path}${pk}/`)).body, created.body)
  })

  it('rejects invalid input, naming the field', async () => {
    const before = await readContacts()
    for (const [body, field] of [
      [{ name: 'A' }, 'company'],
      [{ company: 99_999, name: 'A' }, 'company'],
      [{ company: null, name: 'A' }, 'company'],
      [{ company }, 'name'],
      [{ company, name: '' }, 'name'],
      [{ company, name: 'A', email: 'x' }, 'email'],
      [{ company, name: 'A', email: null }, 'email'],
      [{ company, name: 'A', phone: 'x'.repeat(101) }, 'phone'],
    ] as const) {
      const response = await member.post(path, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]])
    }
    assert.deepEqual(await readContacts(), before)
  })

  it('requires a role that may add orders', () =>
    assertCallers(service, (client) => client.post(path, { company, name: 'C' }), ['member', 'superuser'], readContacts))
})

describe('GET /api/company/contact/', () => {
  it('filters by company, searches names of contact and company, and orders by name', async () => {
    await create({ name: 'Zoe' })
    await create({ company: otherCompany, name: 'Amy' })
    const listNames = async (query: string) =>
      (await member.get(`${path}?${query}`)).body.results.map((entry: { name: string }) => entry.name)
    assert.deepEqual(await listNames(`company=${otherCompany}`), ['Amy'])
    assert.deepEqual(await listNames('search=other'), ['Amy'])
    assert.deepEqual(await listNames('search=zoe'), ['Zoe'])
    assert.equal((await listNames('ordering=-name'))[0], 'Zoe')
    assert.equal((await listNames(''))[0], 'Amy')
    for (const query of ['company=abc', 'company=99999']) assert.equal((await member.get(`${path}?${query}`)).status, 400)
  })

  it('requires a role that may see orders', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('PUT, PATCH, DELETE /api/company/contact/{id}/', () => {
  it('changes and deletes', async () => {
    const { pk } = await create({ name: 'Changed', phone: '1', role: 'buyer' })
    assert.equal((await member.patch(`${path}${pk}/`, { phone: '2' })).body.role, 'buyer')
    assert.deepEqual((await member.put(`${path}${pk}/`, { company, name: 'Put' })).body, {
      pk,
      company,
      name: 'Put',
      phone: '',
      email: '',
      role: '',
    })
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.get(`${path}${pk}/`)).status, 404)
  })

  it('require roles that may change or delete orders', async () => {
    const { pk } = await create({ name: 'Callers' })
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { role: 'x' }), ['member', 'superuser'], readContacts)
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['member', 'superuser'], readContacts)
  })
})

describe('DELETE /api/company/contact/', () => {
  it('deletes the listed contacts that match the filters', async () => {
    const one = await create({ name: 'One' })
    const two = await create({ company: otherCompany, name: 'Two' })
    const response = await member.delete(path, { items: [one.pk, two.pk, 99_999], filters: { company: otherCompany } })
    assert.equal(response.status, 204)
    assert.equal((await member.get(`${path}${one.pk}/`)).status, 200)
    assert.equal((await member.get(`${path}${two.pk}/`)).status, 404)
    assert.equal((await member.delete(path, {})).status, 400)
    assert.equal((await member.delete(path, { items: 'all' })).status, 400)
  })

  it('requires a role that may delete orders', () =>
    assertCallers(service, (client) => client.delete(path, { items: [99_999] }), ['member', 'superuser'], readContacts))
})
