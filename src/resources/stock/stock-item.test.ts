import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const readKeys = async (query: string) => {
  const { status, body, text } = await member.get(`/api/stock/?${query}`)
  assert.equal(status, 200, text)
  assert.equal(body.count, body.results.length)
  return body.results.map((item: { pk: number }) => item.pk).sort((one: number, other: number) => one - other)
}
const readAllRows = () => service.rows('select * from stock_item order by pk')
const changeSetting = (key: string, value: unknown) => service.superuser.patch(`/api/settings/global/${key}/`, { value })

/** Creates a build order and returns its key. */
async function createBuild(): Promise<number> {
  const [row] = await service.rows(`insert into build_order (reference, part) values ('BO-' || random(), $1) returning pk`, [
    parts.lamp,
  ])
  return row.pk
}

describe('GET /api/stock/', () => {
  test('sorts by part name, quantity and location', async () => {
    const [two, board, one, deep] = [
      await insertItem(service, { quantity: 2 }),
      await insertItem(service, { part: parts.board }),
      await insertItem(service, { quantity: 1, location: locations.box }),
      await insertItem(service, { quantity: 1, location: locations.shelf }),
    ]
    const { body } = await member.get('/api/stock/')
    assert.deepEqual(
      body.results.map((item: { pk: number }) => item.pk),
      [board, deep, one, two],
    )
    assert.equal(body.results[0].part_detail, undefined)
    const flags = await member.get(
      '/api/stock/?part_detail=true&location_detail=true&supplier_part_detail=true&path_detail=true&limit=1',
    )
    const [first] = flags.body.results
    assert.equal(first.part_detail.name, 'Board')
    assert.deepEqual(first.location_detail, { pk: 2, name: 'Shelf', pathstring: 'House/Shelf' })
    assert.deepEqual(first.location_path, [
      { pk: 1, name: 'House' },
      { pk: 2, name: 'Shelf' },
    ])
    assert.equal(first.supplier_part_detail, null)
  })

  test('filters by location, part and family', async () => {
    const shelf = await insertItem(service)
    const box = await insertItem(service, { location: locations.box, part: parts.blueBoard })
    const nowhere = await insertItem(service, { location: null, part: parts.board })
    const shed = await insertItem(service, { location: locations.shed, part: parts.redBoard })
    const cases: [string, number[]][] = [
      ['location=2', [shelf, box]],
      ['location=2&cascade=false', [shelf]],
      ['location=null&cascade=false', [nowhere]],
      ['location=None&cascade=False', [nowhere]],
      ['location=null', [shelf, box, nowhere, shed]],
      ['part=2', [box, nowhere, shed]],
      ['part=2&include_variants=false', [nowhere]],
      ['part_tree=3', [box, nowhere, shed]],
      ['category=1', [shelf]],
      ['external=true', [shed]],
      ['external=false', [shelf, box, nowhere]],
      ['name=SCREW', [shelf]],
      ['name_contains=oard b', [box]],
      ['name_regex=^board', [box, nowhere, shed]],
      ['search=blue', [box]],
      ['search=shelf', [shelf]],
      ['search=100%25', []],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await readKeys(query), expected, query)
  })

  test('filters by status and quantity', async () => {
    const plain = await insertItem(service, { quantity: '10', batch: 'B1', purchase_price: '2' })
    const empty = await insertItem(service, { quantity: 0, delete_on_deplete: false })
    const quarantined = await insertItem(service, { status: 75 })
    const serial = await insertItem(service, { part: parts.lamp, quantity: 1, serial: '12' })
    const installedItem = await insertItem(service, { belongs_to: serial, parent: plain })
    const soldItem = await insertItem(service, { customer: 2, location: null })
    const all = [plain, empty, quarantined, serial, installedItem, soldItem]
    const cases: [string, number[]][] = [
      ['in_stock=true', [plain, serial]],
      ['in_stock=0', [empty, quarantined, installedItem, soldItem]],
      ['status=75', [quarantined]],
      ['status=9999', []],
      ['depleted=true', [empty]],
      ['available=yes', [plain, serial]],
      ['available=no', [empty]],
      ['min_stock=10', [plain, quarantined, installedItem, soldItem]],
      ['max_stock=0.5', [empty]],
      ['serialized=true', [serial]],
      ['serial=12', [serial]],
      ['serial_gte=12&serial_lte=12', [serial]],
      ['tracked=true', [plain, serial]],
      ['has_batch=true', [plain]],
      ['batch=b1', [plain]],
      ['batch_regex=^b', [plain]],
      ['installed=true', [installedItem]],
      ['has_installed_items=true', [serial]],
      ['has_child_items=true', [plain]],
      [`ancestor=${plain}`, [installedItem]],
      [`exclude_tree=${plain}`, [empty, quarantined, serial, soldItem]],
      [`belongs_to=${serial}`, [installedItem]],
      ['sent_to_customer=true', [soldItem]],
      ['customer=2', [soldItem]],
      ['has_purchase_price=true', [plain]],
      ['allocated=true', []],
      ['allocated=false', all],
      ['updated_before=2000-01-01', []],
      ['updated_after=2000-01-01', all],
      ['nonsense=1', all],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await readKeys(query), expected, query)
  })

  test('applies expiry filters only while expiry is enabled', async () => {
    const now = Date.parse(await waitForStableDay())
    const day = (offset: number) => new Date(now + offset * 86_400_000).toISOString().slice(0, 10)
    const expired = await insertItem(service, { expiry_date: day(-1) })
    const today = await insertItem(service, { expiry_date: day(0) })
    const soon = await insertItem(service, { expiry_date: day(5) })
    await insertItem(service, { expiry_date: day(-1), quantity: 0 })
    assert.equal((await readKeys('expired=true')).length, 4)
    await changeSetting('STOCK_ENABLE_EXPIRY', true)
    await changeSetting('STOCK_STALE_DAYS', 10)
    assert.deepEqual(await readKeys('expired=true'), [expired])
    assert.deepEqual(await readKeys('stale=true'), [expired, today, soon])
    const { body } = await member.get(`/api/stock/${today}/`)
    assert.deepEqual([body.expired, body.stale], [false, true])
    await changeSetting('STOCK_ENABLE_EXPIRY', false)
    await changeSetting('STOCK_STALE_DAYS', 0)
  })

  test('rejects values that cannot be parsed and objects that do not exist', async () => {
    await insertItem(service, { batch: 'B' })
    const names = [
      'location',
      'category',
      'part_tree',
      'supplier',
      'manufacturer',
      'company',
      'supplier_part',
      'belongs_to',
      'build',
      'sales_order',
      'consumed_by',
      'customer',
      'purchase_order',
      'ancestor',
      'bom_item',
      'part',
    ]
    for (const name of names) {
      for (const value of ['abc', '99999999', '99999999999999999999', '-1', '1.5']) {
        const { status, body } = await member.get(`/api/stock/?${name}=${value}`)
        assert.equal(status, 400, `${name}=${value}`)
        assert.deepEqual(Object.keys(body), [name])
      }
    }
    assert.deepEqual((await member.get('/api/stock/?part=x')).body, { part: 'Invalid Part ID specified' })
    for (const query of [
      'min_stock=abc',
      'status=x',
      'expired=perhaps',
      'in_stock=2',
      'part=1&include_variants=x',
      'location=2&cascade=x',
      'updated_after=soon',
      'name_regex=(',
      'batch_regex=[',
    ])
      assert.equal((await member.get(`/api/stock/?${query}`)).status, 400, query)
  })

  test('requires permission to view stock', () =>
    assertCallers(service, (client) => client.get('/api/stock/'), ['viewer', 'member', 'superuser']))
})

