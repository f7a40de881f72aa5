import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
beforeEach(() => fillStock(service))

test('existing clients get bare lists, and invalid values of boolean filters are ignored', async () => {
  await insertItem(service)
  for (const path of ['/api/stock/', '/api/stock/location/', '/api/stock/location/tree/', '/api/stock/track/'])
    assert.ok(Array.isArray((await member.get(path)).body), path)
  for (const query of ['in_stock=perhaps', 'expired=perhaps', 'part=1&include_variants=perhaps', 'location=2&cascade=perhaps'])
    assert.equal((await member.get(`/api/stock/?${query}`)).body.length, 1, query)
})

test('PUT keeps omitted fields', async () => {
  const pk = await insertItem(service, { batch: 'B', status: 55 })
  const { body } = await member.put(`/api/stock/${pk}/`, { part: parts.screw, quantity: 4 })
  assert.deepEqual([body.quantity, body.batch, body.status, body.location], [4, 'B', 55, 2])
})

test('money with more digits than are stored is rounded', async () => {
  const { status, body } = await member.post('/api/stock/', { part: parts.screw, quantity: 1, purchase_price: '1.23456789' })
  assert.deepEqual([status, body.purchase_price], [201, '1.234568'])
})

test('impossible quantities of a serialized item change nothing, and a count of 1 is recorded', async () => {
  const pk = await insertItem(service, { part: parts.lamp, serial: '1', quantity: 1 })
  const send = async (action: string, quantity: number) => {
    const response = await member.post(`/api/stock/${action}/`, { items: [{ pk, quantity }], location: locations.garage })
    assert.equal(response.status, 201, response.text)
  }
  await send('count', 0)
  await send('count', 2)
  await send('add', 1)
  await send('remove', 1)
  await send('transfer', 0.5)
  const read = async () => (await member.get(`/api/stock/${pk}/`)).body
  const { quantity, location, stocktake_date } = await read()
  assert.deepEqual([quantity, location, stocktake_date], [1, locations.shelf, null])
  assert.deepEqual(await readHistory(service, pk), [])
  await send('count', 1)
  assert.deepEqual([(await read()).quantity, await readHistory(service, pk)], [1, [[10, { quantity: 1 }]]])
})

describe('a quantity above that of the item', () => {
  const assertSums = async () => assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  const readStock = () => service.rows('select pk, location, quantity::float8 as quantity from stock_item order by pk')
  const adjustStock = async (action: string, entries: [number, unknown][]) => {
    const items = entries.map(([pk, quantity]) => ({ pk, quantity }))
    const response = await member.post(`/api/stock/${action}/`, { items, location: locations.garage })
    assert.equal(response.status, 201, response.text)
    return response.body.items.map((entry: { pk: number | null; quantity: string }) => [entry.pk, entry.quantity])
  }

  test('is limited by POST /api/stock/remove/ to the quantity in stock', async () => {
    const permanentItem = await insertItem(service, { delete_on_deplete: false })
    const depletedItem = await insertItem(service, { quantity: '2.5' })
    const response = await adjustStock('remove', [
      [permanentItem, 8],
      [permanentItem, 30],
      [permanentItem, 1],
      [depletedItem, 30],
    ])
    assert.deepEqual(response, [
      [permanentItem, '8.00000'],
      [permanentItem, '2.00000'],
      [permanentItem, '0.00000'],
      [null, '2.50000'],
    ])
    assert.deepEqual(await readHistory(service, permanentItem), [
      [12, { removed: 8, quantity: 2 }],
      [12, { removed: 2, quantity: 0 }],
    ])
    assert.deepEqual(await readStock(), [{ pk: permanentItem, location: locations.shelf, quantity: 0 }])
    await assertSums()
  })

  test('is limited by POST /api/stock/transfer/ to the quantity in stock', async () => {
    const fullItem = await insertItem(service)
    const split = await insertItem(service)
    const response = await adjustStock('transfer', [
      [fullItem, 30],
      [split, 4],
      [split, 30],
      [split, 1],
    ])
    assert.deepEqual(response, [
      [fullItem, '10.00000'],
      [split, '4.00000'],
      [split, '6.00000'],
      [split, '0.00000'],
    ])
    assert.deepEqual(await readHistory(service, fullItem), [[20, { location: locations.garage, quantity: 10 }]])
    const { garage: location } = locations
    assert.deepEqual(await readStock(), [
      { pk: fullItem, location, quantity: 10 },
      { pk: split, location, quantity: 6 },
      { pk: split + 1, location, quantity: 4 },
    ])
    await assertSums()
  })
})
