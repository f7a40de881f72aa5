import assert from 'node:assert/strict'
import type { TestService } from '../../../testing/service.ts'
import { fillStock, insertItem, parts } from '../fixture.ts'

/**
 * Creates valid data for every check to read: stock, two purchase orders, a sales order, a build order and a transfer order with allocations, and whatever
 * else a check covers.
 */
export async function createVerifiableData(service: TestService): Promise<void> {
  const { member } = service
  await fillStock(service)
  await insertItem(service)
  await insertItem(service, { quantity: '3', parent: 1 })
  await insertItem(service, { part: parts.board, quantity: '1', serial: 'A1' })
  await insertItem(service, { part: parts.blueBoard, quantity: '1', serial: 'A2' })
  await insertItem(service, { part: parts.lamp, quantity: '1', serial: 'A1', belongs_to: 3 })
  await member.post('/api/stock/add/', { items: [{ pk: 1, quantity: 2 }] })
  for (const reference of ['PO-0001', 'PO-0002']) {
    const order = (await member.post('/api/order/po/', { reference, supplier: 1 })).body.pk
    await member.post('/api/order/po-line/', { order, part: 1, quantity: 5, purchase_price: 2, purchase_price_currency: 'EUR' })
    await member.post('/api/order/po-extra-line/', { order, quantity: 1, price: 3, price_currency: 'EUR' })
  }
  await service.pool.query('update part set salable = true where pk = 1')
  await member.post('/api/order/so/', { reference: 'SO-0001', customer: 2 })
  await member.post('/api/order/so-line/', { order: 1, part: 1, quantity: 5, sale_price: 4, sale_price_currency: 'EUR' })
  await member.post('/api/order/so/shipment/', { order: 1 })
  const items = [{ line_item: 1, stock_item: 2, quantity: 2 }]
  assert.equal((await member.post('/api/order/so/1/allocate/', { items, shipment: 1 })).status, 201)
  await service.pool.query(
    'update part set assembly = true where pk = 4; insert into bom_item (part, sub_part, quantity) values (4, 1, 2)',
  )
  await member.post('/api/build/', { reference: 'BO-0001', part: parts.lamp, quantity: 3 })
  const allocations = [{ build_line: 1, stock_item: 1, quantity: 2 }]
  assert.equal((await member.post('/api/build/1/allocate/', { items: allocations })).status, 201)
  await member.post('/api/order/transfer-order/', { reference: 'TO-0001' })
  await member.post('/api/order/transfer-order-line/', { order: 1, part: 1, quantity: 5 })
  await member.post('/api/order/transfer-order/1/issue/')
  const transferred = [{ line_item: 1, stock_item: 1, quantity: 1 }]
  assert.equal((await member.post('/api/order/transfer-order/1/allocate/', { items: transferred })).status, 201)
}
