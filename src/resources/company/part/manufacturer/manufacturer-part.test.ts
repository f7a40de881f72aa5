import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../../testing/service.ts'
import { hashBarcode } from '../../../barcode/barcode-hash.ts'

const service = await testService()
const { member } = service
const path = '/api/company/part/manufacturer/'
const parametersPath = `${path}parameter/`

let manufacturer: number
let supplier: number
let part: number
let notPurchaseable: number

before(async () => {
  supplier = (await member.post('/api/company/', { name: 'Supplies' })).body.pk
  manufacturer = (await member.post('/api/company/', { name: 'Makes', is_supplier: false, is_manufacturer: true })).body.pk
  const created = await service.rows(
    `insert into part (name, purchaseable, active) values ('Screw', true, true), ('Label', false, true) returning pk`,
  )
  ;[part, notPurchaseable] = created.map((row) => row.pk)
})

let number = 0
const create = async (more: object = {}) => (await member.post(path, { part, manufacturer, MPN: `M-${++number}`, ...more })).body
const count = async () => (await service.superuser.get(path)).body.count

describe('POST /api/company/part/manufacturer/', () => {
  it('creates a manufacturer part', async () => {
    const created = await member.post(path, { part, manufacturer, MPN: 'ABC', tags: ['a'] })
    assert.equal(created.status, 201)
    const { pk, part_detail, manufacturer_detail, ...rest } = created.body
    assert.deepEqual(rest, {
      part,
      manufacturer,
      description: null,
      MPN: 'ABC',
      link: null,
      barcode_hash: '',
      notes: null,
      tags: ['a'],
    })
    assert.deepEqual([part_detail.name, manufacturer_detail.name], ['Screw', 'Makes'])
    assert.deepEqual((await service.viewer.get(`${path}${pk}/`)).body, created.body)
  })

  it('rejects invalid input, naming the field', async () => {
    await create({ MPN: 'TAKEN', barcode_hash: 'HASH' })
    const before = await count()
    for (const [wrong, field] of [
      [{ part: undefined }, 'part'],
      [{ part: notPurchaseable }, 'part'],
      [{ manufacturer: supplier }, 'manufacturer'],
      [{ manufacturer: null }, 'manufacturer'],
      [{ MPN: undefined }, 'MPN'],
      [{ MPN: '' }, 'MPN'],
      [{ MPN: null }, 'MPN'],
      [{ MPN: 'TAKEN' }, 'non_field_errors'],
      [{ barcode_hash: 'HASH' }, 'barcode_hash'],
      [{ link: 'x' }, 'link'],
      [{ tags: null }, 'tags'],
    ] as const) {
      const response = await member.post(path, { part, manufacturer, MPN: 'NEW', ...wrong })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
    }
    assert.equal(await count(), before)
  })

  it('accepts a hashed code only if no object of any type has it', async () => {
    const scan = (barcode: string) => service.superuser.post('/api/barcode/', { barcode })
    const link = (barcode: string, target: object) => service.superuser.post('/api/barcode/link/', { barcode, ...target })
    assert.equal((await link('of a part', { part })).status, 201)
    const errorResponse = await member.post(path, { part, manufacturer, MPN: 'CODED', barcode_hash: hashBarcode('of a part') })
    assert.deepEqual(
      [errorResponse.status, errorResponse.body],
      [400, { barcode_hash: ['Another object already has this barcode.'] }],
    )
    const { pk } = await create({ MPN: 'CODED', barcode_hash: hashBarcode('its own') })
    assert.equal((await scan('its own')).body.manufacturerpart.pk, pk)
    assert.equal((await link('its own', { part })).status, 400)
    // linking a code replaces the hash, and setting a hash replaces the linked code
    assert.equal((await link('a{GS}b', { manufacturerpart: pk })).status, 201)
    assert.equal((await scan('a\u001db')).body.manufacturerpart.pk, pk)
    assert.equal((await scan('its own')).status, 400)
    const url = `${path}${pk}/`
    assert.equal((await member.patch(url, { description: 'still coded' })).status, 200)
    assert.equal((await scan('a\u001db')).body.manufacturerpart.pk, pk)
    assert.equal((await member.patch(url, { barcode_hash: hashBarcode('another') })).status, 200)
    assert.deepEqual([(await scan('a\u001db')).status, (await scan('another')).body.manufacturerpart.pk], [400, pk])
    assert.deepEqual((await member.patch(url, { barcode_hash: hashBarcode('of a part') })).body, errorResponse.body)
    assert.equal((await member.patch(url, { barcode_hash: '' })).status, 200)
    assert.equal((await scan('another')).status, 400)
  })

  it('requires a role that may add parts or purchase orders', () =>
    assertCallers(service, (client) => client.post(path, { part, manufacturer, MPN: 'CALLERS' }), ['member', 'superuser'], count))
})

