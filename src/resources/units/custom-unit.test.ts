import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { isKnownUnit } from '../../notation/units/physical-units.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { getUnitRegistry } from './unit-registry.ts'

const service = await testService()
const { staff } = service
const path = '/api/units/'

beforeEach(() => service.pool.query('delete from custom_unit'))

const readUnits = async () => (await service.viewer.get(path)).body.results
const create = async (body: object) => (await staff.post(path, body)).body
const readRegistry = () => getUnitRegistry({ query: async (text, values) => (await service.pool.query(text, values)).rows })
const isKnown = async (name: string) => isKnownUnit(name, await readRegistry())

describe('POST /api/units/', () => {
  it('creates a unit that is usable from then on', async () => {
    assert.equal(await isKnown('walks'), false)
    const created = await staff.post(path, { name: 'walk', symbol: 'wk', definition: '660 * ft' })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, { pk: created.body.pk, name: 'walk', symbol: 'wk', definition: '660 * ft' })
    assert.deepEqual((await service.nobody.get(`${path}${created.body.pk}/`)).body, created.body)
    assert.equal(await isKnown('walks'), true)
  })

  it('accepts any number of units without a symbol', async () => {
    for (const name of ['one', 'two', 'three']) assert.equal((await staff.post(path, { name, definition: 'm' })).status, 201)
    assert.equal((await readUnits()).length, 3)
  })

  it('rejects invalid values and names the field', async () => {
    await create({ name: 'walk', symbol: 'wk', definition: '660 * ft' })
    const before = await readUnits()
    for (const [wrong, field] of [
      [{ name: undefined }, 'name'],
      [{ name: 'two words' }, 'name'],
      [{ name: 'metre' }, 'name'],
      [{ name: 'walk' }, 'name'],
      [{ name: 'x'.repeat(51) }, 'name'],
      [{ symbol: 'wk' }, 'symbol'],
      [{ symbol: 'a b' }, 'symbol'],
      [{ symbol: null }, 'symbol'],
      [{ symbol: { x: 1 } }, 'symbol'],
      [{ definition: undefined }, 'definition'],
      [{ definition: 'blorp * 2' }, 'definition'],
      [{ definition: '-3 m' }, 'definition'],
    ] as const) {
      const response = await staff.post(path, { name: 'chain', definition: '22 yd', ...wrong })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
    }
    assert.deepEqual(Object.keys((await staff.post(path, { name: 'a b', definition: 'blorp' })).body).sort(), [
      'definition',
      'name',
    ])
    assert.deepEqual(await readUnits(), before)
  })

  it('creates one unit per name under concurrent requests', async () => {
    const created = await Promise.all(Array.from({ length: 6 }, () => staff.post(path, { name: 'chain', definition: '22 yd' })))
    assert.deepEqual(created.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400])
  })

  it('requires a staff account', () =>
    assertCallers(
      service,
      (client) => client.post(path, { name: 'callers', definition: 'm' }),
      ['staff', 'superuser'],
      readUnits,
    ))
})

