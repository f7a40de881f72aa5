import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { assertCallers, type Client, type TestResponse, testService } from '../../testing/service.ts'
import { allowAnyInstallation, assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
before(() => allowAnyInstallation(service))
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const readAllRows = () =>
  service.rows('select * from stock_item item left join stock_tracking entry on entry.item = item.pk order by item.pk, entry.pk')
const readItem = async (pk: number) =>
  (await service.rows('select *, quantity::float8 as quantity from stock_item where pk = $1', [pk]))[0]
const customer = 2

/** Asserts that requests are rejected with an error on their field, and that nothing changes. */
async function assertRejected(cases: [() => Promise<TestResponse>, unknown][]): Promise<void> {
  const before = await readAllRows()
  for (const [sendRequest, expected] of cases) {
    const response = await sendRequest()
    assert.equal(response.status, 400, response.text)
    if (typeof expected === 'string') assert.deepEqual(Object.keys(response.body).join(), expected, response.text)
    else assert.deepEqual(response.body, expected)
  }
  assert.deepEqual(await readAllRows(), before)
}

const assertOnlyMembers = (sendRequest: (client: Client) => Promise<TestResponse>) =>
  assertCallers(service, sendRequest, ['member', 'superuser'], readAllRows)
const assertSums = async () => assert.deepEqual(await service.rows('select * from verify_quantities()'), [])

describe('POST /api/stock/change_status/', () => {
  const change = (body: object) => member.post('/api/stock/change_status/', body)

  test('changes items with another status', async () => {
    const pks = [await insertItem(service), await insertItem(service, { status: 75 })]
    const body = { items: [...pks, pks[0]], status: 75, note: 'look' }
    const response = await change(body)
    assert.deepEqual([response.status, response.body], [201, body])
    assert.deepEqual(await readHistory(service, pks[0] as number), [[5, { status: 75 }]])
    assert.deepEqual(await readHistory(service, pks[1] as number), [])
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const pk = await insertItem(service)
    await assertRejected([
      [() => change({ items: [], status: 50 }), { items: ['No stock items selected'] }],
      [() => change({ items: [pk], status: 1 }), 'status'],
      [() => change({ items: [pk, 999], status: 50 }), 'items'],
      [() => change({ items: null, status: null, note: null }), 'items,status,note'],
      [() => change({}), { items: ['This field is required.'] }],
    ])
    await assertOnlyMembers((client) => client.post('/api/stock/change_status/', { items: [pk] }))
  })
})

describe('POST /api/stock/assign/', () => {
  const assign = (items: unknown[], customerKey: number = customer) =>
    member.post('/api/stock/assign/', { items, customer: customerKey })

  test('assigns items to a customer', async () => {
    const pk = await insertItem(service, { part: parts.lamp })
    assert.equal((await assign([{ item: pk }])).status, 201)
    const item = await readItem(pk)
    assert.deepEqual([item.customer, item.location, item.in_stock], [customer, null, false])
    assert.deepEqual(await readHistory(service, pk), [[100, { customer, customer_name: 'Buyer' }]])
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const lamp = await insertItem(service, { part: parts.lamp })
    const screw = await insertItem(service)
    const depletedItem = await insertItem(service, { part: parts.lamp, quantity: 0 })
    await assertRejected([
      [() => assign([]), { non_field_errors: ['A list of stock items must be provided'] }],
      [() => assign([{ item: lamp }], 1), { customer: ['Selected company is not a customer'] }],
      [
        () => assign([{ item: lamp }, { item: screw }, { item: depletedItem }]),
        { items: [{}, { item: ['Part must be salable'] }, { item: ['Item must be in stock'] }] },
      ],
    ])
    await assertOnlyMembers((client) => client.post('/api/stock/assign/', { items: [{ item: lamp }], customer }))
  })
})

describe('POST /api/stock/merge/', () => {
  const merge = (pks: number[], more = {}) =>
    member.post('/api/stock/merge/', { items: pks.map((item) => ({ item })), location: locations.garage, ...more })

  test('merges the others into the first item at the average price', async () => {
    const first = await insertItem(service, { quantity: 100, purchase_price: '2' })
    const others = [
      await insertItem(service, { quantity: 100, purchase_price: '5' }),
      await insertItem(service, { quantity: '50.5', supplier_part: 2 }),
    ]
    const response = await merge([first, ...others], { allow_mismatched_suppliers: true, notes: 'one' })
    assert.equal(response.status, 201, response.text)
    const item = await readItem(first)
    assert.deepEqual([item.quantity, item.location, item.purchase_price], [250.5, locations.garage, '3.500000'])
    assert.deepEqual(await readHistory(service, first), [[45, { location: locations.garage, quantity: 250.5 }]])
    assert.deepEqual(await service.rows('select pk from stock_item'), [{ pk: first }])
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const pk = await insertItem(service)
    const damaged = await insertItem(service, { status: 55 })
    const bought = await insertItem(service, { supplier_part: 2 })
    const lamp = await insertItem(service, { part: parts.lamp, quantity: 1, serial: '1' })
    const board = await insertItem(service, { part: parts.board })
    const host = await insertItem(service)
    const installedItem = await insertItem(service, { belongs_to: host })
    const soldItem = await insertItem(service, { customer })
    const objectError = (text: string) => ({ non_field_errors: [text] })
    await assertRejected([
      [() => merge([]), objectError('At least two stock items must be provided')],
      [() => merge([pk]), objectError('At least two stock items must be provided')],
      [() => merge([pk, pk]), objectError('Duplicate stock items')],
      [() => merge([pk, board]), objectError('Stock items must refer to the same part')],
      [() => merge([pk, bought]), objectError('Stock items must refer to the same supplier part')],
      [() => merge([pk, damaged]), objectError('Stock status codes must match')],
      [() => merge([pk, lamp]), { items: [{}, { item: ['Serialized stock cannot be merged'] }] }],
      ...[host, installedItem, soldItem].map((other): [() => Promise<TestResponse>, unknown] => [
        () => merge([pk, other]),
        'items',
      ]),
      [() => merge([pk, bought], { location: locations.house, allow_mismatched_suppliers: true }), 'location'],
    ])
    await assertOnlyMembers((client) => client.post('/api/stock/merge/', { items: [], location: 2 }))
  })
})

describe('POST /api/stock/{id}/return/', () => {
  const returnItem = (pk: number, location: number = locations.shelf) => member.post(`/api/stock/${pk}/return/`, { location })

  test('returns an item from a customer', async () => {
    const pk = await insertItem(service, { customer, location: null, status: 55 })
    assert.equal((await returnItem(pk, locations.box)).status, 201)
    const item = await readItem(pk)
    assert.deepEqual([item.customer, item.location, item.status], [null, locations.box, 55])
    assert.deepEqual(await readHistory(service, pk), [[105, { location: locations.box, customer, customer_name: 'Buyer' }]])
    await assertSums()
  })

  test('merges with the original item if that is in the same location and of the same kind', async () => {
    const origin = await insertItem(service)
    const same = await insertItem(service, { customer, location: null, parent: origin, quantity: 4 })
    const damaged = await insertItem(service, { customer, location: null, parent: origin, quantity: 3, status: 55 })
    await returnItem(same)
    await returnItem(damaged)
    assert.equal(await readItem(same), undefined)
    assert.equal((await readItem(origin)).quantity, 14)
    assert.equal((await readItem(damaged)).quantity, 3)
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const pk = await insertItem(service, { customer })
    await assertRejected([
      [() => returnItem(pk, locations.house), 'location'],
      [() => member.post(`/api/stock/${pk}/return/`, {}), 'location'],
    ])
    assert.equal((await returnItem(999)).status, 404)
    const itemInStock = await insertItem(service)
    const rejection = await returnItem(itemInStock)
    assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['non_field_errors']])
    assert.deepEqual(await readHistory(service, itemInStock), [])
    await assertOnlyMembers((client) => client.post(`/api/stock/${pk}/return/`, { location: 2 }))
  })
})