describe('GET /api/company/part/manufacturer/', () => {
  it('filters, searches and orders, and shows details on request', async () => {
    const other = (await member.post('/api/company/', { name: 'Aardvark', is_manufacturer: true, active: false })).body.pk
    await create({ manufacturer: other, MPN: 'Z1', tags: ['Two words'], description: 'needle' })
    const findNumbers = async (query: string) =>
      (await member.get(`${path}?${query}`)).body.results.map((entry: { MPN: string }) => entry.MPN)
    for (const query of [
      'MPN=Z1',
      `manufacturer=${other}`,
      `part=${part}&manufacturer_active=false`,
      'tags__name=Two words',
      'tags__slug=two-words',
      'search=needle',
      'search=aardvark+screw',
      'search=two-words',
      'ordering=-MPN&limit=1',
      'ordering=manufacturer&limit=1',
    ])
      assert.deepEqual(await findNumbers(query), ['Z1'], query)
    assert.deepEqual(await findNumbers('MPN=z1'), [])
    assert.deepEqual(await findNumbers('part_active=false'), [])
    for (const query of ['part=abc', 'manufacturer=99999']) assert.equal((await member.get(`${path}?${query}`)).status, 400)
    const [row] = (await member.get(`${path}?MPN=Z1&pretty=true&manufacturer_detail=true`)).body.results
    assert.deepEqual([row.pretty_name, row.manufacturer_detail.name, row.part_detail], ['Aardvark | Z1', 'Aardvark', undefined])
  })

  it('requires a role that may see parts or purchase orders', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('PATCH, DELETE /api/company/part/manufacturer/{id}/', () => {
  it('changes the given fields, and accepts an imported part without a number unchanged', async () => {
    const { pk } = await create()
    await service.rows('update manufacturer_part set "MPN" = null where pk = $1', [pk])
    const changed = await member.patch(`${path}${pk}/`, { description: 'd' })
    assert.deepEqual([changed.status, changed.body.MPN, changed.body.description], [200, null, 'd'])
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { MPN: null })).body), ['MPN'])
  })

  it('deletes parameters and supplier parts as well', async () => {
    const { pk } = await create()
    await member.post(parametersPath, { manufacturer_part: pk, name: 'Tol', value: '1' })
    const supplierPart = (await member.post('/api/company/part/', { part, supplier, SKU: 'GOES', manufacturer_part: pk })).body.pk
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.get(`/api/company/part/${supplierPart}/`)).status, 404)
    assert.deepEqual(await service.rows('select pk from manufacturer_part_parameter where manufacturer_part = $1', [pk]), [])
  })

  it('deletes several manufacturer parts', async () => {
    const created = [await create(), await create()]
    assert.equal((await member.delete(path, { items: created.map(({ pk }) => pk) })).status, 204)
    for (const { pk } of created) assert.equal((await member.get(`${path}${pk}/`)).status, 404)
  })

  it('require roles that may change or delete parts or purchase orders', async () => {
    const { pk } = await create()
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { link: '' }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.delete(path, { items: [99_999] }), ['member', 'superuser'], count)
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['member', 'superuser'], count)
  })
})

