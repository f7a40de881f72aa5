// Over 400 lines: tests every operation on supplier parts on one set of companies and parts.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/company/part/'

let supplier: number
let maker: number
let customer: number
let part: number
let wire: number
let notPurchaseable: number
let manufacturerPart: number

before(async () => {
  const createCompany = async (name: string, roles: object) => (await member.post('/api/company/', { name, ...roles })).body.pk
  supplier = await createCompany('Supplies', {})
  maker = await createCompany('Makes', { is_supplier: false, is_manufacturer: true })
  customer = await createCompany('Buys', { is_supplier: false, is_customer: true })
  const created = await service.rows(`insert into part (name, "IPN", units, purchaseable, keywords) values
    ('Screw', 'S-1', null, true, 'metal'), ('Wire', null, 'm', true, null), ('Label', null, null, false, null) returning pk`)
  ;[part, wire, notPurchaseable] = created.map((row) => row.pk)
  manufacturerPart = (await member.post(`${path}manufacturer/`, { part, manufacturer: maker, MPN: 'M-1' })).body.pk
})

let number = 0
const createBody = (more: object = {}) => ({ part, supplier, SKU: `SKU-${++number}`, ...more })
const create = async (more: object = {}) => (await member.post(path, createBody(more))).body
const count = async () => (await service.superuser.get(path)).body.count
const readDetail = async (pk: number, query = '') => (await member.get(`${path}${pk}/${query}`)).body