describe('POST /api/stock/{id}/install/ and uninstall/', () => {
  const install = (host: number, body: object) => member.post(`/api/stock/${host}/install/`, body)

  test('installs a part of an item and uninstalls it again', async () => {
    const host = await insertItem(service, { part: parts.lamp, quantity: 1 })
    const screws = await insertItem(service)
    const response = await install(host, { stock_item: screws, quantity: 4, note: 'in' })
    assert.deepEqual([response.status, response.body], [201, { stock_item: screws, quantity: 4, note: 'in' }])
    const installedItem = screws + 1
    assert.deepEqual(
      [(await readItem(screws)).quantity, (await readItem(installedItem)).belongs_to, (await readItem(installedItem)).in_stock],
      [6, host, false],
    )
    assert.deepEqual(
      (await readHistory(service, installedItem)).map(([code]) => code),
      [40, 30],
    )
    assert.deepEqual(await readHistory(service, host), [[35, { stockitem: installedItem }]])
    assert.equal((await member.get(`/api/stock/${host}/`)).body.installed_items, 1)
    for (let round = 0; round < 2; round++)
      assert.equal((await member.post(`/api/stock/${installedItem}/uninstall/`, { location: locations.box })).status, 201)
    assert.deepEqual(
      [(await readItem(installedItem)).belongs_to, (await readItem(installedItem)).location],
      [null, locations.box],
    )
    assert.deepEqual((await readHistory(service, installedItem)).slice(2), [[31, { stockitem: host, location: locations.box }]])
    assert.deepEqual((await readHistory(service, host)).slice(1), [[36, { stockitem: installedItem }]])
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const host = await insertItem(service)
    const installedItem = await insertItem(service, { belongs_to: host })
    const lost = await insertItem(service, { status: 70 })
    const screws = await insertItem(service)
    await assertRejected([
      [() => install(host, { stock_item: lost }), { stock_item: ['Stock item is unavailable'] }],
      [() => install(host, { stock_item: host }), 'stock_item'],
      [() => install(installedItem, { stock_item: host }), 'stock_item'],
      [
        () => install(host, { stock_item: screws, quantity: 11 }),
        { non_field_errors: ['Quantity to install must not exceed available quantity'] },
      ],
      [() => install(host, { stock_item: screws, quantity: 0 }), 'quantity'],
      [() => member.post(`/api/stock/${installedItem}/uninstall/`, { location: locations.house }), 'location'],
    ])
    assert.equal((await install(999, { stock_item: screws })).status, 404)
    await assertOnlyMembers((client) => client.post(`/api/stock/${host}/install/`, { stock_item: screws }))
    await assertOnlyMembers((client) => client.post(`/api/stock/${installedItem}/uninstall/`, { location: 2 }))
  })
})