describe('PUT, PATCH /api/units/{id}/', () => {
  it('changes a unit, which may keep its own name and symbol', async () => {
    const { pk } = await create({ name: 'walk', symbol: 'wk', definition: '660 * ft' })
    assert.equal((await staff.patch(`${path}${pk}/`, { name: 'walk', symbol: 'wk' })).status, 200)
    assert.equal((await staff.patch(`${path}${pk}/`, { name: 'stadium' })).body.definition, '660 * ft')
    assert.deepEqual([await isKnown('walk'), await isKnown('stadium')], [false, true])
    assert.deepEqual((await staff.put(`${path}${pk}/`, { name: 'stadium', definition: '185 m' })).body.symbol, '')
    assert.deepEqual(Object.keys((await staff.put(`${path}${pk}/`, {})).body), ['name', 'definition'])
  })

  it('rejects a new name while other units are defined by the old one, and a definition that refers to the unit itself', async () => {
    const { pk } = await create({ name: 'carton', definition: '6 dozen' })
    await create({ name: 'crate', definition: '4 carton' })
    const before = await readUnits()
    for (const [body, field] of [
      [{ name: 'box' }, 'non_field_errors'],
      [{ definition: '2 carton' }, 'definition'],
      [{ definition: '2 crate' }, 'definition'],
    ] as const) {
      const response = await staff.patch(`${path}${pk}/`, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await readUnits(), before)
    assert.equal((await staff.patch(`${path}${pk}/`, { definition: '5 dozen' })).status, 200)
  })

  it('recalculates parameter values, and rejects a change that would make one unreadable', async () => {
    const { member } = service
    const { pk } = await create({ name: 'reel', symbol: 'rl', definition: '100 m' })
    const category = (await member.post('/api/part/category/', { name: 'Cables' })).body.pk
    const part = (await member.post('/api/part/', { name: 'Cable', category })).body.pk
    const createParameter = async (units: string, data: string) => {
      const template = (await member.post('/api/part/parameter/template/', { name: `In ${units}`, units })).body.pk
      const { status, body } = await member.post('/api/part/parameter/', { part, template, data })
      assert.equal(status, 201, JSON.stringify(body))
      return async () => (await member.get(`/api/part/parameter/${body.pk}/`)).body.data_numeric
    }
    const [readMetres, readReels, readKilograms] = [
      await createParameter('m', '2 reel'),
      await createParameter('rl', '50 m'),
      await createParameter('kg', '3'),
    ]
    assert.deepEqual([await readMetres(), await readReels(), await readKilograms()], [200, 0.5, 3])
    assert.equal((await staff.patch(`${path}${pk}/`, { definition: '200 m' })).status, 200)
    assert.deepEqual([await readMetres(), await readReels(), await readKilograms()], [400, 0.25, 3])
    for (const rejection of [
      await staff.patch(`${path}${pk}/`, { definition: '2 kg' }),
      await staff.patch(`${path}${pk}/`, { symbol: 'xx' }),
      await staff.delete(`${path}${pk}/`),
    ]) {
      assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['non_field_errors']])
      assert.match(rejection.body.non_field_errors[0], /^Parameters of parts use this unit: /)
    }
    assert.deepEqual([await readMetres(), await readReels(), await readKilograms()], [400, 0.25, 3])
    await service.rows('delete from parameter_template')
    assert.equal((await staff.delete(`${path}${pk}/`)).status, 204)
  })

  it('requires a staff account', async () => {
    const { pk } = await create({ name: 'carton', definition: '6 dozen' })
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { symbol: 'ct' }), ['staff', 'superuser'], readUnits)
    const body = { name: 'carton', definition: '7 dozen' }
    await assertCallers(service, (client) => client.put(`${path}${pk}/`, body), ['staff', 'superuser'], readUnits)
  })
})

describe('DELETE /api/units/{id}/', () => {
  it('deletes a unit unless others are defined by it', async () => {
    const carton = await create({ name: 'carton', definition: '6 dozen' })
    const crate = await create({ name: 'crate', definition: '4 carton' })
    const rejection = await staff.delete(`${path}${carton.pk}/`)
    assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['non_field_errors']])
    assert.match(rejection.text, /crate/)
    assert.equal((await staff.delete(`${path}${crate.pk}/`)).status, 204)
    assert.equal((await staff.delete(`${path}${carton.pk}/`)).status, 204)
    assert.equal(await isKnown('carton'), false)
  })

  it('requires a staff account', async () => {
    const { pk } = await create({ name: 'carton', definition: '6 dozen' })
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['staff', 'superuser'], readUnits)
  })
})

describe('GET /api/units/', () => {
  it('is open to every account', () =>
    assertCallers(service, (client) => client.get(path), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('GET /api/units/', () => {
  it('searches and sorts by name, symbol and definition', async () => {
    await create({ name: 'walk', symbol: 'wk', definition: '660 * ft' })
    await create({ name: 'crate', symbol: 'aa', definition: '12' })
    const readNames = async (query: string) =>
      (await service.viewer.get(`${path}?${query}`)).body.results.map(({ name }: { name: string }) => name)
    assert.deepEqual(await readNames('search=WAL'), ['walk'])
    assert.deepEqual(await readNames('search=660'), ['walk'])
    assert.deepEqual(await readNames('search=none'), [])
    assert.deepEqual(
      [await readNames('ordering=name'), await readNames('ordering=-symbol')],
      [
        ['crate', 'walk'],
        ['walk', 'crate'],
      ],
    )
  })
})