describe('POST /api/company/part/', () => {
  it("finds the manufacturer part by its manufacturer's name and its MPN, as Ki-nTree sends it", async () => {
    const created = await create({ manufacturer: 'Makes', MPN: 'M-1', description: 'by name' })
    assert.deepEqual([created.manufacturer_part, created.manufacturer, created.MPN], [manufacturerPart, 'Makes', 'M-1'])
    const { manufacturer_part } = await create({ manufacturer: '', MPN: '' })
    assert.equal(manufacturer_part, null)
    const before = await count()
    for (const more of [{ MPN: 'M-9' }, { manufacturer: 'Supplies' }, { part: wire }]) {
      const errorResponse = await member.post(path, createBody({ manufacturer: 'Makes', MPN: 'M-1', ...more }))
      assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['MPN']], JSON.stringify(more))
    }
    assert.equal(await count(), before)
    await member.delete(`${path}${created.pk}/`)
  })

  it('creates a supplier part and returns it as GET does', async () => {
    const created = await member.post(
      path,
      createBody({ SKU: 'ABC', manufacturer_part: manufacturerPart, pack_quantity: '5', available: 100 }),
    )
    assert.equal(created.status, 201)
    const { pk, updated, availability_updated, part_detail, supplier_detail, manufacturer_detail, ...rest } = created.body
    assert.deepEqual(rest, {
      available: 100,
      description: null,
      in_stock: 0,
      link: null,
      active: true,
      manufacturer: 'Makes',
      manufacturer_part: manufacturerPart,
      manufacturer_part_detail: { ...rest.manufacturer_part_detail, pk: manufacturerPart, MPN: 'M-1', manufacturer_detail },
      MPN: 'M-1',
      name: 'S-1 | Supplies | ABC | Makes | M-1',
      note: null,
      notes: null,
      primary: false,
      barcode_hash: '',
      packaging: null,
      pack_quantity: '5',
      pack_quantity_native: 5,
      part,
      SKU: 'ABC',
      supplier,
      url: `/supplier-part/${pk}/`,
      tags: [],
    })
    assert.equal(part_detail.name, 'Screw')
    assert.equal(supplier_detail.thumbnail, '/static/img/blank_image.thumbnail.png')
    assert.equal(manufacturer_detail.name, 'Makes')
    for (const timestamp of [updated, availability_updated]) assert.ok(Date.now() - Date.parse(timestamp) < 60_000)
    assert.deepEqual(await readDetail(pk), created.body)
  })

  it('converts a pack quantity to the units of the part; a blank string means 1', async () => {
    for (const [partKey, pack, expectedPack, expectedNative] of [
      [part, undefined, '1', 1],
      [part, '', '1', 1],
      [part, ' 12 ', '12', 12],
      [part, '2 dozen', '2 dozen', 24],
      [wire, '5 inches', '5 inches', 0.127],
      [wire, '1/3', '1/3', 0.3333333333],
    ] as const) {
      const created = await create({ part: partKey, pack_quantity: pack })
      assert.deepEqual([created.pack_quantity, created.pack_quantity_native], [expectedPack, expectedNative])
    }
    await service.staff.post('/api/units/', { name: 'spool', definition: '250 m' })
    assert.equal((await create({ part: wire, pack_quantity: '2 spools' })).pack_quantity_native, 500)
  })

  it('rejects invalid input, naming the field', async () => {
    await create({ SKU: 'TAKEN' })
    const number = await count()
    for (const [wrong, field] of [
      [{ part: undefined }, 'part'],
      [{ part: null }, 'part'],
      [{ part: 99_999 }, 'part'],
      [{ part: notPurchaseable }, 'part'],
      [{ supplier: undefined }, 'supplier'],
      [{ supplier: customer }, 'supplier'],
      [{ supplier: 99_999 }, 'supplier'],
      [{ SKU: '' }, 'SKU'],
      [{ SKU: 'x'.repeat(101) }, 'SKU'],
      [{ SKU: 'TAKEN' }, 'non_field_errors'],
      [{ part: wire, manufacturer_part: manufacturerPart }, 'manufacturer_part'],
      [{ manufacturer_part: 99_999 }, 'manufacturer_part'],
      [{ pack_quantity: '5 metres' }, 'pack_quantity'],
      [{ pack_quantity: '0' }, 'pack_quantity'],
      [{ pack_quantity: '-2' }, 'pack_quantity'],
      [{ pack_quantity: 'a box' }, 'pack_quantity'],
      [{ pack_quantity: '1e30' }, 'pack_quantity'],
      [{ pack_quantity: '1'.repeat(26) }, 'pack_quantity'],
      [{ pack_quantity: null }, 'pack_quantity'],
      [{ part: wire, pack_quantity: '5 kg' }, 'pack_quantity'],
      [{ available: -5 }, 'available'],
      [{ available: null }, 'available'],
      [{ available: 1e15 }, 'available'],
      [{ link: 'not a url' }, 'link'],
      [{ tags: null }, 'tags'],
      [{ tags: ['x'.repeat(101)] }, 'tags'],
      [{ tags: 'red' }, 'tags'],
    ] as const) {
      const response = await member.post(path, createBody(wrong))
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(wrong))
    }
    assert.equal(await count(), number)
  })

  it('requires a role that may add parts or purchase orders', () =>
    assertCallers(service, (client) => client.post(path, createBody()), ['member', 'superuser'], count))
})