describe('/api/company/part/manufacturer/parameter/', () => {
  const readParameters = async () => (await service.superuser.get(parametersPath)).body.results

  it('creates, lists, changes and deletes parameters', async () => {
    const { pk: manufacturerPart } = await create()
    const created = await member.post(parametersPath, {
      manufacturer_part: manufacturerPart,
      name: 'Tolerance',
      value: '1',
      units: '%',
    })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, {
      pk: created.body.pk,
      manufacturer_part: manufacturerPart,
      name: 'Tolerance',
      value: '1',
      units: '%',
    })
    const parameterPath = `${parametersPath}${created.body.pk}/`
    for (const query of [
      `manufacturer_part=${manufacturerPart}`,
      'name=Tolerance',
      'value=1',
      'units=%25',
      'search=toler',
      `part=${part}`,
    ])
      assert.equal((await member.get(`${parametersPath}?${query}`)).body.count, 1, query)
    assert.equal((await member.get(`${parametersPath}?manufacturer=${supplier}`)).body.count, 0)
    assert.equal((await member.get(`${parametersPath}?manufacturer_part=99999`)).status, 400)
    const response = await member.get(`${parametersPath}?manufacturer_part_detail=true`)
    assert.equal(response.body.results[0].manufacturer_part_detail.pk, manufacturerPart)
    assert.equal((await member.patch(parameterPath, { value: '2', units: null })).body.units, null)
    assert.equal((await member.delete(parametersPath, { items: [created.body.pk] })).status, 204)
    assert.equal((await member.get(parameterPath)).status, 404)
  })

  it('rejects invalid input, naming the field', async () => {
    const { pk: manufacturerPart } = await create()
    await member.post(parametersPath, { manufacturer_part: manufacturerPart, name: 'Taken', value: '1' })
    const before = await readParameters()
    for (const [wrong, field] of [
      [{ manufacturer_part: undefined }, 'manufacturer_part'],
      [{ manufacturer_part: 99_999 }, 'manufacturer_part'],
      [{ name: '' }, 'name'],
      [{ name: 'Taken' }, 'non_field_errors'],
      [{ value: '' }, 'value'],
      [{ value: null }, 'value'],
      [{ units: 'x'.repeat(65) }, 'units'],
    ] as const) {
      const response = await member.post(parametersPath, {
        manufacturer_part: manufacturerPart,
        name: 'New',
        value: '1',
        ...wrong,
      })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
    }
    assert.deepEqual(await readParameters(), before)
  })

  it('requires roles of parts or purchase orders', async () => {
    const { pk: manufacturerPart } = await create()
    await assertCallers(service, (client) => client.get(parametersPath), ['viewer', 'member', 'superuser'])
    const body = { manufacturer_part: manufacturerPart, name: 'Callers', value: '1' }
    await assertCallers(service, (client) => client.post(parametersPath, body), ['member', 'superuser'], readParameters)
    const [row] = await readParameters()
    await assertCallers(
      service,
      (client) => client.patch(`${parametersPath}${row.pk}/`, { value: '3' }),
      ['member', 'superuser'],
      readParameters,
    )
    await assertCallers(
      service,
      (client) => client.delete(`${parametersPath}${row.pk}/`),
      ['member', 'superuser'],
      readParameters,
    )
  })
})

describe('GET /api/company/part/manufacturer/?active=', () => {
  it('filters by whether the part is active', async () => {
    const { pk } = await create()
    const isFound = async (active: boolean) =>
      (await member.get(`${path}?active=${active}&limit=1000`)).body.results.some((entry: { pk: number }) => entry.pk === pk)
    assert.deepEqual([await isFound(true), await isFound(false)], [true, false])
    await service.rows('update part set active = false where pk = $1', [part])
    assert.deepEqual([await isFound(true), await isFound(false)], [false, true])
    await service.rows('update part set active = true where pk = $1', [part])
  })
})