describe('POST /api/stock/{id}/convert/', () => {
  const convert = (pk: number, part: number) => member.post(`/api/stock/${pk}/convert/`, { part })

  test('converts to a variant, to another variant, and to the template', async () => {
    const pk = await insertItem(service, { part: parts.board })
    const readConvertibleParts = async () =>
      (await member.get(`/api/part/?convert_item=${pk}&ordering=pk`)).body.results.map((part: { pk: number }) => part.pk)
    const family = [parts.board, parts.blueBoard, parts.redBoard].sort((a, b) => a - b)
    let currentPart = parts.board
    for (const part of [parts.blueBoard, parts.redBoard, parts.board]) {
      assert.deepEqual(
        await readConvertibleParts(),
        family.filter((one) => one !== currentPart),
      )
      assert.equal((await convert(pk, part)).status, 201)
      currentPart = part
    }
    assert.deepEqual(
      await readHistory(service, pk),
      [parts.blueBoard, parts.redBoard, parts.board].map((part) => [48, { part }]),
    )
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const pk = await insertItem(service, { part: parts.board })
    const lamp = await insertItem(service, { part: parts.lamp, supplier_part: 3 })
    await assertRejected([
      [() => convert(pk, parts.screw), { part: ['Selected part is not a valid option for conversion'] }],
      [() => convert(pk, parts.board), 'part'],
      [() => convert(lamp, parts.board), 'part'],
      [() => convert(pk, 999), 'part'],
    ])
    await service.pool.query('update part set variant_of = 2 where pk = 4')
    await assertRejected([
      [() => convert(lamp, parts.board), { non_field_errors: ['Cannot convert stock item with assigned SupplierPart'] }],
    ])
    await assertOnlyMembers((client) => client.post(`/api/stock/${pk}/convert/`, { part: 3 }))
  })
})

