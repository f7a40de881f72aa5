import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { getEmptyStatement, refill } from '../../../testing/refill.ts'
import { assertCallers, type Client, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const { supplier, part, supplierPart, priceBreaks, rate } = createPurchaseHelpers(service)
const LOW = '/api/order/po/low-stock/'

beforeEach(async () => refill(service, await getEmptyStatement(service, 'part', 'company', 'purchase_order')))

const setColumns = (pk: number, columns: Record<string, unknown>) =>
  service.rows(`update part set ${Object.keys(columns).map((name, index) => `${name} = $${index + 2}`)} where pk = $1`, [
    pk,
    ...Object.values(columns),
  ])

/** Creates a part with this stock and minimum stock. */
async function createLowStockPart(minimum: string, stock = '0', more: Record<string, unknown> = {}): Promise<number> {
  const pk = await part()
  await setColumns(pk, { minimum_stock: minimum, purchaseable: true, ...more })
  if (Number(stock) > 0) await service.superuser.post('/api/stock/', { part: pk, quantity: stock })
  return pk
}

const orderLowStock = async (client: Client = member, body: object = {}) => {
  const { status, body: responseBody, text } = await client.post(LOW, body)
  assert.equal(status, 201, text)
  return responseBody
}
const countOrders = async () => (await service.rows('select count(*)::int as count from purchase_order'))[0].count

describe('POST /api/order/po/low-stock/', () => {
  it('names the part that cannot be ordered, and orders nothing', async () => {
    const [one, fine, wrong] = [await supplier(), await createLowStockPart('5'), await createLowStockPart('9999999999999')]
    await supplierPart(one, { part: fine })
    await supplierPart(one, { part: wrong, pack: '0.00001' })
    const { status, body } = await member.post(LOW, {})
    assert.deepEqual([status, Object.keys(body)], [400, ['parts']])
    assert.match(body.parts[0], new RegExp(`^Part ${wrong} \\(.*\\) cannot be ordered: Ensure that there are no more than`))
    assert.equal(await countOrders(), 0)
    assert.equal((await orderLowStock(member, { parts: [fine] })).orders.length, 1)
  })

  it('creates one pending order per supplier, in packs that cover the shortage', async () => {
    const [one, other] = [await supplier({ currency: 'EUR' }), await supplier()]
    const screws = await createLowStockPart('250', '120.5')
    const cable = await createLowStockPart('10', '9')
    const lamps = await createLowStockPart('5')
    const box = await supplierPart(one, { part: screws, pack: '100' })
    const spool = await supplierPart(one, { part: cable, pack: '2.5' })
    const lamp = await supplierPart(other, { part: lamps })
    await service.rows('update supplier_part set multiple = 4 where pk = $1', [lamp])
    await priceBreaks(box, { 1: '8', 2: '7.5' }, 'EUR')
    const { orders, without_supplier, enough } = await orderLowStock(member, { description: 'For Monday' })
    assert.deepEqual([without_supplier, enough], [[], []])
    const lines = orders.flatMap(({ lines }: any) => lines)
    assert.deepEqual(
      lines.map(({ part, supplier_part, quantity, lacks }: any) => [part, supplier_part, quantity, lacks]).sort(),
      [
        [screws, box, 2, 129.5],
        [cable, spool, 1, 1],
        [lamps, lamp, 8, 5],
      ].sort(),
    )
    assert.equal(orders.length, 2)
    for (const { pk, reference, supplier, supplier_name, lines } of orders) {
      const { body } = await viewer.get(`/api/order/po/${pk}/?supplier_detail=true`)
      assert.deepEqual(
        [body.reference, body.supplier, body.supplier_detail.name, body.status, body.line_items, body.description],
        [reference, supplier, supplier_name, 10, lines.length, 'For Monday'],
      )
      for (const line of lines) {
        const stored = (await viewer.get(`/api/order/po-line/${line.pk}/`)).body
        assert.deepEqual([stored.order, stored.part, stored.quantity], [pk, line.supplier_part, line.quantity])
      }
    }
    const priced = orders.find((order: any) => order.supplier === one)
    assert.equal((await viewer.get(`/api/order/po/${priced.pk}/`)).body.total_price, '15.000000')
  })

  it('orders nothing twice: counts quantities on order, including pending orders, and those being built', async () => {
    const company = await supplier()
    const pk = await createLowStockPart('10', '3')
    await supplierPart(company, { part: pk, pack: '5' })
    assert.equal((await orderLowStock()).orders.length, 1)
    const repeated = await orderLowStock()
    assert.deepEqual([repeated.orders, repeated.enough], [[], [pk]])
    await setColumns(pk, { minimum_stock: '20' })
    const [{ lines }] = (await orderLowStock()).orders
    assert.deepEqual([lines[0].coming, lines[0].lacks, lines[0].quantity], [10, 7, 2])
    const built = await createLowStockPart('4', '1', { assembly: true })
    await supplierPart(company, { part: built })
    await service.rows(`update part_quantity set building = 3 where pk = $1`, [built])
    assert.deepEqual((await orderLowStock(member, { parts: [built] })).enough, [built])
  })

  it('counts the variants of a template', async () => {
    const company = await supplier()
    const template = await createLowStockPart('10', '0', { is_template: true })
    await supplierPart(company, { part: template })
    const variant = await part()
    await setColumns(variant, { variant_of: template, purchaseable: true })
    await service.superuser.post('/api/stock/', { part: variant, quantity: 4 })
    const supplierPartPk = await supplierPart(company, { part: variant })
    const order = (await member.post('/api/order/po/', { reference: 'PO-0001', supplier: company })).body.pk
    await member.post('/api/order/po-line/', { order, part: supplierPartPk, quantity: 2 })
    const [{ lines }] = (await orderLowStock()).orders
    assert.deepEqual([lines[0].part, lines[0].in_stock, lines[0].coming, lines[0].quantity], [template, 4, 2, 4])
  })

  it('subtracts the quantities ordered of variants from the shortage of their templates', async () => {
    const company = await supplier()
    const template = await createLowStockPart('10', '0', { is_template: true })
    const between = await createLowStockPart('12.5', '0', { is_template: true, variant_of: template })
    const variant = await createLowStockPart('10', '0', { variant_of: between })
    const packs = await supplierPart(company, { part: variant, pack: '2.4' })
    const loose = await supplierPart(company, { part: between })
    await service.rows('update supplier_part set pack_quantity_native = 0.1 where pk = $1', [loose])
    await supplierPart(company, { part: template })
    const { orders, enough } = await orderLowStock()
    assert.deepEqual(
      orders.flatMap(({ lines }: any) => lines).map(({ part, lacks, quantity }: any) => [part, lacks, quantity]),
      [
        // five packs hold 12, and the remaining shortage of 0.5 takes five packs of 0.1
        [variant, 10, 5],
        [between, 0.5, 5],
      ],
    )
    assert.equal(orders[0].lines[0].supplier_part, packs)
    assert.deepEqual(enough, [template])
    // parts that are not ordered do not count
    await service.rows('delete from purchase_order')
    const [alone] = (await orderLowStock(member, { parts: [template] })).orders
    assert.deepEqual([alone.lines[0].part, alone.lines[0].quantity], [template, 10])
  })

  it('uses the default supplier part, otherwise the cheapest for the quantity, otherwise the first', async () => {
    const [first, second, inactiveSupplier] = [await supplier(), await supplier({ currency: 'EUR' }), await supplier()]
    await rate('EUR', '0.5')
    await service.rows('update company set active = false where pk = $1', [inactiveSupplier])
    const pk = await createLowStockPart('100')
    const expensive = await supplierPart(first, { part: pk })
    const cheap = await supplierPart(second, { part: pk, pack: '50' })
    const cheapest = await supplierPart(inactiveSupplier, { part: pk })
    const readChosenPart = async () => (await member.get(`${LOW}?part=${pk}`)).body.orders[0].lines[0].supplier_part
    assert.equal(await readChosenPart(), expensive)
    await priceBreaks(expensive, { 1: '3', 100: '2' })
    // 50 for 80 EUR: 3.20 USD each
    await priceBreaks(cheap, { 1: '80' }, 'EUR')
    await priceBreaks(cheapest, { 1: '0.01' })
    assert.equal(await readChosenPart(), expensive)
    // 50 for 49 EUR: 1.96 USD each
    await service.rows('update supplier_price_break set price = 49 where part = $1', [cheap])
    assert.equal(await readChosenPart(), cheap)
    await setColumns(pk, { default_supplier: expensive })
    assert.equal(await readChosenPart(), expensive)
    await service.rows('update supplier_part set active = false where pk = $1', [expensive])
    assert.equal(await readChosenPart(), cheap)
  })

  it('lists parts without a supplier, with the reason', async () => {
    const partWithoutSupplier = await createLowStockPart('5')
    const notPurchaseable = await createLowStockPart('5', '0', { purchaseable: false })
    const old = await createLowStockPart('5', '0', { active: false })
    const plenty = await createLowStockPart('5', '7')
    const all = await orderLowStock()
    assert.deepEqual(
      all.without_supplier.map(({ part, reason }: any) => [part, reason]).sort(),
      [
        [partWithoutSupplier, 'no_supplier'],
        [notPurchaseable, 'not_purchaseable'],
      ].sort(),
    )
    const response = await orderLowStock(member, { parts: [old, plenty, partWithoutSupplier] })
    assert.deepEqual(
      response.without_supplier.map(({ part, reason }: any) => [part, reason]).sort(),
      [
        [partWithoutSupplier, 'no_supplier'],
        [old, 'inactive'],
      ].sort(),
    )
    assert.deepEqual([response.orders, response.enough], [[], [plenty]])
    assert.equal(await countOrders(), 0)
  })

  it('orders once per idempotency key, and not twice for two concurrent requests', async () => {
    const company = await supplier()
    await supplierPart(company, { part: await createLowStockPart('10') })
    const responses = await Promise.all(
      [1, 2, 3, 4].map((index) => member.post(LOW, {}, { 'idempotency-key': `key ${index % 3}` })),
    )
    assert.deepEqual(
      responses.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.equal(await countOrders(), 1)
    assert.equal((await service.rows('select count(*)::int as count from purchase_order_line'))[0].count, 1)
  })

  it('rejects an invalid list of parts or other invalid values, and creates nothing', async () => {
    const company = await supplier()
    const pk = await createLowStockPart('10')
    await supplierPart(company, { part: pk })
    for (const [body, field] of [
      [{ parts: [pk, 99_999] }, 'parts'],
      [{ parts: ['x'] }, 'parts'],
      [{ parts: pk }, 'parts'],
      [{ parts: Array.from({ length: 201 }, () => pk) }, 'parts'],
      [{ description: 'x'.repeat(251) }, 'description'],
    ] as const) {
      const { status, body: errors } = await member.post(LOW, body)
      assert.deepEqual([status, Object.keys(errors)], [400, [field]], JSON.stringify(body).slice(0, 60))
    }
    // more packs than a line can hold
    await service.rows(`update part set minimum_stock = 9999999999 where pk = $1`, [pk])
    await service.rows('update supplier_part set pack_quantity_native = 0.00001 where part = $1', [pk])
    assert.equal((await member.post(LOW)).status, 400)
    assert.equal(await countOrders(), 0)
  })

  it('requires the permissions to add purchase orders and to view parts', async () => {
    await assertCallers(service, (client) => client.post(LOW), ['member', 'superuser'], countOrders)
    await service.rows(`update rule_set set can_view = false where name = 'part'`)
    service.app.routes.services.accounts.invalidate()
    assert.equal((await member.post(LOW)).status, 403)
    assert.equal((await viewer.get(LOW)).status, 403)
    await service.rows(`update rule_set set can_view = true where name = 'part'`)
    service.app.routes.services.accounts.invalidate()
  })
})

describe('POST /api/order/po/low-stock/ for a build order', () => {
  const create = async (path: string, body: object): Promise<number> => {
    const { status, body: responseBody, text } = await service.superuser.post(path, body)
    assert.equal(status, 201, text)
    return responseBody.pk
  }
  const createComponent = async (stock: string) => {
    const pk = await createLowStockPart('0', stock)
    await setColumns(pk, { component: true })
    return pk
  }
  /** Creates a build order for ten, with lines of these components. */
  async function createBuild(lines: (readonly [part: number, quantity: number, more?: object])[]): Promise<number> {
    const board = await part()
    await setColumns(board, { assembly: true })
    for (const [sub_part, quantity, more] of lines) await create('/api/bom/', { part: board, sub_part, quantity, ...more })
    const reference = `BO-${String(board).padStart(4, '0')}`
    return create('/api/build/', { part: board, quantity: 10, reference })
  }

  it('orders the shortage of its lines, once', async () => {
    const company = await supplier()
    const [resistor, plenty, grease, cover] = [
      await createComponent('12.5'),
      await createComponent('100'),
      await createComponent('0'),
      await createComponent('0'),
    ]
    for (const one of [resistor, plenty, grease, cover]) await supplierPart(company, { part: one, pack: '10' })
    const board = await createBuild([
      [resistor, 4],
      [plenty, 10],
      [grease, 1, { consumable: true }],
      [cover, 1, { optional: true }],
    ])
    const { orders, without_supplier, enough } = await orderLowStock(member, { build: board, description: 'Boards' })
    assert.deepEqual([without_supplier, enough], [[], []])
    assert.deepEqual(
      orders[0].lines.map(({ part, minimum_stock, in_stock, lacks, quantity }: any) => [
        part,
        minimum_stock,
        in_stock,
        lacks,
        quantity,
      ]),
      [[resistor, 40, 12.5, 27.5, 3]],
    )
    const repeated = await orderLowStock(member, { build: board })
    assert.deepEqual([repeated.orders, repeated.enough], [[], [resistor]])
  })

  it('counts stock allocated to it, substitutes and allowed variants', async () => {
    const company = await supplier()
    const [chip, other, template] = [await createComponent('30'), await createComponent('7'), await createLowStockPart('0')]
    await setColumns(template, { component: true, is_template: true })
    const variant = await createComponent('4')
    await setColumns(variant, { variant_of: template })
    for (const one of [chip, template]) await supplierPart(company, { part: one })
    const board = await createBuild([
      [chip, 5],
      [template, 1, { allow_variants: true }],
    ])
    const [line] = (await member.get(`/api/build/line/?build=${board}`)).body.results.filter(
      ({ part_detail }: any) => part_detail.pk === chip,
    )
    await create('/api/bom/substitute/', { bom_item: line.bom_item, part: other })
    const [item] = (await member.get(`/api/stock/?part=${chip}`)).body.results
    const { status, text } = await member.post(`/api/build/${board}/allocate/`, {
      items: [{ build_line: line.pk, stock_item: item.pk, quantity: 20 }],
    })
    assert.equal(status, 201, text)
    const { body } = await viewer.get(`${LOW}?build=${board}`)
    assert.deepEqual(
      body.orders[0].lines.map(({ part, minimum_stock, in_stock, lacks }: any) => [part, minimum_stock, in_stock, lacks]).sort(),
      [
        // of fifty, twenty are allocated, ten are available, and so are seven of the substitute
        [chip, 30, 17, 13],
        [template, 10, 4, 6],
      ].sort(),
    )
    assert.deepEqual(
      (await viewer.get(`${LOW}?build=${board}&part=${chip}`)).body.orders[0].lines.map(({ part }: any) => part),
      [chip],
    )
    await member.post(`/api/build/${board}/cancel/`, {})
    assert.deepEqual((await viewer.get(`${LOW}?build=${board}`)).body.orders, [])
  })

  it('does not reorder components of completed outputs', async () => {
    const company = await supplier()
    const engine = await createComponent('0')
    await setColumns(engine, { trackable: true })
    await supplierPart(company, { part: engine })
    const board = await createBuild([[engine, 2]])
    await service.rows('update build_order set completed = 9 where pk = $1', [board])
    const { body } = await viewer.get(`${LOW}?build=${board}`)
    assert.deepEqual(
      body.orders[0].lines.map(({ part, lacks }: any) => [part, lacks]),
      [[engine, 2]],
    )
  })

  it('rejects an unknown build order, and callers without the permission to view build orders', async () => {
    assert.deepEqual(Object.keys((await member.post(LOW, { build: 99_999 })).body), ['build'])
    assert.equal((await viewer.get(`${LOW}?build=x`)).status, 400)
    const board = await createBuild([])
    await service.rows(`update rule_set set can_view = false where name = 'build'`)
    service.app.routes.services.accounts.invalidate()
    assert.equal((await member.post(LOW, { build: board })).status, 403)
    assert.equal((await viewer.get(`${LOW}?build=${board}`)).status, 403)
    assert.equal((await viewer.get(LOW)).status, 200)
    await service.rows(`update rule_set set can_view = true where name = 'build'`)
    service.app.routes.services.accounts.invalidate()
  })
})

describe('GET /api/order/po/low-stock/', () => {
  it('returns the proposed orders, and orders nothing', async () => {
    const company = await supplier()
    const [one, other] = [await createLowStockPart('10'), await createLowStockPart('5')]
    await supplierPart(company, { part: one })
    await supplierPart(company, { part: other })
    const { body } = await viewer.get(LOW)
    const placeOrders = async () => (await orderLowStock()).orders
    assert.equal(await countOrders(), 0)
    assert.deepEqual(
      (await viewer.get(`${LOW}?part=${one}`)).body.orders[0].lines.map(({ part }: any) => part),
      [one],
    )
    assert.deepEqual((await viewer.get(`${LOW}?part=${one},${other},777777`)).body.orders, body.orders)
    const strip = (lines: any[]) => lines.map(({ pk: _, ...line }) => line)
    assert.deepEqual(strip((await placeOrders())[0].lines), body.orders[0].lines)
    for (const query of ['x', '1,x', '-1', '1.5']) assert.equal((await viewer.get(`${LOW}?part=${query}`)).status, 400, query)
    await assertCallers(service, (client) => client.get(LOW), ['viewer', 'member', 'superuser'])
  })
})
