import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/company/'

const count = async () => (await service.superuser.get(path)).body.count
const create = async (body: object) => (await member.post(path, body)).body

/** Sends each body and requires a 400 that names the field, with nothing changed. */
async function assertRejected(bodies: [object, string][], send: (body: object) => ReturnType<typeof member.post>) {
  const before = await count()
  for (const [body, field] of bodies) {
    const response = await send(body)
    assert.equal(response.status, 400, JSON.stringify(body))
    assert.deepEqual(Object.keys(response.body), [field], JSON.stringify(body))
  }
  assert.equal(await count(), before)
}

describe('POST /api/company/', () => {
  it('creates a supplier in the default currency unless the body names another', async () => {
    const created = await member.post(path, { name: 'Acme' })
    assert.equal(created.status, 201)
    const { pk } = created.body
    assert.deepEqual(created.body, {
      pk,
      url: `/company/${pk}/`,
      name: 'Acme',
      description: '',
      website: '',
      phone: '',
      address: null,
      email: null,
      currency: 'USD',
      tax_id: '',
      contact: '',
      link: '',
      image: null,
      active: true,
      is_customer: false,
      is_manufacturer: false,
      is_supplier: true,
      notes: null,
      parts_supplied: 0,
      parts_manufactured: 0,
      address_count: 0,
      primary_address: null,
    })
    assert.deepEqual((await service.viewer.get(`${path}${pk}/`)).body, created.body)

    const setting = '/api/settings/global/INVENTREE_DEFAULT_CURRENCY/'
    await service.superuser.patch(setting, { value: 'NZD' })
    assert.equal((await create({ name: 'Kiwi' })).currency, 'NZD')
    await service.superuser.patch(setting, { value: 'USD' })
    assert.equal((await create({ name: 'Euro', currency: 'EUR' })).currency, 'EUR')
  })

  it('rejects invalid input, naming the field', () =>
    assertRejected(
      [
        [{}, 'name'],
        [{ name: '' }, 'name'],
        [{ name: null }, 'name'],
        [{ name: 'x'.repeat(101) }, 'name'],
        [{ name: 'A', currency: 'XXX' }, 'currency'],
        [{ name: 'A', currency: '' }, 'currency'],
        [{ name: 'A', currency: null }, 'currency'],
        [{ name: 'A', email: 'nobody' }, 'email'],
        [{ name: 'A', website: 'javascript:alert(1)' }, 'website'],
        [{ name: 'A', link: 'acme.example' }, 'link'],
        [{ name: 'A', notes: 'x'.repeat(50_001) }, 'notes'],
        [{ name: 'A', active: 'perhaps' }, 'active'],
        [{ name: 'A', image: 'data:image/png;base64,$' }, 'image'],
        [{ name: 'A', remote_image: 'https://example.org/x.png' }, 'remote_image'],
        [{ name: 'A', remote_image: '' }, 'remote_image'],
      ],
      (body) => member.post(path, body),
    ))

  it('requires a unique pair of name and email address; a name alone may repeat', async () => {
    await create({ name: 'Twice', email: 'a@twice.example' })
    await assertRejected([[{ name: 'Twice', email: 'a@twice.example' }, 'non_field_errors']], (body) => member.post(path, body))
    for (const email of [undefined, null, '', 'b@twice.example'])
      assert.equal((await member.post(path, { name: 'Twice', email })).status, 201)
  })

  it('accepts links without a scheme if the setting is not strict', async () => {
    const setting = '/api/settings/global/INVENTREE_STRICT_URLS/'
    await service.superuser.patch(setting, { value: 'False' })
    assert.equal((await create({ name: 'Loose', website: 'loose.example/shop' })).website, 'loose.example/shop')
    await assertRejected([[{ name: 'L', link: 'javascript://x.example/%0aalert(1)' }, 'link']], (body) => member.post(path, body))
    await service.superuser.patch(setting, { value: 'True' })
  })

  it('requires a role that may add orders', () =>
    assertCallers(service, (client) => client.post(path, { name: 'Callers' }), ['member', 'superuser'], count))
})