describe('POST /api/stock/{id}/serialize/', () => {
  const serialize = (pk: number, quantity: unknown, serial_numbers: string, destination: number = locations.box) =>
    member.post(`/api/stock/${pk}/serialize/`, { quantity, serial_numbers, destination })

  test('creates an item for each number, with the history so far', async () => {
    const pk = await insertItem(service, { part: parts.lamp, quantity: 5, batch: 'B' })
    await member.patch(`/api/stock/${pk}/`, { status: 50 })
    const response = await serialize(pk, 3, '10+')
    assert.deepEqual([response.status, response.body], [201, { quantity: 3, serial_numbers: '10+', destination: locations.box }])
    const newItems = await service.rows(
      'select pk, serial, quantity::int, batch, location, parent from stock_item where serial is not null order by pk',
    )
    assert.deepEqual(
      newItems.map(({ serial, quantity, batch, location, parent }) => [serial, quantity, batch, location, parent]),
      ['10', '11', '12'].map((serial) => [serial, 1, 'B', locations.box, pk]),
    )
    assert.deepEqual(
      (await readHistory(service, newItems[0].pk)).map(([code]) => code),
      [1, 5, 6],
    )
    assert.deepEqual((await readHistory(service, pk))[1], [12, { removed: 3, quantity: 2 }])
    assert.equal((await serialize(pk, 2, '~+')).status, 201)
    assert.equal(await readItem(pk), undefined)
    await assertSums()
  })

  test('rejects invalid requests', async () => {
    const lamp = await insertItem(service, { part: parts.lamp, quantity: 5 })
    const screw = await insertItem(service)
    const serializedItem = await insertItem(service, { part: parts.lamp, quantity: 1, serial: '7' })
    await assertRejected([
      [() => serialize(lamp, 6, '1+'), { quantity: ['Quantity must not exceed available stock quantity (5)'] }],
      [() => serialize(lamp, -1, '1'), 'quantity'],
      [() => serialize(lamp, 0, '1'), 'serial_numbers'],
      [() => serialize(lamp, 2, '6-7'), { serial_numbers: ['Serial numbers already exist: 7'] }],
      [() => serialize(lamp, 2, '1'), 'serial_numbers'],
      [() => serialize(screw, 1, '1'), { non_field_errors: ['Serial numbers cannot be assigned to this part'] }],
      [() => serialize(screw, 1000, '1'), 'quantity'],
      [() => serialize(serializedItem, 1, '1'), 'non_field_errors'],
      [() => serialize(lamp, 1, '1', locations.house), 'destination'],
      [() => member.post(`/api/stock/${lamp}/serialize/`, {}), 'quantity,serial_numbers,destination'],
    ])
    await assertOnlyMembers((client) =>
      client.post(`/api/stock/${lamp}/serialize/`, { quantity: 1, serial_numbers: '99', destination: 2 }),
    )
  })
})

describe('If-Match of an action on one item', () => {
  test('rejects an action on an item that has changed since', async () => {
    const item = await insertItem(service, { part: parts.lamp, quantity: 2 })
    const other = await insertItem(service)
    const itemPath = `/api/stock/${item}/`
    const oldVersion = String((await member.get(itemPath)).headers.etag)
    await member.patch(itemPath, { packaging: 'changed meanwhile' })
    const before = await readItem(item)
    for (const [action, body] of Object.entries({
      install: { stock_item: other, quantity: 1 },
      uninstall: { location: locations.shelf },
      return: { location: locations.shelf },
      convert: { part: parts.board },
      serialize: { quantity: 1, serial_numbers: '901', destination: locations.shelf },
    }))
      assert.equal((await member.post(`${itemPath}${action}/`, body, { 'if-match': oldVersion })).status, 412, action)
    assert.deepEqual(await readItem(item), before)
    const version = String((await member.get(itemPath)).headers.etag)
    const body = { quantity: 1, serial_numbers: '901', destination: locations.shelf }
    assert.equal((await member.post(`${itemPath}serialize/`, body, { 'if-match': version })).status, 201)
  })
})
