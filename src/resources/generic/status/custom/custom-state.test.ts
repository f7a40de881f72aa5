import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createBuildHelpers } from '../../../../testing/objects/building.ts'
import { createPurchaseHelpers } from '../../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../../testing/service.ts'
import { fillStock, insertItem, locations } from '../../../stock/fixture.ts'

const service = await testService()
const { member, staff } = service
const { supplier, supplierPart } = createPurchaseHelpers(service)
const { part, build } = createBuildHelpers(service)
beforeEach(() => fillStock(service))

const path = '/api/generic/status/custom/'
let number = 200
const createState = async (fields: object = {}) => {
  const key = ++number
  const values = { reference_status: 'StockStatus', key, name: `STATE_${key}`, label: `State ${key}`, logical_key: 75, ...fields }
  const response = await staff.post(path, values)
  assert.equal(response.status, 201, response.text)
  return response.body as { pk: number; key: number; name: string; label: string }
}
const createOrder = async (status = 10) => {
  const created = await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier() })
  await service.rows('update purchase_order set status = $2 where pk = $1', [created.body.pk, status])
  return created.body.pk as number
}
const createItem = async () => insertItem(service, { part: await part(), quantity: '5', location: locations.shelf })
const readItem = async (pk: number) => (await member.get(`/api/stock/${pk}/`)).body
/** The status fields of an object. */
const readStatus = ({ status, status_text, status_custom_key }: Record<string, unknown>) => [
  status,
  status_text,
  status_custom_key,
]
const readFields = ({ status, body }: { status: number; body: object }) => [status, Object.keys(body)]

describe(`POST ${path}`, () => {
  it('adds a state to a status', async () => {
    const key = ++number
    const values = { reference_status: 'StockStatus', key, name: 'IN_LAB', label: 'In the lab', logical_key: 75, color: 'info' }
    const { status, body } = await staff.post(path, values)
    assert.deepEqual([status, body], [201, { pk: body.pk, ...values, model_name: 'Stock Item' }])
    assert.deepEqual((await member.get(`${path}?search=lab&reference_status=StockStatus`)).body.results, [body])
    const table = { key, logical_key: 75, name: 'IN_LAB', label: 'In the lab', color: 'info', custom: true }
    assert.deepEqual((await member.get('/api/stock/status/')).body.values.IN_LAB, table)
    assert.deepEqual((await member.get('/api/generic/status/StockStatus/')).body.values.IN_LAB, table)
    assert.deepEqual((await member.get('/api/generic/status/')).body.StockStatus.values.IN_LAB, table)
    assert.equal((await member.get('/api/build/status/')).body.values.IN_LAB, undefined)
  })

  it('rejects invalid input', async () => {
    const taken = await createState()
    const valid = { reference_status: 'StockStatus', key: 901, name: 'OTHER', label: 'Other', logical_key: 10 }
    const cases: [object, string][] = [
      [{ ...valid, key: 10 }, 'key'],
      [{ ...valid, key: 'abc' }, 'key'],
      [{ ...valid, key: undefined }, 'key'],
      [{ ...valid, key: taken.key }, 'non_field_errors'],
      [{ ...valid, name: taken.name }, 'non_field_errors'],
      [{ ...valid, name: 'OK' }, 'name'],
      [{ ...valid, name: '' }, 'name'],
      [{ ...valid, label: null }, 'label'],
      [{ ...valid, logical_key: 11 }, 'logical_key'],
      [{ ...valid, logical_key: taken.key }, 'logical_key'],
      [{ ...valid, color: 'mauve' }, 'color'],
      [{ ...valid, reference_status: 'StockHistoryCode' }, 'reference_status'],
    ]
    for (const [body, field] of cases)
      assert.deepEqual(readFields(await staff.post(path, body)), [400, [field]], JSON.stringify(body))
    assert.equal((await staff.get(`${path}?search=OTHER`)).body.count, 0)
    assert.equal((await staff.post(path, { ...valid, reference_status: 'BuildStatus', key: taken.key })).status, 201)
  })

  it('accepts one of several concurrent states with the same key', async () => {
    const key = ++number
    const post = (name: string) => staff.post(path, { reference_status: 'StockStatus', key, name, label: name, logical_key: 10 })
    const responses = await Promise.all(['A1', 'A2', 'A3'].map(post))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400])
  })

  it('requires staff', () =>
    assertCallers(
      service,
      (client) =>
        client.post(path, {
          reference_status: 'StockStatus',
          key: 990,
          name: 'CALLERS',
          label: 'Callers',
          logical_key: 10,
        }),
      ['staff', 'superuser'],
    ))
})

