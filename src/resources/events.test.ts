import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../testing/service.ts'

const service = await testService()
const { member, rows } = service

/** Runs `callback` and returns the events that it wrote, in order. */
async function recordEvents(callback: () => Promise<unknown>): Promise<string[]> {
  const [{ last }] = await rows('select coalesce(max(id), 0) last from event')
  await callback()
  const events = await rows('select model, key, kind, account from event where id > $1 order by id', [last])
  return events.map(({ model, key, kind, account }) => `${kind} ${model} ${key} by ${account}`)
}

const byMember = `by ${service.getPk('member')}`

async function createObject(path: string, body: object): Promise<number> {
  const response = await member.post(path, body)
  assert.equal(response.status, 201, response.text)
  return response.body.pk ?? response.body[0]?.pk
}

const supplier = await createObject('/api/company/', { name: 'Supplier', is_supplier: true })
const customer = await createObject('/api/company/', { name: 'Customer', is_customer: true })
const location = await createObject('/api/stock/location/', { name: 'Shelf' })
const category = await createObject('/api/part/category/', { name: 'Screws' })
const part = await createObject('/api/part/', { name: 'Screw', category, purchaseable: true, salable: true, trackable: true })
const supplierPart = await createObject('/api/company/part/', { part, supplier, SKU: 'S-1' })

describe('POST, PATCH and DELETE of a resource', () => {
  it('write events with object, operation and account', async () => {
    let pk = 0
    assert.deepEqual(
      await recordEvents(async () => {
        pk = await createObject('/api/company/contact/', { company: supplier, name: 'Who' })
      }),
      [`created contact ${pk} ${byMember}`],
    )
    const saved = [`saved contact ${pk} ${byMember}`]
    assert.deepEqual(await recordEvents(() => member.patch(`/api/company/contact/${pk}/`, { role: 'a' })), saved)
    assert.deepEqual(await recordEvents(() => member.patch(`/api/company/contact/${pk}/`, { role: 'a' })), [])
    assert.deepEqual(await recordEvents(() => rows('update contact set role = role')), [])
    assert.deepEqual(await recordEvents(() => member.put(`/api/company/contact/${pk}/metadata/`, { metadata: { a: 1 } })), saved)
    assert.deepEqual(await recordEvents(() => member.delete(`/api/company/contact/${pk}/`)), [
      `deleted contact ${pk} ${byMember}`,
    ])
  })

  it('write events of many thousand rows in one statement, after single ones in the same session', async () => {
    const client = await service.pool.connect()
    try {
      await client.query(`set statement_timeout = '5s'`)
      await client.query(`insert into project_code (code) select 'many-' || i from generate_series(1, 12000) i`)
      for (let turn = 0; turn < 12; turn++) {
        await client.query(`update project_code set description = $1 where code = 'many-1'`, [`${turn}`])
      }
      const changed = await recordEvents(() => client.query(`update project_code set description = 'x' where code like 'many-%'`))
      assert.equal(changed.length, 12_000)
    } finally {
      client.release(true)
    }
  })

  it('write no events when rejected or rolled back', async () => {
    assert.deepEqual(await recordEvents(() => member.post('/api/company/contact/', {})), [])
    assert.deepEqual(
      await recordEvents(() => service.pool.query(`begin; insert into project_code (code) values ('x'); rollback`)),
      [],
    )
  })

  it('write events of cascaded deletions, and of manual SQL', async () => {
    const [deletedCompany, manufacturer] = [
      await createObject('/api/company/', { name: 'Gone', is_supplier: true }),
      await createObject('/api/company/', { name: 'Maker', is_manufacturer: true }),
    ]
    assert.ok(manufacturer)
    const contact = await createObject('/api/company/contact/', { company: deletedCompany, name: 'Who' })
    assert.deepEqual((await recordEvents(() => rows('delete from company where pk = $1', [deletedCompany]))).toSorted(), [
      `deleted company ${deletedCompany} by null`,
      `deleted contact ${contact} by null`,
    ])
  })

  it('write no events of derived changes', async () => {
    const childLocation = await createObject('/api/stock/location/', { name: 'Inner', parent: location })
    assert.deepEqual(await recordEvents(() => member.patch(`/api/stock/location/${location}/`, { name: 'Rack' })), [
      `saved stock_location ${location} ${byMember}`,
    ])
    assert.ok(childLocation)
  })
})