describe('PATCH /api/company/part/{id}/', () => {
  it('records the time of each change, and separately the time when the availability was set', async () => {
    const { pk } = await create()
    await service.rows(`update supplier_part set updated = '2020-01-01', pack_quantity = '' where pk = $1`, [pk])
    const changed = (await member.patch(`${path}${pk}/`, { note: 'n', tags: ['red', 'blue', 'red'] })).body
    assert.ok(changed.updated > '2021')
    assert.deepEqual([changed.availability_updated, changed.pack_quantity, changed.tags], [null, '', ['red', 'blue']])
    const counted = (await member.patch(`${path}${pk}/`, { available: '7.5', tags: '' })).body
    assert.ok(counted.availability_updated > '2021')
    assert.deepEqual([counted.available, counted.tags], [7.5, []])
  })

  it('recomputes the pack contents when the unit of the part changes, or the definition of a custom unit', async () => {
    const [{ pk: partKey }] = await service.rows(`insert into part (name, units) values ('Tape', 'mm') returning pk`)
    const { pk } = await create({ part: partKey, pack_quantity: '5 metre' })
    const plain = (await create({ part: partKey, pack_quantity: '7' })).pk
    const order = (await member.post('/api/order/po/', { reference: 'PO-0900', supplier })).body.pk
    await member.post('/api/order/po-line/', { order, part: pk, quantity: 2 })
    const readContents = async () => [
      (await readDetail(pk)).pack_quantity_native,
      (await readDetail(plain)).pack_quantity_native,
      (await member.get(`/api/part/${partKey}/`)).body.ordering,
    ]
    assert.deepEqual(await readContents(), [5000, 7, 10_000])
    assert.equal((await member.patch(`/api/part/${partKey}/`, { units: 'm' })).status, 200)
    assert.deepEqual(await readContents(), [5, 7, 10])
    for (const units of ['kg', '', null]) {
      const errorResponse = await member.patch(`/api/part/${partKey}/`, { units })
      assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['units']])
    }
    const drum = (await service.staff.post('/api/units/', { name: 'drum', definition: '500 metre' })).body.pk
    await member.patch(`${path}${pk}/`, { pack_quantity: '2 drum' })
    assert.deepEqual(await readContents(), [1000, 7, 2000])
    assert.equal((await service.staff.patch(`/api/units/${drum}/`, { definition: '300 metre' })).status, 200)
    assert.deepEqual(await readContents(), [600, 7, 1200])
    for (const errorResponse of [
      await service.staff.patch(`/api/units/${drum}/`, { definition: '300 kg' }),
      await service.staff.delete(`/api/units/${drum}/`),
    ])
      assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['non_field_errors']])
    assert.deepEqual(await readContents(), [600, 7, 1200])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('recomputes the pack contents when the pack quantity or the part changes', async () => {
    const { pk } = await create({ part: wire, pack_quantity: '50 cm' })
    assert.equal((await member.patch(`${path}${pk}/`, { pack_quantity: '3' })).body.pack_quantity_native, 3)
    await member.patch(`${path}${pk}/`, { pack_quantity: '3 m' })
    const errorResponse = await member.patch(`${path}${pk}/`, { part })
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['pack_quantity']])
    assert.equal((await readDetail(pk)).part, wire)
  })

  it('rejects changing the part while stock bought as that supplier part exists, including concurrent changes', async () => {
    const [{ pk: other }] = await service.rows(`insert into part (name) values ('Other') returning pk`)
    const { pk } = await create()
    const stockBody = { part, quantity: 5, supplier_part: pk }
    const item = (await member.post('/api/stock/', stockBody)).body.pk
    const errorResponse = await member.patch(`${path}${pk}/`, { part: other })
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['part']])
    assert.equal((await member.patch(`${path}${pk}/`, { part, note: 'Same' })).status, 200)
    await member.delete(`/api/stock/${item}/`)
    for (let round = 0; round < 5; round++) {
      const { pk: raced } = await create()
      const [partChange, stockCreation] = await Promise.all([
        service.superuser.patch(`${path}${raced}/`, { part: other }),
        member.post('/api/stock/', { ...stockBody, supplier_part: raced }),
      ])
      assert.deepEqual([partChange.status, stockCreation.status].toSorted(), partChange.status === 200 ? [200, 400] : [201, 400])
    }
  })

  it('rejects changing the part of a manufacturer part that supplier parts refer to', async () => {
    const created = (await member.post(`${path}manufacturer/`, { part, manufacturer: maker, MPN: 'M-2' })).body.pk
    const { pk } = await create({ manufacturer_part: created })
    const errorResponse = await member.patch(`${path}manufacturer/${created}/`, { part: wire })
    assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [400, ['part']])
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.equal((await member.patch(`${path}manufacturer/${created}/`, { part: wire })).status, 200)
  })

  it('rejects changing the part without the manufacturer part', async () => {
    const { pk } = await create({ manufacturer_part: manufacturerPart })
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { part: wire })).body), ['manufacturer_part'])
    assert.equal((await member.patch(`${path}${pk}/`, { part: wire, manufacturer_part: '' })).status, 200)
  })

  it('ignores read-only fields', async () => {
    const { pk } = await create()
    const { body: changed } = await member.patch(`${path}${pk}/`, {
      barcode_hash: 'x',
      in_stock: 5,
      pack_quantity_native: 9,
      name: 'n',
    })
    assert.deepEqual([changed.barcode_hash, changed.in_stock, changed.pack_quantity_native], ['', 0, 1])
  })

  it('requires a role that may change parts or purchase orders', async () => {
    const { pk } = await create()
    await assertCallers(
      service,
      (client) => client.patch(`${path}${pk}/`, { note: 'x' }),
      ['member', 'superuser'],
      () => readDetail(pk),
    )
  })
})