describe('PATCH /api/company/{id}/', () => {
  it('changes the given fields; null removes the picture, and its own URL changes nothing', async () => {
    const { pk } = await create({ name: 'Patched', description: 'before', phone: '1' })
    await service.rows('update company set image = $1 where pk = $2', ['company_images/a.png', pk])
    const changed = await member.patch(`${path}${pk}/`, { description: 'after', image: '/media/company_images/a.png' })
    assert.equal(changed.body.description, 'after')
    assert.equal(changed.body.phone, '1')
    assert.equal(changed.body.image, '/media/company_images/a.png')
    assert.equal((await member.patch(`${path}${pk}/`, { image: null })).body.image, null)
  })

  it('requires a role that may change orders', async () => {
    const { pk } = await create({ name: 'Callers of patch' })
    const read = async () => (await member.get(`${path}${pk}/`)).body
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { phone: '2' }), ['member', 'superuser'], read)
  })
})

describe('PUT /api/company/{id}/', () => {
  it('resets omitted fields to their defaults, except the picture', async () => {
    const { pk } = await create({ name: 'Put', description: 'x', currency: 'EUR', is_customer: true, notes: 'n' })
    await service.rows('update company set image = $1 where pk = $2', ['company_images/a.png', pk])
    const { body } = await member.put(`${path}${pk}/`, { name: 'Put again' })
    assert.deepEqual(
      [body.name, body.description, body.currency, body.is_customer, body.notes, body.image],
      ['Put again', '', 'USD', false, null, '/media/company_images/a.png'],
    )
    assert.equal((await member.put(`${path}${pk}/`, {})).status, 400)
  })
})

describe('GET /api/company/', () => {
  it('counts parts and addresses, and shows the primary address in one line', async () => {
    const { pk } = await create({ name: 'Counted', is_manufacturer: true })
    await service.rows(`insert into part (name) select 'counted ' || i from generate_series(1, 3) i`)
    await service.rows(`insert into supplier_part (part, supplier, "SKU") select pk, $1, name from part where name ~ 'counted'`, [
      pk,
    ])
    await service.rows(
      `insert into manufacturer_part (part, manufacturer, "MPN") select pk, $1, name from part where name ~ 'counted [12]'`,
      [pk],
    )
    await member.post('/api/company/address/', { company: pk, title: 'HQ', line1: '1 Way', postal_city: 'Town', country: 'NZ' })
    await member.post('/api/company/address/', { company: pk, title: 'Depot', line1: '2 Way' })
    const { body } = await member.get(`${path}?name=Counted`)
    const [row] = body.results
    assert.deepEqual([row.parts_supplied, row.parts_manufactured, row.address_count], [3, 2, 2])
    assert.equal(row.address, '1 Way, Town, NZ')
    assert.equal(row.primary_address.title, 'HQ')
    assert.equal(row.primary_address.company, pk)
    const listNames = async (ordering: string) =>
      (await member.get(`${path}?ordering=${ordering}&limit=1`)).body.results.map((entry: { name: string }) => entry.name)
    assert.deepEqual(await listNames('-parts_supplied'), ['Counted'])
    assert.deepEqual(await listNames('-parts_manufactured'), ['Counted'])
  })

  it('filters by flags and name, searches name, description and website, and orders by name', async () => {
    await create({ name: 'Zulu', is_customer: true, active: false, website: 'https://needle.example' })
    const findNames = async (query: string) =>
      (await member.get(`${path}?${query}`)).body.results.map((entry: { name: string }) => entry.name)
    assert.deepEqual(await findNames('is_customer=true&active=false'), ['Zulu'])
    assert.deepEqual(await findNames('name=Zulu'), ['Zulu'])
    assert.deepEqual(await findNames('name=zulu'), [])
    assert.deepEqual(await findNames('search=needle'), ['Zulu'])
    assert.equal((await findNames('ordering=-name'))[0], 'Zulu')
    const all = await findNames('')
    assert.deepEqual(all, all.toSorted())
    assert.equal((await member.get(`${path}?is_customer=perhaps`)).status, 400)
  })

  it('requires a role that may see orders', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('DELETE /api/company/{id}/', () => {
  it('deletes contacts, addresses and parts as well, and leaves orders without a supplier', async () => {
    const { pk } = await create({ name: 'Gone', is_manufacturer: true })
    await member.post('/api/company/contact/', { company: pk, name: 'Jo' })
    await member.post('/api/company/address/', { company: pk, title: 'HQ' })
    const [part] = await service.rows(`insert into part (name) values ('of a company that goes') returning pk`)
    await service.rows(`insert into supplier_part (part, supplier, "SKU") values ($1, $2, 'G')`, [part.pk, pk])
    await service.rows(`insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, 'G')`, [part.pk, pk])
    const order = await member.post('/api/order/po/', { reference: 'PO-9001', supplier: pk })
    assert.equal(order.status, 201)
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.get(`${path}${pk}/`)).status, 404)
    assert.equal((await member.get(`/api/order/po/${order.body.pk}/`)).body.supplier, null)
    for (const table of ['contact', 'address', 'supplier_part', 'manufacturer_part']) {
      const column = { supplier_part: 'supplier', manufacturer_part: 'manufacturer' }[table] ?? 'company'
      assert.deepEqual(await service.rows(`select pk from ${table} where ${column} = $1`, [pk]), [])
    }
  })

  it('rejects a company with stock, so that sold items stay out of stock', async () => {
    const { pk } = await create({ name: 'Owner', is_customer: true })
    const [part] = await service.rows(`insert into part (name, salable) values ('sold', true) returning pk`)
    const items = []
    for (let count = 0; count < 6; count++) {
      const item = (await member.post('/api/stock/', { part: part.pk, quantity: 5 })).body
      items.push(item.pk)
    }
    const assignResponse = await member.post('/api/stock/assign/', { items: items.map((item) => ({ item })), customer: pk })
    assert.equal(assignResponse.status, 201, assignResponse.text)
    const { status, body } = await member.delete(`${path}${pk}/`)
    assert.deepEqual([status, Object.keys(body)], [400, ['non_field_errors']])
    assert.match(body.non_field_errors[0], new RegExp(`${items[4]} and 1 more`))
    assert.equal((await member.get(`/api/part/${part.pk}/`)).body.in_stock, 0)
    assert.equal((await member.get(`${path}${pk}/`)).status, 200)

    const location = (await member.post('/api/stock/location/', { name: 'Back from the owner' })).body.pk
    for (const item of items) assert.equal((await member.post(`/api/stock/${item}/return/`, { location })).status, 201)
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
  })

  it('requires a role that may delete orders', async () => {
    const { pk } = await create({ name: 'Callers of delete' })
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['member', 'superuser'], count)
  })
})