describe(`PATCH and DELETE ${path}{id}/`, () => {
  it('reject what would change objects in the state', async () => {
    const { pk, key } = await createState()
    const item = await createItem()
    assert.equal((await member.patch(`/api/stock/${item}/`, { status_custom_key: key })).status, 200)
    for (const body of [{ key: 999 }, { logical_key: 10 }])
      assert.deepEqual(readFields(await staff.patch(`${path}${pk}/`, body)), [400, Object.keys(body)])
    assert.equal((await staff.delete(`${path}${pk}/`)).status, 400)
    assert.deepEqual(readStatus(await readItem(item)), [75, `State ${key}`, key])
    assert.equal((await staff.patch(`${path}${pk}/`, { label: 'Renamed' })).status, 200)
    assert.equal((await readItem(item)).status_text, 'Renamed')
    assert.equal((await member.patch(`/api/stock/${item}/`, { status: 10 })).status, 200)
    assert.equal((await staff.patch(`${path}${pk}/`, { logical_key: 10 })).status, 200)
    assert.equal((await staff.delete(`${path}${pk}/`)).status, 204)
  })

  it('never leave an object in a state that is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const { pk, key } = await createState()
      const item = await createItem()
      await Promise.all([member.patch(`/api/stock/${item}/`, { status_custom_key: key }), staff.delete(`${path}${pk}/`)])
    }
    const { body } = await member.get('/api/stock/?limit=1000')
    assert.ok(body.results.length > 0)
    assert.deepEqual(
      await service.rows(
        `select pk from stock_item item where status_custom_key is not null
           and not exists (select from custom_state where key = item.status_custom_key and logical_key = item.status)`,
      ),
      [],
    )
  })

  it('require staff', async () => {
    const { pk } = await createState()
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { label: 'Other' }), ['staff', 'superuser'])
  })
})

describe('stock in a custom state', () => {
  it('has the logical status, with the text of the state', async () => {
    const { key } = await createState()
    const item = await createItem()
    assert.deepEqual(readStatus(await readItem(item)), [10, 'OK', 10])
    for (const body of [{ status_custom_key: key }, { status: key }, { status: 75, status_custom_key: key }]) {
      assert.deepEqual(readStatus((await member.patch(`/api/stock/${item}/`, body)).body), [75, `State ${key}`, key])
      const [entry] = (await member.get(`/api/stock/track/?item=${item}&ordering=-date&limit=1`)).body.results
      assert.deepEqual([entry.deltas.status, entry.deltas.status_logical], [key, 75])
      assert.equal((await member.get(`/api/stock/?status=${key}`)).body.count, 1)
      assert.deepEqual(readStatus((await member.patch(`/api/stock/${item}/`, { status_custom_key: null, status: 10 })).body), [
        10,
        'OK',
        10,
      ])
    }
  })

  it('keeps the state when a client returns the whole object, and ends it with another status', async () => {
    const { key } = await createState()
    const item = await createItem()
    await member.patch(`/api/stock/${item}/`, { status_custom_key: key })
    const whole = await readItem(item)
    assert.deepEqual(readStatus((await member.put(`/api/stock/${item}/`, whole)).body), [75, `State ${key}`, key])
    assert.deepEqual(readStatus((await member.patch(`/api/stock/${item}/`, { status: 75, notes: 'x' })).body), [
      75,
      `State ${key}`,
      key,
    ])
    assert.deepEqual(readStatus((await member.put(`/api/stock/${item}/`, { ...whole, status: 50 })).body), [
      50,
      'Attention needed',
      50,
    ])
    await member.patch(`/api/stock/${item}/`, { status_custom_key: key })
    assert.deepEqual(readStatus((await member.patch(`/api/stock/${item}/`, { status_custom_key: 75 })).body), [
      75,
      'Quarantined',
      75,
    ])
  })

  it('rejects unknown states, and those of another status', async () => {
    const { key } = await createState()
    const { key: ofBuilds } = await createState({ reference_status: 'BuildStatus', logical_key: 20 })
    const item = await createItem()
    const cases: [object, string][] = [
      [{ status_custom_key: 998 }, 'status_custom_key'],
      [{ status_custom_key: ofBuilds }, 'status_custom_key'],
      [{ status_custom_key: key, status: 50 }, 'status_custom_key'],
      [{ status: 998 }, 'status'],
      [{ status: 'abc' }, 'status'],
    ]
    for (const [body, field] of cases)
      assert.deepEqual(readFields(await member.patch(`/api/stock/${item}/`, body)), [400, [field]], JSON.stringify(body))
    assert.deepEqual(readStatus(await readItem(item)), [10, 'OK', 10])
  })

  it('is created, split, moved, changed and restored with its state', async () => {
    const { key } = await createState({ logical_key: 50 })
    const created = await member.post('/api/stock/', { part: await part(), quantity: 8, location: locations.shelf, status: key })
    assert.deepEqual(readStatus(created.body), [50, `State ${key}`, key])
    const { pk } = created.body
    await member.post('/api/stock/transfer/', { items: [{ pk, quantity: 3 }], location: locations.box })
    const items = (await member.get(`/api/stock/?part=${created.body.part}&limit=10`)).body.results
    assert.equal(items.length, 2)
    for (const item of items) assert.deepEqual(readStatus(item), [50, `State ${key}`, key])
    const changed = await member.post('/api/stock/change_status/', { items: [pk], status: 10, undoable: true })
    assert.deepEqual(readStatus(await readItem(pk)), [10, 'OK', 10])
    assert.equal((await member.post(`/api/stock/adjustment/${changed.body.adjustment}/undo/`, {})).status, 201)
    assert.deepEqual(readStatus(await readItem(pk)), [50, `State ${key}`, key])
    assert.equal((await member.post('/api/stock/change_status/', { items: [pk], status: 55 })).status, 201)
    assert.equal((await member.post('/api/stock/change_status/', { items: [pk], status: key })).status, 201)
    assert.deepEqual(readStatus(await readItem(pk)), [50, `State ${key}`, key])
    await member.post('/api/stock/transfer/', { items: [{ pk, quantity: 5, status: 10 }], location: locations.box })
    assert.deepEqual(readStatus(await readItem(pk)), [10, 'OK', 10])
    assert.deepEqual(readFields(await member.post('/api/stock/change_status/', { items: [pk], status: 998 })), [400, ['status']])
    const entries = [{ pk, quantity: 5, status: 998 }]
    assert.deepEqual(readFields(await member.post('/api/stock/transfer/', { items: entries, location: locations.shelf })), [
      400,
      ['items'],
    ])
  })

  it('is received in it', async () => {
    const { key } = await createState()
    const company = await supplier()
    const order = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company })).body.pk
    const line = (await member.post('/api/order/po-line/', { order, part: await supplierPart(company), quantity: 4 })).body.pk
    await member.post(`/api/order/po/${order}/issue/`)
    const receive = (status: number) =>
      member.post(`/api/order/po/${order}/receive/?stock_items=true`, {
        items: [{ line_item: line, quantity: 1, status }],
        location: locations.shelf,
      })
    assert.deepEqual(readFields(await receive(998)), [400, ['items']])
    const { body } = await receive(key)
    assert.deepEqual(readStatus(await readItem(body.items[0].stock_items[0])), [75, `State ${key}`, key])
  })
})

