import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const CUSTOMER = 2
const returnItems = (items: object[], more: object = {}) =>
  member.post('/api/stock/return/', { items, location: locations.garage, ...more })
const readState = () => service.rows('select pk, quantity, customer, location from stock_item order by pk')
const readItem = async (pk: number) => (await service.rows('select * from stock_item where pk = $1', [pk]))[0]

describe('POST /api/stock/return/', () => {
  it('returns items from customers and out of other items', async () => {
    const [sold, host] = [
      await insertItem(service, { customer: CUSTOMER, location: null }),
      await insertItem(service, { part: parts.lamp }),
    ]
    const installed = await insertItem(service, { quantity: '1', belongs_to: host, location: null })
    const response = await returnItems(
      [
        { pk: sold, quantity: 10, status: 50, batch: 'R1', packaging: 'box' },
        { pk: installed, quantity: 1 },
      ],
      { notes: 'Back' },
    )
    assert.deepEqual(
      [response.status, response.body],
      [
        201,
        {
          items: [
            { pk: sold, quantity: '10.00000', status: 50, batch: 'R1', packaging: 'box', merge: false },
            { pk: installed, quantity: '1.00000', status: null, merge: false },
          ],
          notes: 'Back',
          location: locations.garage,
          merge: false,
        },
      ],
    )
    const item = await readItem(sold)
    assert.deepEqual(
      [item.customer, item.location, item.status, item.batch, item.packaging],
      [null, locations.garage, 50, 'R1', 'box'],
    )
    assert.deepEqual((await readHistory(service, sold)).at(-1), [
      105,
      { location: locations.garage, customer: CUSTOMER, customer_name: 'Buyer' },
    ])
    assert.deepEqual([(await readItem(installed)).belongs_to, (await readItem(installed)).in_stock], [null, true])
  })

  it('splits off a part of an item', async () => {
    const sold = await insertItem(service, { quantity: '5', customer: CUSTOMER, location: null })
    assert.equal((await returnItems([{ pk: sold, quantity: '1.5' }])).status, 201)
    const rest = await readItem(sold)
    assert.deepEqual([rest.quantity, rest.customer, rest.location], ['3.50000', CUSTOMER, null])
    const [back] = await service.rows('select * from stock_item where parent = $1', [sold])
    assert.deepEqual([back.quantity, back.customer, back.location, back.in_stock], ['1.50000', null, locations.garage, true])
    assert.deepEqual(
      (await readHistory(service, back.pk)).map(([type]) => type),
      [40, 105],
    )
  })

  it('merges an item into the one that it was split from only if asked', async () => {
    const parent = await insertItem(service, { location: locations.garage })
    const [one, other] = [
      await insertItem(service, { quantity: '2', parent, customer: CUSTOMER, location: null }),
      await insertItem(service, { quantity: '3', parent, customer: CUSTOMER, location: null }),
    ]
    const { body } = await returnItems([
      { pk: one, quantity: 2, merge: true },
      { pk: other, quantity: 3 },
    ])
    assert.deepEqual([body.items[0].pk, body.items[1].pk], [null, other])
    assert.equal(await readItem(one), undefined)
    assert.deepEqual([(await readItem(parent)).quantity, (await readItem(other)).quantity], ['12.00000', '3.00000'])
  })

  it('rejects what cannot be returned at its index, and returns nothing', async () => {
    const [sold, here] = [await insertItem(service, { customer: CUSTOMER, location: null }), await insertItem(service)]
    const serial = await insertItem(service, { part: parts.lamp, serial: '1', quantity: '1', customer: CUSTOMER, location: null })
    const entry = { pk: sold, quantity: 10 }
    const before = await readState()
    for (const [items, more, field] of [
      [[], {}, 'non_field_errors'],
      [[entry, { pk: here, quantity: 1 }], {}, 'items'],
      [[entry, entry], {}, 'items'],
      [[{ pk: sold, quantity: 0 }], {}, 'items'],
      [[{ pk: sold, quantity: 11 }], {}, 'items'],
      [[{ pk: serial, quantity: '0.5' }], {}, 'items'],
      [[{ pk: 999_999, quantity: 1 }], {}, 'items'],
      [[{ ...entry, status: 9999 }], {}, 'items'],
      [[entry], { location: locations.house }, 'location'],
      [[entry], { location: null }, 'location'],
    ] as const) {
      const response = await returnItems([...items], more)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify({ items, more }))
    }
    assert.equal((await returnItems([{ ...entry, expected_quantity: 9 }])).status, 412)
    assert.deepEqual(await readState(), before)
  })

  it('returns once by concurrent requests', async () => {
    const sold = await insertItem(service, { customer: CUSTOMER, location: null })
    const responses = await Promise.all(Array.from({ length: 4 }, () => returnItems([{ pk: sold, quantity: 10 }])))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
  })

  it('requires the permission to add stock', () =>
    assertCallers(
      service,
      (client) => client.post('/api/stock/return/', { items: [], location: locations.garage }),
      ['member', 'superuser'],
      readState,
    ))
})