describe('/api/company/{id}/metadata/', () => {
  it('merges on PATCH and replaces on PUT', async () => {
    const { pk } = await create({ name: 'Meta' })
    const metadataPath = `${path}${pk}/metadata/`
    assert.deepEqual((await member.get(metadataPath)).body, { metadata: {} })
    await member.patch(metadataPath, { metadata: { a: 1 } })
    assert.deepEqual((await member.patch(metadataPath, { metadata: { b: 2 } })).body, { metadata: { a: 1, b: 2 } })
    assert.deepEqual((await member.put(metadataPath, { metadata: { c: 3 } })).body, { metadata: { c: 3 } })
  })
})

describe("lists restricted by a company's role", () => {
  it('are empty for a company without that role, since its page requests all of them', async () => {
    const { pk } = await create({ name: 'Nobody', is_supplier: false })
    for (const list of [
      `/api/order/po/?supplier=${pk}`,
      `/api/order/so/?customer=${pk}`,
      `/api/order/ro/?customer=${pk}`,
      `/api/company/part/?supplier=${pk}`,
      `/api/company/part/manufacturer/?manufacturer=${pk}`,
      `/api/stock/?customer=${pk}`,
      `/api/stock/?supplier=${pk}`,
    ]) {
      const { status, body } = await service.superuser.get(list)
      assert.deepEqual([status, body.count], [200, 0], list)
    }
  })

  it('still show the orders of a company that lost the role', async () => {
    const { pk } = await create({ name: 'Once' })
    const created = await member.post('/api/order/po/', { supplier: pk, reference: 'PO-4711' })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.equal((await member.patch(`${path}${pk}/`, { is_supplier: false })).status, 200)
    assert.equal((await member.get(`/api/order/po/?supplier=${pk}`)).body.count, 1)
  })
})
