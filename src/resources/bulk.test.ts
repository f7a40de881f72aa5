import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../testing/service.ts'

const service = await testService()
const newer = await testService({ WIRE_FORM: 'inventree', INVENTREE_API: '530' })

const createCategory = async (name: string, { member } = service, more: object = {}): Promise<number> =>
  (await member.post('/api/part/category/', { name, ...more })).body.pk

const createContacts = async ({ member } = service, count = 2) => {
  const company = (await member.post('/api/company/', { name: `Company ${Math.random()}`, currency: 'EUR' })).body.pk
  const contacts: number[] = []
  for (let index = 0; index < count; index++)
    contacts.push((await member.post('/api/company/contact/', { company, name: `Contact ${index}` })).body.pk)
  return contacts
}

describe('PATCH /api/part/category/', () => {
  const path = '/api/part/category/'
  const { member } = service

  it('changes each object as its own PATCH would', async () => {
    const pks = [await createCategory('Bolts'), await createCategory('Nuts')]
    const parent = await createCategory('Hardware')
    const { status, body } = await member.patch(path, { items: pks, parent, description: 'Small' })
    assert.equal(status, 200)
    assert.deepEqual(
      body.items.map((item: { pathstring: string; description: string }) => [item.pathstring, item.description]),
      [
        ['Hardware/Bolts', 'Small'],
        ['Hardware/Nuts', 'Small'],
      ],
    )
  })

  it('changes nothing if one object rejects the change, and names an unknown one', async () => {
    const pks = [await createCategory('Screws'), await createCategory('Washers')]
    const read = () => service.rows('select * from part_category order by pk')
    const before = await read()
    const duplicate = await member.patch(path, { items: pks, name: 'Same' })
    assert.deepEqual([duplicate.status, Object.keys(duplicate.body)], [400, ['name']])
    const below = await member.patch(path, { items: pks, parent: pks[1] })
    assert.deepEqual([below.status, Object.keys(below.body)], [400, ['parent']])
    const named = await member.patch(path, { items: pks, parent: pks[1] }, { accept: 'application/problem+json' })
    assert.deepEqual(
      named.body.field_errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/items/1/parent'],
    )
    const unknown = await member.patch(path, { items: [...pks, 99999], description: 'x' })
    assert.equal(unknown.status, 400)
    assert.match(unknown.body.non_field_errors[0], /99999/)
    assert.deepEqual(await read(), before)
  })

  it('emits an event for each object', async () => {
    const pks = [await createCategory('Springs'), await createCategory('Pins')]
    const [{ last }] = await service.rows('select coalesce(max(id), 0) last from event')
    await member.patch(path, { items: pks, default_keywords: 'metal' })
    const events = await service.rows('select kind, model, key from event where id > $1 order by id', [last])
    assert.deepEqual(
      events.map(({ kind, model, key }) => `${kind} ${model} ${key}`),
      pks.map((pk) => `saved part_category ${pk}`),
    )
  })

  it('requires the right to change', async () => {
    const pk = await createCategory('Clips')
    await assertCallers(service, (client) => client.patch(path, { items: [pk], description: 'y' }), ['member', 'superuser'])
  })
})