describe('events of actions on orders', () => {
  it('POST /api/order/po/{id}/issue/, receive/ and complete/', async () => {
    const order = await createObject('/api/order/po/', { supplier, reference: 'PO-0001' })
    const line = await recordEvents(() => createObject('/api/order/po-line/', { order, part: supplierPart, quantity: 2 }))
    // the order's line count and total produce no events
    assert.equal(line.length, 1)
    const [{ pk }] = await rows('select pk from purchase_order_line where "order" = $1', [order])
    const placed = await recordEvents(() => member.post(`/api/order/po/${order}/issue/`))
    assert.deepEqual(placed, [
      `saved purchase_order ${order} ${byMember}`,
      `purchaseorder.placed purchase_order ${order} ${byMember}`,
    ])
    assert.deepEqual(await recordEvents(() => member.post(`/api/order/po/${order}/issue/`)), [])
    const body = { items: [{ line_item: pk, quantity: 2, serial_numbers: '1-2' }], location }
    const received = await recordEvents(() => member.post(`/api/order/po/${order}/receive/`, body))
    const items = (await rows('select pk from stock_item where purchase_order = $1 order by pk', [order])).map((item) => item.pk)
    for (const item of items) assert.ok(received.includes(`created stock_item ${item} ${byMember}`), received.join('\n'))
    assert.ok(received.includes(`saved purchase_order_line ${pk} ${byMember}`))
    assert.ok(received.includes(`purchaseorder.completed purchase_order ${order} ${byMember}`))
    assert.equal(received.filter((one) => one.includes('stock_tracking')).length, 2)
    const cancelled = await createObject('/api/order/po/', { supplier, reference: 'PO-0002' })
    assert.deepEqual(await recordEvents(() => member.post(`/api/order/po/${cancelled}/cancel/`)), [
      `saved purchase_order ${cancelled} ${byMember}`,
      `purchaseorder.cancelled purchase_order ${cancelled} ${byMember}`,
    ])
  })

  it('POST /api/order/so/shipment/{id}/ship/ and /api/order/so/{id}/complete/', async () => {
    const order = await createObject('/api/order/so/', { customer, reference: 'SO-0001' })
    const line = await createObject('/api/order/so-line/', { order, part, quantity: 1 })
    const issued = await recordEvents(() => member.post(`/api/order/so/${order}/issue/`))
    assert.ok(issued.includes(`salesorder.issued sales_order ${order} ${byMember}`))
    const shipment = await createObject('/api/order/so/shipment/', { order, reference: 'one' })
    const item = await createObject('/api/stock/', { part, quantity: 1, location })
    await member.patch(`/api/stock/${item}/`, { serial: '77' })
    const allocated = await recordEvents(() =>
      member.post(`/api/order/so/${order}/allocate/`, { shipment, items: [{ line_item: line, stock_item: item, quantity: 1 }] }),
    )
    const [allocation] = await rows('select pk from sales_order_allocation')
    // the item's allocated quantity produces no event
    assert.deepEqual(allocated, [`created sales_order_allocation ${allocation.pk} ${byMember}`])
    const shipped = await recordEvents(() => member.post(`/api/order/so/shipment/${shipment}/ship/`))
    const [shippedItem] = await rows('select pk from stock_item where sales_order = $1', [order])
    assert.ok(shipped.includes(`salesordershipment.completed sales_order_shipment ${shipment} ${byMember}`))
    assert.ok(shipped.includes(`stockitem.assignedtocustomer stock_item ${shippedItem.pk} ${byMember}`), shipped.join('\n'))
    const completed = await recordEvents(() => member.post(`/api/order/so/${order}/complete/`))
    assert.ok(completed.includes(`salesorder.completed sales_order ${order} ${byMember}`))

    const returnOrder = await createObject('/api/order/ro/', { customer, reference: 'RMA-0001' })
    const returned = await createObject('/api/order/ro-line/', { order: returnOrder, item: shippedItem.pk })
    assert.ok(
      (await recordEvents(() => member.post(`/api/order/ro/${returnOrder}/issue/`))).includes(
        `returnorder.issued return_order ${returnOrder} ${byMember}`,
      ),
    )
    const receiveEvents = await recordEvents(() =>
      member.post(`/api/order/ro/${returnOrder}/receive/`, { items: [{ item: returned }], location }),
    )
    assert.ok(receiveEvents.includes(`returnorder.received return_order ${returnOrder} ${byMember}`), receiveEvents.join('\n'))
    const closed = await recordEvents(() => member.post(`/api/order/ro/${returnOrder}/complete/`))
    assert.ok(closed.includes(`returnorder.completed return_order ${returnOrder} ${byMember}`))
  })

  it('POST /api/stock/assign/ and /api/stock/{id}/return/', async () => {
    const item = await createObject('/api/stock/', { part, quantity: 5, location })
    const assigned = await recordEvents(() => member.post('/api/stock/assign/', { items: [{ item }], customer }))
    assert.ok(assigned.includes(`stockitem.assignedtocustomer stock_item ${item} ${byMember}`), assigned.join('\n'))
    const returned = await recordEvents(() => member.post(`/api/stock/${item}/return/`, { location }))
    assert.ok(returned.includes(`stockitem.returnedfromcustomer stock_item ${item} ${byMember}`), returned.join('\n'))
  })
})
