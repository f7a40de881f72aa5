import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from '../fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const readQuantities = async () =>
  (await service.rows('select pk, quantity::float8 as quantity from stock_item order by pk')).map((row) => [row.pk, row.quantity])
const readAllRows = () =>
  service.rows('select * from stock_item item left join stock_tracking entry on entry.item = item.pk order by item.pk, entry.pk')

for (const action of ['count', 'add', 'remove', 'transfer']) {
  const path = `/api/stock/${action}/`
  const createBody = (items: unknown) => ({ items, ...(action === 'transfer' ? { location: locations.garage } : {}) })

  describe(`POST ${path} rejects`, () => {
    test('invalid lists of items', async () => {
      const pk = await insertItem(service)
      const before = await readAllRows()
      const cases: [unknown, unknown][] = [
        [[], { non_field_errors: ['A list of stock items must be provided'] }],
        [undefined, { items: ['This field is required.'] }],
        [null, { items: ['This field may not be null.'] }],
        ['text', { items: { non_field_errors: ['A list of items is expected.'] } }],
        [[5], { items: [{ non_field_errors: ['An object is expected.'] }] }],
        [[null], { items: [{ non_field_errors: ['This field may not be null.'] }] }],
        [[{ pk: 999, quantity: 1 }], { items: [{ pk: ['Invalid pk "999" - object does not exist.'] }] }],
        [
          [
            { pk, quantity: 1 },
            { pk, quantity: -1 },
          ],
          { items: [{}, { quantity: ['Ensure this value is greater than or equal to 0.'] }] },
        ],
        [[{ pk, quantity: 'abc' }], { items: [{ quantity: ['A valid number is required.'] }] }],
        [[{ pk, quantity: 1, status: 11 }], { items: [{ status: ['"11" is not a valid choice.'] }] }],
      ]
      for (const [items, expected] of cases) {
        const response = await member.post(path, createBody(items))
        assert.equal(response.status, 400)
        assert.deepEqual(response.body, expected)
      }
      for (const quantity of ['NaN', '1e400', '99999999999', [], {}, true, null])
        assert.equal((await member.post(path, createBody([{ pk, quantity }]))).status, 400)
      for (const invalidEntry of [{ pk: 'x', quantity: 1 }, 5, null, 'text', [1]])
        assert.equal((await member.post(path, createBody([invalidEntry]))).status, 400)
      assert.equal((await member.post(path, { ...createBody([{ pk, quantity: 1 }]), notes: 'x'.repeat(513) })).status, 400)
      assert.deepEqual(await readAllRows(), before)
    })

    test('callers without permission', async () => {
      const pk = await insertItem(service)
      await assertCallers(
        service,
        (client) => client.post(path, createBody([{ pk, quantity: 1 }])),
        ['member', 'superuser'],
        readAllRows,
      )
    })
  })
}