describe('PATCH of the lists of companies, supplier parts, orders and build orders', () => {
  const { member } = service

  it('changes several of them, or none if one rejects the change, which its position names', async () => {
    const category = await createCategory('Bulk')
    const flags = { purchaseable: true, salable: true, assembly: true }
    const part = (await member.post('/api/part/', { name: 'Bulk part', category, ...flags })).body.pk
    const company = { currency: 'EUR', is_supplier: true, is_customer: true }
    const partner = (await member.post('/api/company/', { name: 'Bulk company', ...company })).body.pk
    const LISTS: [path: string, bodies: [object, object]][] = [
      [
        '/api/company/',
        [
          { name: 'One', ...company },
          { name: 'Two', ...company },
        ],
      ],
      ['/api/company/part/', ['BULK-1', 'BULK-2'].map((SKU) => ({ part, supplier: partner, SKU })) as [object, object]],
      ['/api/order/po/', ['PO-0801', 'PO-0802'].map((reference) => ({ reference, supplier: partner })) as [object, object]],
      ['/api/order/so/', ['SO-0801', 'SO-0802'].map((reference) => ({ reference, customer: partner })) as [object, object]],
      ['/api/order/ro/', ['RMA-0801', 'RMA-0802'].map((reference) => ({ reference, customer: partner })) as [object, object]],
      ['/api/order/transfer-order/', ['TO-0801', 'TO-0802'].map((reference) => ({ reference })) as [object, object]],
      [
        '/api/build/',
        ['BO-0801', 'BO-0802'].map((reference) => ({ reference, part, quantity: 2, title: 'Two' })) as [object, object],
      ],
    ]
    for (const [path, bodies] of LISTS) {
      const items: number[] = []
      for (const body of bodies) {
        const created = await member.post(path, body)
        assert.equal(created.status, 201, `${path} ${created.text}`)
        items.push(created.body.pk)
      }
      const changed = await member.patch(path, { items, link: 'https://bulk.example' })
      assert.deepEqual([changed.status, changed.body.items?.length], [200, 2], `${path} ${changed.text}`)
      for (const pk of items) assert.equal((await member.get(`${path}${pk}/`)).body.link, 'https://bulk.example', path)
      const before = JSON.stringify(await Promise.all(items.map(async (pk) => (await member.get(`${path}${pk}/`)).body)))
      const unique = Object.keys(bodies[0]).find((name) => ['reference', 'SKU', 'name'].includes(name)) as string
      const accept = { accept: 'application/problem+json' }
      const rejected = await member.patch(path, { items, link: '', [unique]: 'X'.repeat(300) }, accept)
      assert.equal(rejected.status, 400, path)
      assert.deepEqual(
        rejected.body.field_errors.map(({ pointer }: { pointer: string }) => pointer),
        [`/items/0/${unique}`],
      )
      assert.equal(JSON.stringify(await Promise.all(items.map(async (pk) => (await member.get(`${path}${pk}/`)).body))), before)
    }
  })
})

describe('DELETE of a list', () => {
  const path = '/api/company/contact/'

  it('returns 204, and ignores unknown keys', async () => {
    const [pk] = await createContacts()
    assert.equal((await service.member.delete(path, { items: [pk, 99999] })).status, 204)
    assert.equal((await service.member.get(`${path}${pk}/`)).status, 404)
  })

  it('never deletes all objects', async () => {
    const pks = await createContacts()
    for (const body of [{}, { items: pks }]) assert.equal((await service.member.delete(`${path}?all=true`, body)).status, 400)
    assert.equal((await service.member.get(`${path}${pks[0]}/`)).status, 200)
  })
})

describe('DELETE of a list, INVENTREE_API=530', () => {
  const path = '/api/company/contact/'
  const { member } = newer

  it('returns 200 with success', async () => {
    const pks = await createContacts(newer)
    const { status, body } = await member.delete(path, { items: pks })
    assert.deepEqual([status, typeof body.success], [200, 'string'])
    assert.equal((await member.get(`${path}${pks[0]}/`)).status, 404)
  })

  it('rejects filters, unknown keys and all=true, and deletes nothing', async () => {
    const pks = await createContacts(newer)
    const cases: [string, object][] = [
      [path, {}],
      [path, { items: 'x' }],
      [path, { filters: { name: 'Contact 0' } }],
      [path, { items: pks, filters: { name: 'Contact 0' } }],
      [path, { items: [...pks, 99999] }],
      [`${path}?all=true`, {}],
    ]
    for (const [url, body] of cases) {
      const response = await member.delete(url, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']], JSON.stringify(body))
    }
    assert.equal((await member.get(`${path}${pks[0]}/`)).status, 200)
  })
})
