import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { assertHistorySums, fillStock, insertItem, locations, parts } from './fixture.ts'

const service = await testService()
const { member } = service
beforeEach(() => fillStock(service))

const readAccount = async (pk: number) => ({
  opening: Number((await service.rows('select opening_quantity from stock_item where pk = $1', [pk]))[0].opening_quantity),
  changes: (await service.rows('select quantity_change from stock_tracking where item = $1 order by pk', [pk])).map(
    ({ quantity_change }) => quantity_change && Number(quantity_change),
  ),
})

describe('the quantity account of a stock item', () => {
  test('opens with the inserted quantity and records every change', async () => {
    const pk = await insertItem(service)
    const items = [{ pk, quantity: 2.5 }]
    assert.deepEqual(await readAccount(pk), { opening: 10, changes: [] })
    for (const action of ['add', 'remove', 'count'])
      assert.equal((await member.post(`/api/stock/${action}/`, { items })).status, 201)
    assert.equal((await member.patch(`/api/stock/${pk}/`, { quantity: 7 })).status, 200)
    assert.equal((await member.patch(`/api/stock/${pk}/`, { quantity: 7, status: 50 })).status, 200)
    assert.deepEqual(await readAccount(pk), { opening: 10, changes: [2.5, -2.5, -7.5, 4.5, 0] })
  })

  test('consists of history alone for a new item', async () => {
    const { body } = await member.post('/api/stock/', { part: parts.screw, quantity: 12, location: locations.shelf })
    assert.deepEqual(await readAccount(body.pk), { opening: 0, changes: [12] })
    const { body: part } = await member.post('/api/part/', { name: 'Nut', category: 2, initial_stock: { quantity: 5 } })
    const [item] = await service.rows('select pk from stock_item where part = $1', [part.pk])
    assert.deepEqual(await readAccount(item.pk), { opening: 0, changes: [5] })
  })

  test('excludes copied entries of the item that it was split from', async () => {
    const pk = await insertItem(service, { part: parts.board, quantity: '3', delete_on_deplete: false })
    await member.post('/api/stock/add/', { items: [{ pk, quantity: 4 }] })
    const body = { quantity: 2, serial_numbers: '1,2', destination: locations.box }
    assert.equal((await member.post(`/api/stock/${pk}/serialize/`, body)).status, 201)
    assert.deepEqual(await readAccount(pk), { opening: 3, changes: [4, -2] })
    const [serializedItem] = await service.rows(`select pk from stock_item where serial = '1'`)
    // creation, the copied entry of the earlier addition, and the assignment of the number
    assert.deepEqual((await readAccount(serializedItem.pk)).changes.toSorted(), [0, 1, null].toSorted())
    await assertHistorySums(service)
  })

  test('is hidden from clients', async () => {
    const pk = await insertItem(service)
    await member.post('/api/stock/add/', { items: [{ pk, quantity: 1 }] })
    for (const path of [`/api/stock/${pk}/`, '/api/stock/', `/api/stock/track/?item=${pk}`]) {
      const { text } = await member.get(path)
      assert.doesNotMatch(text, /opening_quantity|quantity_change/)
    }
    await member.patch(`/api/stock/${pk}/`, { opening_quantity: 99 })
    assert.deepEqual(await readAccount(pk), { opening: 10, changes: [1] })
  })
})