describe('POST /api/stock/count/', () => {
  test('sets the quantity, and records the date and the user', async () => {
    const today = await waitForStableDay()
    const pk = await insertItem(service)
    const response = await member.post('/api/stock/count/', { items: [{ pk, quantity: '7.5' }], notes: 'yearly' })
    assert.equal(response.status, 201)
    assert.deepEqual(response.body, { items: [{ pk, quantity: '7.50000', status: null }], notes: 'yearly' })
    const [item] = await service.rows('select quantity, stocktake_date, stocktake_user from stock_item')
    assert.deepEqual(item, { quantity: '7.50000', stocktake_date: today, stocktake_user: service.getPk('member') })
    assert.deepEqual(await readHistory(service, pk), [[10, { quantity: 7.5 }]])
  })

  test('applies the last of two counts of the same item and records both in its history', async () => {
    const pk = await insertItem(service)
    await member.post('/api/stock/count/', {
      items: [
        { pk, quantity: 5 },
        { pk, quantity: 6 },
      ],
    })
    assert.deepEqual(await readQuantities(), [[pk, 6]])
    assert.equal((await readHistory(service, pk)).length, 2)
  })

  test('deletes depleted items unless they are to be kept or hold other items', async () => {
    const depletedItem = await insertItem(service)
    const permanentItem = await insertItem(service, { delete_on_deplete: false })
    const host = await insertItem(service)
    await insertItem(service, { belongs_to: host })
    const response = await member.post('/api/stock/count/', {
      items: [depletedItem, permanentItem, host].map((pk) => ({ pk, quantity: 0 })),
    })
    assert.deepEqual(
      response.body.items.map((entry: { pk: unknown }) => entry.pk),
      [null, permanentItem, host],
    )
    assert.deepEqual(
      (await readQuantities()).map(([pk]) => pk),
      [permanentItem, host, host + 1],
    )
  })

  test('records that a serialized item is present', async () => {
    const pk = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
    const response = await member.post('/api/stock/count/', { items: [{ pk, quantity: '1.0' }], notes: 'seen', undoable: true })
    assert.deepEqual([response.status, response.body.items[0].quantity], [201, '1.00000'])
    assert.deepEqual([await readQuantities(), await readHistory(service, pk)], [[[pk, 1]], [[10, { quantity: 1 }]]])
    const counted = async () => (await member.get(`/api/stock/${pk}/`)).body.stocktake_date
    assert.equal(await counted(), new Date().toISOString().slice(0, 10))
    assert.equal((await member.post(`/api/stock/adjustment/${response.body.adjustment}/undo/`)).status, 201)
    assert.equal(await counted(), null)
  })

  test('rejects a fraction of a trackable part, unless it had one before', async () => {
    const pk = await insertItem(service, { part: parts.lamp, quantity: 5 })
    const former = await insertItem(service, { part: parts.lamp, quantity: '2.5' })
    const before = await readAllRows()
    const text = 'An integer quantity must be provided for trackable parts'
    for (const [action, item, quantity] of [
      ['count', pk, '2.5'],
      ['add', pk, '0.5'],
      ['remove', pk, '0.25'],
      ['count', former, '2.25'],
    ] as const) {
      const response = await member.post(`/api/stock/${action}/`, { items: [{ pk: item, quantity }] })
      assert.deepEqual([response.status, response.body], [400, { items: [{ quantity: [text] }] }], `${action} ${quantity}`)
    }
    assert.deepEqual(await readAllRows(), before)
    for (const [action, quantity] of [
      ['count', '2.5'],
      ['add', 1],
      ['remove', '0.5'],
    ] as const)
      assert.equal((await member.post(`/api/stock/${action}/`, { items: [{ pk: former, quantity }] })).status, 201)
    assert.deepEqual(await readQuantities(), [
      [pk, 5],
      [former, 3],
    ])
  })

  test('rejects any other count of a serialized item, and counts nothing', async () => {
    const pk = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
    const screw = await insertItem(service)
    const before = await readAllRows()
    const text = 'An item with a serial number is counted as 1. If it is missing, set its status to Lost.'
    for (const quantity of [0, 2, '0.5', '1.00001']) {
      const items = [
        { pk: screw, quantity: 3 },
        { pk, quantity },
      ]
      const response = await member.post('/api/stock/count/', { items })
      assert.deepEqual([response.status, response.body], [400, { items: [{}, { quantity: [text] }] }])
    }
    const negative = await member.post('/api/stock/count/', { items: [{ pk, quantity: -1 }] })
    assert.deepEqual(negative.body, { items: [{ quantity: ['Ensure this value is greater than or equal to 0.'] }] })
    assert.deepEqual(await readAllRows(), before)
  })
})