describe('an order in a custom state', () => {
  it('accepts only states of its status, and has none after the status changes', async () => {
    const placed = await createState({ reference_status: 'PurchaseOrderStatus', logical_key: 20 })
    const pk = await createOrder()
    const patch = (key: number | null) => member.patch(`/api/order/po/${pk}/?extended=true`, { status_custom_key: key })
    assert.deepEqual(readFields(await patch(placed.key)), [400, ['status_custom_key']])
    assert.deepEqual(readFields(await patch(20)), [400, ['status_custom_key']])
    await member.post(`/api/order/po/${pk}/issue/`)
    assert.deepEqual(readStatus((await patch(placed.key)).body), [20, placed.label, placed.key])
    assert.equal((await member.get(`/api/order/po/?status=${placed.key}`)).body.count, 1)
    assert.ok((await member.get('/api/order/po/?status=20')).body.results.some((order: { pk: number }) => order.pk === pk))
    assert.equal((await member.get(`/api/order/po/?status=998`)).body.count, 0)
    assert.equal(
      (await member.patch(`/api/order/po/${pk}/?extended=true`, { description: 'x' })).body.status_custom_key,
      placed.key,
    )
    assert.equal('status_custom_key' in (await member.get(`/api/order/po/${pk}/`)).body, false)
    await member.post(`/api/order/po/${pk}/hold/`)
    assert.deepEqual(readStatus((await member.get(`/api/order/po/${pk}/?extended=true`)).body), [25, 'On Hold', null])
    await member.post(`/api/order/po/${pk}/issue/`)
    await patch(placed.key)
    assert.deepEqual(readStatus((await patch(null)).body), [20, 'Placed', null])
  })

  it('is read-only for build orders', async () => {
    const { key, label } = await createState({ reference_status: 'BuildStatus', logical_key: 20 })
    const pk = await build(await part({ assembly: true }))
    await member.post(`/api/build/${pk}/issue/`)
    assert.equal((await member.patch(`/api/build/${pk}/`, { status_custom_key: key })).body.status_custom_key, 20)
    await service.rows('update build_order set status_custom_key = $2 where pk = $1', [pk, key])
    assert.deepEqual(readStatus((await member.get(`/api/build/${pk}/`)).body), [20, label, key])
    assert.equal((await member.get(`/api/build/?status=${key}`)).body.count, 1)
    await member.post(`/api/build/${pk}/hold/`)
    assert.deepEqual(readStatus((await member.get(`/api/build/${pk}/`)).body), [25, 'On Hold', 25])
  })
})
