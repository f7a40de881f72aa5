import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { fillStock, locations } from '../../stock/fixture.ts'

const service = await testService()
const { member } = service
const { part, order, line, shipment, sale, stock, allocate, ship, assertSums } = createSalesHelpers(service)
const { setting } = createPurchaseHelpers(service)
beforeEach(() => fillStock(service))
afterEach(() => assertSums())

const DONE = { task_id: '', exists: false, pending: false, complete: true, success: true, http_status: 200 }
const autoAllocate = (pk: number, body: object = {}) => member.post(`/api/order/so/${pk}/auto-allocate/`, body)
const readAllocations = async (pk: number): Promise<[item: number, quantity: number][]> =>
  (
    await service.rows(
      `select a.item, a.quantity::float8 as quantity from sales_order_allocation a join sales_order_line l on l.pk = a.line
     where l."order" = $1 order by a.pk`,
      [pk],
    )
  ).map(({ item, quantity }) => [item, quantity])

describe('POST /api/order/so/{id}/auto-allocate/', () => {
  it('allocates what lines are short of, and no more', async () => {
    const lamp = await part()
    const target = await sale(lamp, 10)
    const [first, second] = [await stock(lamp, 4), await stock(lamp, 20)]
    await allocate(target, first, 1)
    const response = await autoAllocate(target.order)
    assert.deepEqual([response.status, response.body], [200, DONE])
    assert.deepEqual(await readAllocations(target.order), [
      [first, 1],
      [first, 3],
      [second, 6],
    ])
    await autoAllocate(target.order)
    assert.equal((await readAllocations(target.order)).length, 3)
  })

  it('allocates all there is when that is less', async () => {
    const lamp = await part()
    const target = await sale(lamp, 10)
    const item = await stock(lamp, 4)
    await autoAllocate(target.order, { shipment: target.shipment })
    assert.deepEqual(await readAllocations(target.order), [[item, 4]])
    const [{ shipment: chosen }] = await service.rows('select shipment from sales_order_allocation')
    assert.equal(chosen, target.shipment)
    assert.equal((await ship(target)).status < 300, true)
  })

  it('leaves the shipment open without one', async () => {
    const lamp = await part()
    const target = await sale(lamp, 1)
    await stock(lamp, 4)
    await autoAllocate(target.order)
    const [allocation] = (await member.get(`/api/order/so-allocation/?order=${target.order}`)).body.results
    assert.equal(allocation.shipment, null)
    assert.equal((await member.patch(`/api/order/so-allocation/${allocation.pk}/`, { shipment: target.shipment })).status, 200)
    assert.equal((await ship(target)).status < 300, true)
  })

  for (const [stock_sort_by, expected] of [
    ['updated', [0, 1, 2]],
    ['-updated', [2, 1, 0]],
    ['quantity', [1, 2, 0]],
    ['-quantity', [0, 2, 1]],
    ['expiry_date', [2, 0, 1]],
  ] as const)
    it(`begins with: ${stock_sort_by}`, async () => {
      const lamp = await part()
      const items = [
        await stock(lamp, 9, { expiry_date: '2090-01-01', updated: '2020-01-01' }),
        await stock(lamp, 2, { updated: '2021-01-01' }),
        await stock(lamp, 5, { expiry_date: '2080-01-01', updated: '2022-01-01' }),
      ]
      const target = await sale(lamp, 16)
      await autoAllocate(target.order, { stock_sort_by })
      assert.deepEqual(
        (await readAllocations(target.order)).map(([item]) => items.indexOf(item)),
        expected,
      )
    })

  it('allocates variants, not what is damaged, expired, elsewhere or allocated to others', async () => {
    const lamp = await part({ is_template: true })
    const red = await part({ variant_of: lamp })
    await setting('STOCK_ENABLE_EXPIRY', 'True')
    const target = await sale(lamp, 100)
    await stock(lamp, 5, { status: 55 })
    await stock(lamp, 5, { expiry_date: '2020-01-01' })
    await stock(lamp, 5, { location: locations.garage })
    await stock(lamp, 5, { location: null })
    const other = await sale(red, 3)
    const [free, inBox] = [await stock(red, 5), await stock(lamp, 5, { location: locations.box })]
    await allocate(other, free, 3)
    await autoAllocate(target.order, { location: locations.house, exclude_location: locations.box })
    assert.deepEqual(await readAllocations(target.order), [[free, 2]])
    await autoAllocate(target.order, { location: locations.shelf })
    assert.deepEqual(await readAllocations(target.order), [
      [free, 2],
      [inBox, 5],
    ])
    await setting('STOCK_ENABLE_EXPIRY', 'False')
  })

  it('chooses by serial numbers, and skips lines with a choice if items are not interchangeable', async () => {
    const [lamp, screw] = [await part({ trackable: true }), await part()]
    const pk = await order()
    await line(pk, lamp, 2)
    await line(pk, screw, 2)
    const [one, two] = [await stock(lamp, 1, { serial: '1' }), await stock(lamp, 5)]
    const only = await stock(screw, 9)
    await autoAllocate(pk, { interchangeable: false })
    assert.deepEqual(await readAllocations(pk), [[only, 2]])
    await autoAllocate(pk, { serialized_stock: 'serialized' })
    assert.deepEqual(await readAllocations(pk), [
      [only, 2],
      [one, 1],
    ])
    await autoAllocate(pk, { serialized_stock: 'unserialized' })
    assert.deepEqual(await readAllocations(pk), [
      [only, 2],
      [one, 1],
      [two, 1],
    ])
  })

  it('allocates to the named lines only', async () => {
    const [lamp, screw] = [await part(), await part()]
    const pk = await order()
    const lines = [await line(pk, lamp, 2), await line(pk, screw, 2)]
    await stock(lamp, 2)
    const item = await stock(screw, 2)
    await autoAllocate(pk, { line_items: [lines[1], lines[1]] })
    assert.deepEqual(await readAllocations(pk), [[item, 2]])
  })

  it('rejects values of other orders and unknown ones, and changes nothing', async () => {
    const lamp = await part()
    const [own, other] = [await sale(lamp, 2), await sale(lamp, 1)]
    const item = await stock(lamp, 9)
    await allocate(other, item, 1)
    await ship(other)
    for (const [body, field] of [
      [{ shipment: await shipment(await order()) }, 'shipment'],
      [{ shipment: other.shipment }, 'shipment'],
      [{ shipment: 999_999 }, 'shipment'],
      [{ line_items: [own.line, other.line] }, 'line_items'],
      [{ line_items: 'all' }, 'line_items'],
      [{ stock_sort_by: 'nonsense' }, 'stock_sort_by'],
      [{ serialized_stock: null }, 'serialized_stock'],
      [{ location: 999_999 }, 'location'],
    ] as const) {
      const response = await autoAllocate(own.order, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await readAllocations(own.order), [])
  })

  it('rejects an order on hold or cancelled, an unknown one, and another version', async () => {
    const { order: pk } = await sale(await part(), 1)
    assert.equal((await member.post(`/api/order/so/${pk}/auto-allocate/`, {}, { 'if-match': '"0"' })).status, 412)
    assert.equal((await autoAllocate(999_999)).status, 404)
    await member.post(`/api/order/so/${pk}/cancel/`)
    assert.equal((await autoAllocate(pk)).status, 400)
  })

  it('never allocates more than there is by concurrent requests', async () => {
    const lamp = await part()
    const targets = [await sale(lamp, 4), await sale(lamp, 4), await sale(lamp, 4)]
    const item = await stock(lamp, 10)
    const responses = await Promise.all([...targets, ...targets].map(({ order: pk }) => autoAllocate(pk)))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
    const [{ sum }] = await service.rows('select sum(quantity)::float8 from sales_order_allocation where item = $1', [item])
    assert.equal(sum, 10)
  })

  it('requires the permission to add sales orders', async () => {
    const { order: pk } = await sale(await part(), 1)
    await assertCallers(service, (client) => client.post(`/api/order/so/${pk}/auto-allocate/`), ['member', 'superuser'])
  })
})
