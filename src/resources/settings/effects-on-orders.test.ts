import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { testService } from '../../testing/service.ts'
import { fillStock, locations } from '../stock/fixture.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member, superuser } = service
const building = createBuildHelpers(service)
const buying = createPurchaseHelpers(service)
const selling = createSalesHelpers(service)
await fillStock(service)

let number = 0

/** Runs a function while settings have other values, and resets them. */
async function withSettings(values: Record<string, boolean>, run: () => Promise<void>): Promise<void> {
  const change = async (key: string, value: boolean) => {
    const { status, text } = await superuser.patch(`/api/settings/global/${key}/`, { value })
    assert.equal(status, 200, text)
  }
  for (const [key, value] of Object.entries(values)) await change(key, value)
  try {
    await run()
  } finally {
    for (const [key, value] of Object.entries(values)) await change(key, !value)
  }
}

type Response = { status: number; body: unknown; text: string }

/** Asserts that a request is rejected for these fields, and that the rows of a query stay the same. */
async function assertRejected(send: () => Promise<Response>, fields: string[], query: string): Promise<void> {
  const before = await service.rows(query)
  const { status, body, text } = await send()
  assert.equal(status, 400, text)
  assert.deepEqual(Object.keys(body as object), fields)
  assert.deepEqual(await service.rows(query), before)
}

const assertCreated = (response: Response) => assert.equal(response.status, 201, response.text)

describe('a new build order', () => {
  const create = (part: number) => () => member.post('/api/build/', { reference: `BO-${++number}`, part, quantity: 1 })

  it('requires a locked part while BUILDORDER_REQUIRE_LOCKED_PART is on', async () => {
    const [locked, open] = [await building.part({ assembly: true, locked: true }), await building.part({ assembly: true })]
    assertCreated(await create(open)())
    await withSettings({ BUILDORDER_REQUIRE_LOCKED_PART: true }, async () => {
      await assertRejected(create(open), ['part'], 'select * from build_order order by pk')
      assertCreated(await create(locked)())
    })
  })

  it('requires a validated BOM while BUILDORDER_REQUIRE_VALID_BOM is on', async () => {
    const assembly = await building.part({ assembly: true })
    const line = await building.bom(assembly, await building.part())
    assertCreated(await create(assembly)())
    await withSettings({ BUILDORDER_REQUIRE_VALID_BOM: true }, async () => {
      await assertRejected(create(assembly), ['part'], 'select * from build_order order by pk')
      assert.equal((await member.put(`/api/part/${assembly}/bom-validate/`, { valid: true })).status, 200)
      assertCreated(await create(assembly)())
      await member.patch(`/api/bom/${line}/`, { quantity: 3 })
      await assertRejected(create(assembly), ['part'], 'select * from build_order order by pk')
    })
  })
})

describe('the completion of a build order', () => {
  it('requires closed child orders while BUILDORDER_REQUIRE_CLOSED_CHILDS is on', async () => {
    const assembly = await building.part({ assembly: true })
    const parent = await building.build(assembly)
    const child = await building.build(assembly, 1, { parent })
    const finish = (order: number) => building.act(order, 'finish', { accept_incomplete: true })
    await withSettings({ BUILDORDER_REQUIRE_CLOSED_CHILDS: true }, async () => {
      await assertRejected(() => finish(parent), ['non_field_errors'], 'select pk, status from build_order order by pk')
      assert.equal((await building.act(child, 'cancel')).status, 201)
      assert.equal((await finish(parent)).status, 201)
    })
    const other = await building.build(assembly)
    await building.build(assembly, 1, { parent: other })
    assert.equal((await finish(other)).status, 201)
  })
})

