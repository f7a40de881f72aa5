import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { fillStock, parts, placeItem } from './fixture.ts'

const service = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
beforeEach(() => fillStock(service))

test('existing clients get bare lists, and junk in a boolean filter is ignored', async () => {
  await placeItem(service)
  for (const path of ['/api/stock/', '/api/stock/location/', '/api/stock/location/tree/', '/api/stock/track/'])
    assert.ok(Array.isArray((await member.get(path)).body), path)
  for (const query of ['in_stock=perhaps', 'expired=perhaps', 'part=1&include_variants=perhaps', 'location=2&cascade=perhaps'])
    assert.equal((await member.get(`/api/stock/?${query}`)).body.length, 1, query)
})

test('PUT keeps what is left out', async () => {
  const pk = await placeItem(service, { batch: 'B', status: 55 })
  const { body } = await member.put(`/api/stock/${pk}/`, { part: parts.screw, quantity: 4 })
  assert.deepEqual([body.quantity, body.batch, body.status, body.location], [4, 'B', 55, 2])
})

test('money with more digits than are kept is rounded', async () => {
  const { status, body } = await member.post('/api/stock/', { part: parts.screw, quantity: 1, purchase_price: '1.23456789' })
  assert.deepEqual([status, body.purchase_price], [201, '1.234568'])
})