describe('PUT /api/company/part/{id}/', () => {
  it('resets omitted fields to their defaults', async () => {
    const { pk } = await create({
      note: 'n',
      pack_quantity: '5',
      active: false,
      tags: ['a'],
      manufacturer_part: manufacturerPart,
    })
    const { body: replacement } = await member.put(`${path}${pk}/`, { part, supplier, SKU: 'PUT' })
    assert.deepEqual(
      [
        replacement.note,
        replacement.pack_quantity,
        replacement.pack_quantity_native,
        replacement.active,
        replacement.tags,
        replacement.manufacturer_part,
      ],
      [null, '1', 1, true, [], null],
    )
    assert.deepEqual(Object.keys((await member.put(`${path}${pk}/`, {})).body), ['part', 'SKU', 'supplier'])
  })
})

describe('GET /api/company/part/', () => {
  let bolt: number
  let created: number[]
  const findSkus = async (query: string) =>
    (await member.get(`${path}?${query}`)).body.results.map((entry: { SKU: string }) => entry.SKU)

  before(async () => {
    const [row] = await service.rows(`insert into part (name, "IPN", keywords) values ('Bolt', 'B-7', 'hexagon') returning pk`)
    bolt = row.pk
    const [second] = await service.rows(
      `insert into company (name, currency, active) values ('Another', 'EUR', false) returning pk`,
    )
    const maker = (await member.post('/api/company/', { name: 'Zenith', is_manufacturer: true })).body.pk
    const zenithPart = (await member.post(`${path}manufacturer/`, { part: bolt, manufacturer: maker, MPN: 'Mixed-9' })).body.pk
    created = []
    for (const more of [
      { SKU: 'B1', pack_quantity: '10', tags: ['Long lead'], packaging: 'reel' },
      { SKU: 'B2', pack_quantity: '9', manufacturer_part: zenithPart, active: false },
      { SKU: 'B3', supplier: second.pk, packaging: 'bag' },
    ])
      created.push((await create({ part: bolt, ...more })).pk)
    await service.rows(
      `insert into stock_item (part, supplier_part, quantity, purchase_price_currency) values
       ($1, $2, 2.5, 'USD'), ($1, $2, 4, 'USD'), ($1, $3, 100, 'USD')`,
      [bolt, created[0], created[1]],
    )
    await service.rows(
      `insert into stock_item (part, supplier_part, quantity, purchase_price_currency, customer) values ($1, $2, 50, 'USD', $3)`,
      [bolt, created[0], customer],
    )
  })

  it('sums the stock on hand', async () => {
    const { body } = await member.get(`${path}?part=${bolt}`)
    assert.deepEqual(
      body.results.map((entry: { in_stock: number }) => entry.in_stock),
      [6.5, 100, 0],
    )
  })

  it('filters', async () => {
    const boltFilter = `part=${bolt}`
    const manufacturer = (await readDetail(created[1] as number)).manufacturer_detail.pk
    for (const [query, expected] of [
      ['SKU=B1', ['B1']],
      ['SKU=b1', []],
      ['MPN=mixed-9', ['B2']],
      [`${boltFilter}&active=false`, ['B2']],
      [`${boltFilter}&supplier=${supplier}`, ['B1', 'B2']],
      [`${boltFilter}&supplier_active=false`, ['B3']],
      [`${boltFilter}&part_active=false`, []],
      [`manufacturer=${manufacturer}`, ['B2']],
      [`company=${manufacturer}`, ['B2']],
      [`${boltFilter}&company=${supplier}`, ['B1', 'B2']],
      ['tags__name=Long lead', ['B1']],
      ['tags__name=long lead', []],
      ['tags__slug=long-lead', ['B1']],
      ['search=hexagon', ['B1', 'B2', 'B3']],
      ['search=mixed', ['B2']],
      ['search=zenith', ['B2']],
      ['search=b-7+another', ['B3']],
      ['search=long-lead', ['B1']],
    ] as const)
      assert.deepEqual(await findSkus(query), expected, query)
    for (const query of [
      'part=abc',
      'supplier=99999',
      'manufacturer=99999',
      'company=abc',
      'manufacturer_part=99999',
      'active=maybe',
    ])
      assert.equal((await member.get(`${path}?${query}`)).status, 400, query)
  })

  it('orders', async () => {
    for (const [ordering, expected] of [
      ['-SKU', ['B3', 'B2', 'B1']],
      ['supplier', ['B3', 'B1', 'B2']],
      ['manufacturer', ['B2', 'B1', 'B3']],
      ['MPN', ['B2', 'B1', 'B3']],
      ['active', ['B2', 'B1', 'B3']],
      ['packaging', ['B3', 'B1', 'B2']],
      ['pack_quantity', ['B3', 'B2', 'B1']],
      ['-in_stock', ['B2', 'B1', 'B3']],
      ['part', ['B1', 'B2', 'B3']],
    ] as const)
      assert.deepEqual(await findSkus(`part=${bolt}&ordering=${ordering}`), expected, ordering)
  })

  it('shows details on request', async () => {
    const readKeys = async (query: string) => Object.keys((await member.get(`${path}?limit=1&${query}`)).body.results[0])
    const details = ['part_detail', 'supplier_detail', 'manufacturer_detail', 'manufacturer_part_detail', 'pretty_name']
    const listDetails = async (query: string) => (await readKeys(query)).filter((key) => details.includes(key))
    assert.deepEqual(await listDetails(''), ['supplier_detail'])
    assert.deepEqual(await listDetails('supplier_detail=false&part_detail=true&pretty=true'), ['part_detail', 'pretty_name'])
    assert.deepEqual(await listDetails('manufacturer_detail=true'), [
      'manufacturer_detail',
      'manufacturer_part_detail',
      'supplier_detail',
    ])
  })

  it('requires a role that may see parts or purchase orders', () =>
    assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser']))
})

describe('DELETE /api/company/part/{id}/', () => {
  it('deletes its price breaks as well; stock and order lines remain without it', async () => {
    const { pk } = await create()
    await member.post('/api/company/price-break/', { part: pk, quantity: 1, price: '2' })
    const [item] = await service.rows(
      `insert into stock_item (part, supplier_part, quantity, purchase_price_currency) values ($1, $2, 1, 'USD') returning pk`,
      [part, pk],
    )
    const order = (await member.post('/api/order/po/', { reference: 'PO-9001', supplier })).body.pk
    const line = (await member.post('/api/order/po-line/', { order, part: pk, quantity: 2 })).body.pk
    assert.equal((await member.delete(`${path}${pk}/`)).status, 204)
    assert.deepEqual(await service.rows('select pk from supplier_price_break where part = $1', [pk]), [])
    assert.deepEqual(await service.rows('select supplier_part from stock_item where pk = $1', [item.pk]), [
      { supplier_part: null },
    ])
    assert.deepEqual(await service.rows('select part from purchase_order_line where pk = $1', [line]), [{ part: null }])
  })

  it('requires a role that may delete parts or purchase orders', async () => {
    const { pk } = await create()
    await assertCallers(service, (client) => client.delete(`${path}${pk}/`), ['member', 'superuser'], count)
  })
})

describe('DELETE /api/company/part/', () => {
  it('deletes the listed supplier parts', async () => {
    const created = [await create(), await create()]
    assert.equal((await member.delete(path, { items: created.map(({ pk }) => pk) })).status, 204)
    for (const { pk } of created) assert.equal((await member.get(`${path}${pk}/`)).status, 404)
    assert.equal((await member.delete(path, { filters: ['x'] })).status, 400)
  })

  it('requires a role that may delete parts or purchase orders', () =>
    assertCallers(service, (client) => client.delete(path, { items: [99_999] }), ['member', 'superuser'], count))
})