describe('POST /api/stock/add/ and remove/', () => {
  test('adds up several amounts for one item in one request', async () => {
    const pk = await insertItem(service)
    await member.post('/api/stock/add/', {
      items: [
        { pk, quantity: '0.1' },
        { pk, quantity: '0.2' },
        { pk, quantity: 0 },
      ],
    })
    await member.post('/api/stock/remove/', {
      items: [
        { pk, quantity: 4 },
        { pk, quantity: 1 },
      ],
    })
    assert.deepEqual(await readQuantities(), [[pk, 5.3]])
    assert.deepEqual(await readHistory(service, pk), [
      [11, { added: 0.1, quantity: 10.1 }],
      [11, { added: 0.2, quantity: 10.3 }],
      [12, { removed: 4, quantity: 6.3 }],
      [12, { removed: 1, quantity: 5.3 }],
    ])
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  test('rejects removing more than is left by the earlier entries', async () => {
    const pk = await insertItem(service)
    const serialized = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
    const before = await readAllRows()
    const remove = (...entries: [number, unknown][]) =>
      member.post('/api/stock/remove/', { items: entries.map(([item, quantity]) => ({ pk: item, quantity })) })
    const cases: [Awaited<ReturnType<typeof remove>>, unknown[]][] = [
      [await remove([pk, '10.00001']), [{ quantity: ['Quantity must not exceed available stock quantity (10)'] }]],
      [await remove([pk, 7], [pk, '3.5']), [{}, { quantity: ['Quantity must not exceed available stock quantity (3)'] }]],
      [await remove([pk, 10], [pk, 1]), [{}, { quantity: ['Quantity must not exceed available stock quantity (0)'] }]],
      [await remove([serialized, 1], [pk, 1]), [{ quantity: ['An item with a serial number has a quantity of 1.'] }, {}]],
      [await remove([serialized, '0.5'], [pk, 1]), [{ quantity: ['An item with a serial number has a quantity of 1.'] }, {}]],
    ]
    for (const [response, items] of cases) assert.deepEqual([response.status, response.body], [400, { items }])
    assert.deepEqual(await readAllRows(), before)
  })

  test('rejects adding to a serialized item, but accepts 0', async () => {
    const pk = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
    for (const quantity of [1, '0.5']) {
      const response = await member.post('/api/stock/add/', { items: [{ pk, quantity }] })
      assert.deepEqual(response.body, { items: [{ quantity: ['An item with a serial number has a quantity of 1.'] }] })
    }
    for (const action of ['add', 'remove'])
      assert.equal((await member.post(`/api/stock/${action}/`, { items: [{ pk, quantity: 0 }] })).status, 201)
    assert.deepEqual([await readQuantities(), await readHistory(service, pk)], [[[pk, 1]], []])
  })

  test('removes the whole quantity of an item', async () => {
    const pk = await insertItem(service, { delete_on_deplete: false })
    const { body } = await member.post('/api/stock/remove/', { items: [{ pk, quantity: 10 }] })
    assert.equal(body.items[0].quantity, '10.00000')
    assert.deepEqual(await readQuantities(), [[pk, 0]])
    assert.deepEqual(await readHistory(service, pk), [[12, { removed: 10, quantity: 0 }]])
  })

  test('rejects a sum that is too large to store', async () => {
    const pk = await insertItem(service, { quantity: '99999999999999' })
    assert.equal((await member.post('/api/stock/add/', { items: [{ pk, quantity: 5 }] })).status, 400)
    assert.deepEqual(await readHistory(service, pk), [])
  })
})

describe('POST /api/stock/transfer/', () => {
  const transfer = (items: unknown[], more = {}) =>
    member.post('/api/stock/transfer/', { items, location: locations.garage, ...more })

  test('splits off a part of an item, with the given changes', async () => {
    const pk = await insertItem(service, { packaging: 'reel', link: 'http://a.example/', tags: ['new'], purchase_price: '1.5' })
    const response = await transfer([{ pk, quantity: 4, batch: 'N', status: 50 }], { notes: 'half' })
    assert.deepEqual(response.body, {
      items: [{ pk, quantity: '4.00000', batch: 'N', status: 50 }],
      location: locations.garage,
      notes: 'half',
    })
    const newKey = pk + 1
    const { body } = await member.get(`/api/stock/${newKey}/`)
    assert.deepEqual(
      [body.quantity, body.location, body.batch, body.status, body.packaging, body.link, body.tags, body.purchase_price],
      [4, locations.garage, 'N', 50, 'reel', 'http://a.example/', ['new'], '1.500000'],
    )
    assert.deepEqual(await readQuantities(), [
      [pk, 6],
      [newKey, 4],
    ])
    assert.deepEqual(await readHistory(service, newKey), [
      [40, { stockitem: pk, quantity: 4, location: locations.garage, batch: 'N', status: 50 }],
    ])
    assert.deepEqual(await readHistory(service, pk), [
      [42, { removed: 4, quantity: 6, location: locations.garage, stockitem: newKey }],
    ])
    assert.equal((await member.get(`/api/stock/${pk}/`)).body.child_items, 1)
  })

  test('moves the item when the whole quantity is transferred', async () => {
    const pk = await insertItem(service)
    await transfer([{ pk, quantity: 10, packaging: 'bag' }])
    assert.deepEqual(await readHistory(service, pk), [[20, { location: locations.garage, packaging: 'bag', quantity: 10 }]])
    await transfer([{ pk, quantity: 10 }])
    assert.equal((await readHistory(service, pk)).length, 1)
    await transfer([{ pk, quantity: 10 }], { notes: 'looked' })
    assert.deepEqual((await readHistory(service, pk))[1], [25, {}])
    assert.deepEqual(await service.rows('select location, quantity::int, packaging from stock_item'), [
      { location: locations.garage, quantity: 10, packaging: 'bag' },
    ])
  })

  test('rejects moving more than is left by the earlier entries', async () => {
    const pk = await insertItem(service)
    const before = await readAllRows()
    for (const [first, second, remaining] of [
      [3, 8, 7],
      [10, 1, 0],
    ]) {
      const response = await transfer([
        { pk, quantity: first },
        { pk, quantity: second },
      ])
      const text = `Quantity must not exceed available stock quantity (${remaining})`
      assert.deepEqual([response.status, response.body], [400, { items: [{}, { quantity: [text] }] }])
    }
    assert.deepEqual(await readAllRows(), before)
  })

  test('moves a serialized item as a whole, and rejects a fraction of it', async () => {
    const pk = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
    assert.deepEqual((await transfer([{ pk, quantity: '0.5' }])).body, {
      items: [{ quantity: ['An item with a serial number has a quantity of 1.'] }],
    })
    assert.deepEqual((await transfer([{ pk, quantity: 2 }])).body, {
      items: [{ quantity: ['Quantity must not exceed available stock quantity (1)'] }],
    })
    assert.equal((await transfer([{ pk, quantity: 0 }])).body.items[0].quantity, '0.00000')
    assert.deepEqual(await readHistory(service, pk), [])
    assert.equal((await transfer([{ pk, quantity: 1 }])).body.items[0].quantity, '1.00000')
    assert.deepEqual(await readHistory(service, pk), [[20, { location: locations.garage, quantity: 1 }]])
  })

  test('rejects splitting off a fraction of a trackable part', async () => {
    const pk = await insertItem(service, { part: parts.lamp, quantity: 5 })
    const before = await readAllRows()
    const { status, text } = await transfer([{ pk, quantity: '0.5' }])
    assert.equal(status, 400)
    assert.match(text, /An integer quantity must be provided for trackable parts/)
    assert.deepEqual(await readAllRows(), before)
  })

  test('splits an item twice if it is listed twice', async () => {
    const pk = await insertItem(service)
    await transfer([
      { pk, quantity: 3 },
      { pk, quantity: 4 },
      { pk, quantity: 0 },
    ])
    assert.deepEqual(
      (await readQuantities()).map(([, quantity]) => quantity),
      [3, 3, 4],
    )
  })

  test('rejects a structural location, an unknown location, and items that are not in stock', async () => {
    const pk = await insertItem(service, { status: 75 })
    const before = await readAllRows()
    assert.deepEqual((await transfer([{ pk, quantity: 1 }])).body, {
      non_field_errors: ['StockItem cannot be moved as it is not in stock'],
    })
    assert.deepEqual(Object.keys((await transfer([{ pk, quantity: 1 }], { location: locations.house })).body), ['location'])
    assert.deepEqual(Object.keys((await transfer([{ pk, quantity: 1 }], { location: 999 })).body), ['location'])
    assert.deepEqual((await member.post('/api/stock/transfer/', { items: [{ pk, quantity: 1 }] })).body, {
      location: ['This field is required.'],
    })
    assert.deepEqual(await readAllRows(), before)
    await service.superuser.patch('/api/settings/global/STOCK_ALLOW_OUT_OF_STOCK_TRANSFER/', { value: true })
    assert.equal((await transfer([{ pk, quantity: 1 }])).status, 201)
    await service.superuser.patch('/api/settings/global/STOCK_ALLOW_OUT_OF_STOCK_TRANSFER/', { value: false })
  })
})

test('POST /api/stock/add/ accepts ten thousand items in one request and rejects one more', async () => {
  await service.pool.query(
    `insert into stock_item (part, quantity, purchase_price_currency) select 1, 5, 'EUR' from generate_series(1, 10000)`,
  )
  const items = (await service.rows('select pk from stock_item order by pk')).map(({ pk }) => ({ pk, quantity: 1 }))
  assert.equal((await member.post('/api/stock/add/', { items })).status, 201)
  assert.deepEqual(await service.rows('select sum(quantity)::int from stock_item'), [{ sum: 60_000 }])
  assert.equal((await member.post('/api/stock/add/', { items: [...items, items[0]] })).status, 400)
  assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
})