describe('a purchase order line', () => {
  const makeOrder = async () => {
    const supplier = await buying.supplier()
    const assembly = await building.part({ assembly: true, purchaseable: true })
    const order = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier })).body.pk as number
    return { order, supplier, assembly, part: await buying.supplierPart(supplier, { part: assembly }) }
  }
  const post = (fields: object) => member.post('/api/order/po-line/', { quantity: 2, ...fields })
  const LINES = 'select * from purchase_order_line order by pk'

  it('requires a build order for an assembly while external build orders are on and required', async () => {
    const { order, supplier, assembly, part } = await makeOrder()
    const component = await buying.supplierPart(supplier)
    const build = await building.build(assembly)
    await withSettings({ BUILDORDER_EXTERNAL_REQUIRED: true }, async () => {
      assertCreated(await post({ order, part, reference: 'while external builds are off' }))
      await withSettings({ BUILDORDER_EXTERNAL_BUILDS: true }, async () => {
        await assertRejected(() => post({ order, part, merge_items: false }), ['build_order'], LINES)
        assertCreated(await post({ order, part: component }))
        const created = await post({ order, part, build_order: build, merge_items: false })
        assertCreated(created)
        const path = `/api/order/po-line/${created.body.pk}/`
        await assertRejected(() => member.patch(path, { build_order: null }), ['build_order'], LINES)
        assert.equal((await member.patch(path, { notes: 'unchanged order' })).status, 200)
      })
    })
  })

  it('is merged by default unless PURCHASEORDER_MERGE_LINE_ITEMS is off', async () => {
    const { order, part } = await makeOrder()
    const first = (await post({ order, part })).body
    assert.equal((await post({ order, part })).body.pk, first.pk)
    await withSettings({ PURCHASEORDER_MERGE_LINE_ITEMS: false }, async () => {
      assert.notEqual((await post({ order, part })).body.pk, first.pk)
      assert.equal((await post({ order, part, merge_items: true })).body.pk, first.pk)
    })
  })

  it('is received at a price in the default currency while PURCHASEORDER_CONVERT_CURRENCY is on', async () => {
    await buying.rate('EUR', '0.8')
    const { order, supplier } = await makeOrder()
    const lines: number[] = []
    for (const currency of ['EUR', 'EUR', 'NZD', 'USD']) {
      const part = await buying.supplierPart(supplier, { pack: '3' })
      lines.push(
        (await post({ order, part, purchase_price: '10', purchase_price_currency: currency, auto_pricing: false })).body.pk,
      )
    }
    assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
    const receive = async (index: number) => {
      const items = [{ line_item: lines[index], quantity: 1 }]
      const { status, text } = await member.post(`/api/order/po/${order}/receive/`, { items, location: locations.shelf })
      assert.equal(status, 201, text)
      const [item] = await service.rows(
        'select purchase_price::text as price, purchase_price_currency as currency from stock_item order by pk desc limit 1',
      )
      return `${item.price} ${item.currency}`
    }
    assert.equal(await receive(0), '3.333333 EUR')
    await withSettings({ PURCHASEORDER_CONVERT_CURRENCY: true }, async () => {
      assert.equal(await receive(1), '4.166666 USD')
      assert.equal(await receive(2), '3.333333 NZD', 'without an exchange rate')
      assert.equal(await receive(3), '3.333333 USD')
    })
  })
})

describe('a sales order', () => {
  it('is allocated only tested stock while SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS is on', async () => {
    const lamp = await selling.part({ trackable: true })
    const [template] = await service.rows(
      `insert into part_test_template (part, test_name, key, description) values ($1, 'Light', 'light', '') returning pk`,
      [lamp],
    )
    const sale = await selling.sale(lamp, 3)
    const [untested, tested] = [await selling.stock(lamp, 1, { serial: '1' }), await selling.stock(lamp, 1, { serial: '2' })]
    assertCreated(await member.post('/api/stock/test/', { stock_item: tested, template: template.pk, result: true }))
    const allocations = 'select * from sales_order_allocation order by pk'
    await withSettings({ SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS: true }, async () => {
      await assertRejected(() => selling.allocate(sale, untested, 1), ['items'], allocations)
      const bySerial = { line_item: sale.line, quantity: 1, serial_numbers: '1', shipment: sale.shipment }
      await assertRejected(
        () => member.post(`/api/order/so/${sale.order}/allocate-serials/`, bySerial),
        ['serial_numbers'],
        allocations,
      )
      assertCreated(await selling.allocate(sale, tested, 1))
      const [{ pk }] = await service.rows('select pk from sales_order_allocation where item = $1', [tested])
      await assertRejected(() => member.patch(`/api/order/so-allocation/${pk}/`, { item: untested }), ['item'], allocations)
    })
    assertCreated(await selling.allocate(sale, untested, 1))
  })

  it('is shipped only after a check while SALESORDER_SHIPMENT_REQUIRES_CHECK is on', async () => {
    const chair = await selling.part()
    const [sale, other] = [await selling.sale(chair, 1), await selling.sale(chair, 1)]
    for (const one of [sale, other]) assertCreated(await selling.allocate(one, await selling.stock(chair, 1), 1))
    await withSettings({ SALESORDER_SHIPMENT_REQUIRES_CHECK: true }, async () => {
      const shipments = 'select * from sales_order_shipment order by pk'
      await assertRejected(() => selling.ship(sale), ['non_field_errors'], shipments)
      const checked = { checked_by: service.getPk('member') }
      assert.equal((await member.patch(`/api/order/so/shipment/${sale.shipment}/`, checked)).status, 200)
      assert.equal((await selling.ship(sale)).status, 201)
    })
    assert.equal((await selling.ship(other)).status, 201)
  })
})
