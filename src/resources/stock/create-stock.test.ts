import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { waitForStableDay } from '../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const createItem = (body: object, query = '') => member.post(`/api/stock/${query}`, body)
const changeSetting = (key: string, value: unknown) => service.superuser.patch(`/api/settings/global/${key}/`, { value })

describe('POST /api/stock/', () => {
  test('responds with the item, and starts its history', async () => {
    const { status, body, headers } = await createItem({
      part: parts.screw,
      quantity: '12.5',
      location: locations.box,
      status: 55,
      supplier_part: 2,
      purchase_price: '1.25',
      purchase_price_currency: 'EUR',
      tags: ['a'],
      notes: 'N',
    })
    assert.equal(status, 201)
    assert.deepEqual(
      [body.quantity, body.status_text, body.purchase_price, body.tags, body.part_detail.name, body.tracking_items],
      [12.5, 'Damaged', '1.250000', ['a'], 'Screw', 1],
    )
    assert.ok(headers.etag)
    assert.deepEqual(await readHistory(service, body.pk), [[1, { status: 55, location: locations.box, quantity: 12.5 }]])
    assert.equal((await member.get(`/api/stock/${body.pk}/`)).headers.etag, headers.etag)
  })

  test('defaults: location of the part or its category, batch code, expiry date', async () => {
    const today = await waitForStableDay()
    await changeSetting('STOCK_BATCH_CODE_TEMPLATE', 'LOT {{ year }}')
    const { body } = await createItem({ part: parts.screw, quantity: 1 })
    assert.deepEqual([body.location, body.batch, body.expiry_date], [locations.garage, `LOT ${today.slice(0, 4)}`, null])
    const none = await createItem({ part: parts.screw, quantity: 1, location: null, batch: '' })
    assert.deepEqual([none.body.location, none.body.batch], [null, ''])
    const lamp = await createItem({ part: parts.lamp, quantity: 1 })
    assert.equal(lamp.body.expiry_date, new Date(Date.parse(today) + 30 * 86_400_000).toISOString().slice(0, 10))
    assert.equal((await createItem({ part: parts.lamp, quantity: 1, expiry_date: '2027-01-01' })).body.expiry_date, '2027-01-01')
    await changeSetting('STOCK_BATCH_CODE_TEMPLATE', '')
  })

  test('converts pack quantities and prices', async () => {
    const packs = { part: parts.screw, quantity: 3, supplier_part: 1, purchase_price: '123.45' }
    assert.deepEqual(Object.keys((await createItem(packs)).body), ['use_pack_size'])
    const counted = await createItem({ ...packs, use_pack_size: true })
    assert.deepEqual([counted.body.quantity, counted.body.purchase_price], [300, '1.234500'])
    const single = await createItem({ ...packs, use_pack_size: false })
    assert.deepEqual([single.body.quantity, single.body.purchase_price], [3, '123.450000'])
    const itemWithoutPrice = await createItem({ ...packs, use_pack_size: true, purchase_price: null })
    assert.deepEqual([itemWithoutPrice.body.quantity, itemWithoutPrice.body.purchase_price], [300, null])
  })

  test('rejects a negative price', async () => {
    const rejection = await createItem({ part: parts.screw, quantity: 3, purchase_price: '-0.01' })
    assert.deepEqual(
      [rejection.status, rejection.body],
      [400, { purchase_price: ['Ensure this value is greater than or equal to 0.'] }],
    )
    const { body } = await createItem({ part: parts.screw, quantity: 3, purchase_price: '0' })
    const changed = await member.patch(`/api/stock/${body.pk}/`, { purchase_price: '-5' })
    assert.deepEqual([changed.status, Object.keys(changed.body)], [400, ['purchase_price']])
  })

  test('takes null as no serial numbers, as clients send it', async () => {
    const { status, body } = await createItem({ part: parts.screw, quantity: 3, serial_numbers: null })
    assert.deepEqual([status, body.quantity, body.serial], [201, 3, null])
    await service.rows('delete from stock_item where pk = $1', [body.pk])
  })

  test('creates an item per serial number', async () => {
    const { status, body } = await createItem({
      part: parts.board,
      quantity: 3,
      serial_numbers: '8-9, 11',
      location: locations.box,
      batch: 'B',
    })
    assert.deepEqual([status, body], [201, { quantity: 3, serial_numbers: ['8', '9', '11'] }])
    assert.deepEqual((await createItem({ part: parts.blueBoard, quantity: 2, serial_numbers: '~+' })).body.serial_numbers, [
      '12',
      '13',
    ])
    const rows = await service.rows('select serial, quantity::int, batch, delete_on_deplete from stock_item order by pk limit 1')
    assert.deepEqual(rows, [{ serial: '8', quantity: 1, batch: 'B', delete_on_deplete: false }])
    const rejection = await createItem({ part: parts.redBoard, quantity: 3, serial_numbers: '7,8,9' })
    assert.deepEqual(rejection.body, { serial_numbers: ['Serial numbers already exist: 8,9'] })
    const [{ count }] = await service.rows('select count(*)::int from stock_item')
    assert.equal(count, 5)
  })

  test('rejects invalid values: the first errors as plain strings, one at a time', async () => {
    await insertItem(service, { part: parts.lamp, quantity: 1, serial: '5' })
    const before = await service.rows('select * from stock_item order by pk')
    const good = { part: parts.screw, quantity: 1 }
    const cases: [object, unknown][] = [
      [{}, { quantity: 'Quantity is required' }],
      [{ quantity: 1 }, { part: 'Valid part must be supplied' }],
      [{ ...good, part: 'x' }, { part: 'Valid part must be supplied' }],
      [{ ...good, part: 99_999_999_999 }, { part: 'Valid part must be supplied' }],
      [{ ...good, supplier_part: 99 }, { supplier_part: 'The given supplier part does not exist' }],
    ]
    for (const [body, expected] of cases) assert.deepEqual((await createItem(body)).body, expected)
    const fields: [object, string][] = [
      [{ ...good, quantity: 'abc' }, 'quantity'],
      [{ ...good, quantity: -1 }, 'quantity'],
      [{ ...good, part: parts.service }, 'part'],
      [{ ...good, location: locations.house }, 'location'],
      [{ ...good, location: 999 }, 'location'],
      [{ ...good, supplier_part: 3 }, 'supplier_part'],
      [{ ...good, serial_numbers: '1' }, 'serial_numbers'],
      [{ ...good, part: parts.lamp, quantity: 1.5 }, 'quantity'],
      [{ ...good, part: parts.lamp, quantity: 1.5, serial_numbers: '1' }, 'quantity'],
      [{ ...good, part: parts.lamp, quantity: 2, serial_numbers: '1' }, 'serial_numbers'],
      [{ ...good, part: parts.lamp, quantity: 9_999_999, serial_numbers: '1+' }, 'serial_numbers'],
      [{ ...good, part: parts.lamp, serial: '5' }, 'serial'],
      [{ ...good, build: 4 }, 'build'],
      [{ ...good, is_building: true }, 'build'],
      [{ ...good, status: 1, batch: 'x'.repeat(101) }, 'batch,status'],
    ]
    for (const [body, names] of fields) {
      const response = await createItem(body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.equal(Object.keys(response.body).sort().join(), names, response.text)
    }
    assert.deepEqual(await service.rows('select * from stock_item order by pk'), before)
    await assertCallers(service, (client) => client.post('/api/stock/', good), ['member', 'superuser'])
  })

  test('assigns unique serial numbers to concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        createItem({ part: [parts.board, parts.blueBoard, parts.redBoard][index % 3], quantity: 5, serial_numbers: '~+' }),
      ),
    )
    assert.ok(responses.every(({ status }) => status === 201))
    const rows = await service.rows('select serial from stock_item')
    assert.equal(new Set(rows.map(({ serial }) => serial)).size, rows.length)
    assert.equal(rows.length, 60)
  })
})