describe('PATCH /api/stock/{id}/', () => {
  test('records changes of status, location or quantity in the history, but no others', async () => {
    const pk = await insertItem(service)
    assert.equal((await member.patch(`/api/stock/${pk}/`, { batch: 'X', notes: 'two\nlines' })).status, 200)
    assert.deepEqual(await readHistory(service, pk), [])
    const { body } = await member.patch(`/api/stock/${pk}/`, { status: 55, location: locations.garage, quantity: '3.5' })
    assert.deepEqual(
      [body.status_text, body.location_detail.name, body.quantity, body.tracking_items],
      ['Damaged', 'Garage', 3.5, 1],
    )
    await member.patch(`/api/stock/${pk}/`, { status: 55, location: locations.garage, quantity: 3.5 })
    assert.deepEqual(await readHistory(service, pk), [[5, { status: 55, location: locations.garage, quantity: 3.5 }]])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  test('changes nothing when it is rejected', async () => {
    const pk = await insertItem(service, { build: await createBuild() })
    const lamp = await insertItem(service, { part: parts.lamp, quantity: 2 })
    await insertItem(service, { part: parts.lamp, quantity: 1, serial: '5' })
    const before = await readAllRows()
    const cases: [number, object, string][] = [
      [pk, { location: locations.house }, 'location'],
      [pk, { part: parts.service }, 'part'],
      [pk, { part: null }, 'part'],
      [pk, { supplier_part: 3 }, 'supplier_part'],
      [pk, { quantity: -1 }, 'quantity'],
      [pk, { quantity: null }, 'quantity'],
      [pk, { serial: 'A' }, 'quantity,serial'],
      [pk, { status: 11 }, 'status'],
      [pk, { customer: 1 }, 'customer'],
      [pk, { belongs_to: pk }, 'belongs_to'],
      [pk, { sales_order: 5 }, 'sales_order'],
      [pk, { sales_order: 'x' }, 'sales_order'],
      [pk, { build: 999_999 }, 'build'],
      [pk, { link: 'not a url' }, 'link'],
      [pk, { batch: 'x'.repeat(101) }, 'batch'],
      [pk, { packaging: '<b>x</b>' }, 'packaging'],
      [pk, { expiry_date: '2024-13-45' }, 'expiry_date'],
      [pk, { purchase_price_currency: 'XXX' }, 'purchase_price_currency'],
      [lamp, { is_building: true }, 'build'],
      [lamp, { quantity: 1.5 }, 'quantity'],
      [lamp, { quantity: 1, serial: '5' }, 'serial'],
    ]
    for (const [item, body, fields] of cases) {
      const response = await member.patch(`/api/stock/${item}/`, body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.equal(Object.keys(response.body).sort().join(), fields)
    }
    assert.deepEqual(await readAllRows(), before)
    await assertCallers(service, (client) => client.patch(`/api/stock/${pk}/`, {}), ['member', 'superuser'])
  })

  test('accepts imported references that are sent back unchanged', async () => {
    const build = await createBuild()
    const pk = await insertItem(service, { build, is_building: true })
    assert.equal((await member.patch(`/api/stock/${pk}/`, { build, sales_order: null, consumed_by: '' })).status, 200)
    assert.deepEqual(await readKeys(`build=${build}`), [pk])
  })

  test('gives a serialized item a quantity of 1 and keeps it when it is depleted', async () => {
    const pk = await insertItem(service, { part: parts.lamp, quantity: 0 })
    const { body } = await member.patch(`/api/stock/${pk}/`, { serial: '9' })
    assert.deepEqual([body.serial, body.quantity, body.delete_on_deplete], ['9', 1, false])
  })
})

describe('PUT /api/stock/{id}/', () => {
  test('requires part and quantity', async () => {
    const pk = await insertItem(service, { batch: 'B' })
    assert.deepEqual(Object.keys((await member.put(`/api/stock/${pk}/`, {})).body).sort(), ['part', 'quantity'])
    const { status, body } = await member.put(`/api/stock/${pk}/`, { part: parts.screw, quantity: 4, location: locations.box })
    assert.deepEqual([status, body.quantity, body.location, body.batch], [200, 4, locations.box, null])
  })
})

describe('DELETE /api/stock/ and /api/stock/{id}/', () => {
  test('deletes one item with its history and installed items, and keeps items split from it', async () => {
    const origin = await insertItem(service)
    const pk = await insertItem(service, { parent: origin })
    const split = await insertItem(service, { parent: pk })
    await insertItem(service, { belongs_to: pk })
    assert.equal((await member.delete(`/api/stock/${pk}/`)).status, 204)
    assert.deepEqual(await service.rows('select pk, parent from stock_item order by pk'), [
      { pk: origin, parent: null },
      { pk: split, parent: origin },
    ])
    assert.equal((await member.delete(`/api/stock/${pk}/`)).status, 404)
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  test('deletes several items', async () => {
    const pks = [await insertItem(service), await insertItem(service), await insertItem(service, { batch: 'B' })]
    for (const body of [{}, { items: [] }]) assert.equal((await member.delete('/api/stock/', body)).status, 400)
    assert.equal((await member.delete('/api/stock/', { items: pks, filters: { batch: 'B' } })).status, 204)
    assert.deepEqual(await readKeys(''), pks.slice(0, 2))
    await assertCallers(service, (client) => client.delete('/api/stock/', { items: [999] }), ['member', 'superuser'])
  })

  test('deletes several items selected by field values, which are parsed like their fields', async () => {
    const smallItem = await insertItem(service, { quantity: 3 })
    const expiredItem = await insertItem(service, { expiry_date: '2024-02-29' })
    const damagedItem = await insertItem(service, { status: 55 })
    const remainingItem = await insertItem(service)
    const day = (await service.rows('select updated::text from stock_item where pk = $1', [remainingItem]))[0].updated.slice(
      0,
      10,
    )
    const invalidFilters = {
      part: 'x',
      quantity: 'many',
      expiry_date: '2023-02-29',
      updated: '1',
      delete_on_deplete: 'perhaps',
      batch: true,
    }
    for (const [name, value] of [
      ...Object.entries(invalidFilters),
      ['part', 1.5],
      ['part', 1e12],
      ['part', { toString: 1 }],
      ['batch', null],
    ]) {
      const response = await member.delete('/api/stock/', { filters: { batch: 'none', [name as string]: value } })
      const filters = [`Objects cannot be selected by "${name}" and this value.`]
      assert.deepEqual([response.status, response.body], [400, { filters }])
    }
    assert.equal((await member.delete('/api/stock/', { filters: { updated: `${day}T00:00:00Z` } })).status, 204)
    assert.deepEqual(await readKeys(''), [smallItem, expiredItem, damagedItem, remainingItem])
    for (const [filters, deletedItem] of [
      [{ quantity: 3 }, smallItem],
      [{ expiry_date: '2024-02-29' }, expiredItem],
      [{ status: '55', part: 1 }, damagedItem],
    ] as const) {
      assert.equal((await member.delete('/api/stock/', { filters })).status, 204)
      assert.ok(!(await readKeys('')).includes(deletedItem))
    }
    assert.deepEqual(await readKeys(''), [remainingItem])
  })
})

test('GET /api/stock/status/ and /api/stock/track/status/ list the codes', async () => {
  const { body } = await service.nobody.get('/api/stock/status/')
  assert.equal(body.class, 'StockStatus')
  assert.deepEqual(body.values.QUARANTINED, { color: 'info', key: 75, label: 'Quarantined', name: 'QUARANTINED' })
  const codes = (await service.nobody.get('/api/stock/track/status/')).body
  assert.deepEqual([codes.class, codes.values.STOCK_MOVE.key], ['StockHistoryCode', 20])
})

test('OPTIONS /api/stock/ describes a new item', async () => {
  await changeSetting('STOCK_BATCH_CODE_TEMPLATE', 'LOT')
  const { body } = await member.send('OPTIONS', '/api/stock/')
  assert.equal(body.actions.POST.batch.default, 'LOT')
  assert.deepEqual(body.actions.POST.part.filters, { virtual: false })
  await changeSetting('STOCK_BATCH_CODE_TEMPLATE', '')
})
