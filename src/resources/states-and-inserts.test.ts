import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { interleave } from '../testing/interleaved.ts'
import { createBuildHelpers } from '../testing/objects/building.ts'
import { createObjectsAs } from '../testing/objects/creates.ts'
import { createPurchaseHelpers } from '../testing/objects/purchasing.ts'
import { createSalesHelpers, type Sale } from '../testing/objects/selling.ts'
import { type TestResponse, testService } from '../testing/service.ts'
import { WRONG_SUMS_QUERY } from '../testing/storm/storm.ts'
import { waitUntil } from '../testing/until.ts'
import { fillStock, locations } from './stock/fixture.ts'

// Rows that refer to an object are inserted while its state changes: the second request arrives in the middle of the first, and runs after
// it, or before it where necessary.

const service = await testService()
const { member, superuser, rows } = service
await fillStock(service)
const buying = createPurchaseHelpers(service)
const sales = createSalesHelpers(service)
const builds = createBuildHelpers(service)
const createObject = createObjectsAs(member)
let number = 0

const sumsOf = (part: number) => ({ text: 'select from part_quantity where pk = $1 for no key update', values: [part] })
const rowOf = (table: string, pk: number) => ({ text: `select from ${table} where pk = $1 for update`, values: [pk] })

type Request = () => Promise<TestResponse>
/** Runs both requests, the second in the middle of the first, for which it must wait. */
async function inTheMiddle(hold: { text: string; values: unknown[] }, first: Request, second: Request): Promise<TestResponse[]> {
  const result = await interleave(service, hold, first, second)
  assert.ok(result.waited, `the second request did not wait: ${result.second.status} ${result.second.text}`)
  assert.deepEqual(await rows(WRONG_SUMS_QUERY), [])
  return [result.first, result.second]
}

/** Runs both requests like `inTheMiddle`, and returns the statuses of the responses. */
async function statuses(hold: { text: string; values: unknown[] }, first: Request, second: Request): Promise<number[]> {
  return (await inTheMiddle(hold, first, second)).map(({ status }) => status)
}

describe('a purchase order', () => {
  /** Creates a placed order for five packs of a part. */
  async function placed() {
    const supplier = await buying.supplier()
    const part = await buying.part()
    const sold = await buying.supplierPart(supplier, { part })
    const order = await createObject('/api/order/po/', { reference: `PO-${++number}`, supplier })
    const line = await createObject('/api/order/po-line/', { order, part: sold, quantity: 5 })
    const act = (action: string, body: object = {}) => member.post(`/api/order/po/${order}/${action}/`, body)
    assert.equal((await act('issue')).status, 201)
    const receive = (quantity = 1) => act('receive', { items: [{ line_item: line, quantity }], location: locations.shelf })
    const addLine = () => member.post('/api/order/po-line/', { order, part: sold, quantity: 2, merge_items: false })
    const addCharge = () => member.post('/api/order/po-extra-line/', { order, quantity: 1, price: 7 })
    return { part, sold, order, line, act, receive, addLine, addCharge, supplier }
  }
  const now = async (order: number) => (await member.get(`/api/order/po/${order}/`)).body

  it('rejects receiving once it is complete or cancelled', async () => {
    for (const [action, body] of [
      ['complete', { accept_incomplete: true }],
      ['cancel', {}],
    ] as const) {
      const { part, order, act, receive } = await placed()
      assert.deepEqual(await statuses(sumsOf(part), () => act(action, body), receive), [201, 400])
      assert.deepEqual(await rows('select pk from stock_item where purchase_order = $1', [order]), [])
    }
  })

  it('is completed or cancelled after a concurrent receipt', async () => {
    const { part, order, act, receive } = await placed()
    assert.deepEqual(await statuses(sumsOf(part), receive, () => act('cancel')), [201, 201])
    assert.equal((await rows('select pk from stock_item where purchase_order = $1', [order])).length, 1)
  })

  it('counts lines and charges that are added while it is closed', async () => {
    const { part, order, act, addLine } = await placed()
    assert.deepEqual(await statuses(sumsOf(part), () => act('cancel'), addLine), [201, 201])
    assert.equal((await now(order)).line_items, 2)
    const other = await placed()
    assert.deepEqual(await statuses(sumsOf(other.part), () => other.act('cancel'), other.addCharge), [201, 201])
    assert.equal((await now(other.order)).total_price, '7.000000')
  })

  it('is not completed while a line is being added', async () => {
    await buying.setting('PURCHASEORDER_AUTO_COMPLETE', 'False')
    const { part, order, act, receive, addLine } = await placed()
    assert.equal((await receive(5)).status, 201)
    assert.deepEqual(await statuses(sumsOf(part), addLine, () => act('complete')), [201, 400])
    assert.equal((await now(order)).status, 20)
    await buying.setting('PURCHASEORDER_AUTO_COMPLETE', 'True')
  })

  it('is deleted with rows being added to it, or rejects them', async () => {
    const { order, line, addCharge } = await placed()
    const remove = () => member.delete(`/api/order/po/${order}/`)
    assert.deepEqual(await statuses(rowOf('purchase_order_line', line), remove, addCharge), [204, 400])
    const other = await placed()
    assert.deepEqual(
      await statuses(sumsOf(other.part), other.addLine, () => member.delete(`/api/order/po/${other.order}/`)),
      [201, 204],
    )
    assert.deepEqual(
      await rows('select pk from purchase_order_line where "order" = any($1::integer[])', [[order, other.order]]),
      [],
    )
  })
})

describe('a sales order', () => {
  async function open(): Promise<
    Sale & { part: number; item: number; act: (action: string, body?: object) => Promise<TestResponse> }
  > {
    const part = await sales.part()
    const sale = await sales.sale(part, 10)
    const item = await sales.stock(part, 20)
    const act = (action: string, body: object = {}) => member.post(`/api/order/so/${sale.order}/${action}/`, body)
    return { ...sale, part, item, act }
  }
  const openAllocations = (order: number) =>
    rows(
      `select allocation.pk from sales_order_allocation allocation join sales_order_line line on line.pk = allocation.line
       where line."order" = $1 and is_open`,
      [order],
    )

  it('rejects allocations once it is complete or cancelled', async () => {
    for (const [action, body] of [
      ['complete', { accept_incomplete: true }],
      ['cancel', {}],
    ] as const) {
      const sale = await open()
      // an order is not complete with an open shipment
      await sales.allocate(sale, sale.item, 1)
      if (action === 'complete') await sales.ship(sale)
      const allocate = () => sales.allocate(sale, sale.item, 1)
      const [first, second] = await inTheMiddle(sumsOf(sale.part), () => sale.act(action, body), allocate)
      assert.deepEqual([first?.status, second?.status], [201, 400], second?.text)
      assert.deepEqual(await openAllocations(sale.order), [])
    }
  })

  it('releases a concurrent allocation when it is cancelled or deleted', async () => {
    const sale = await open()
    assert.deepEqual(
      await statuses(
        sumsOf(sale.part),
        () => sales.allocate(sale, sale.item, 3),
        () => sale.act('cancel'),
      ),
      [201, 201],
    )
    const other = await open()
    const remove = () => member.delete(`/api/order/so/${other.order}/`)
    assert.deepEqual(await statuses(sumsOf(other.part), () => sales.allocate(other, other.item, 3), remove), [201, 204])
    const [remaining] = await rows(
      'select sum(allocated_to_sales_orders)::float as sum from stock_item where pk = any($1::integer[])',
      [[sale.item, other.item]],
    )
    assert.equal(remaining.sum, 0)
  })

  it('is not completed while a line or a shipment is being added', async () => {
    const sale = await open()
    assert.equal((await sales.allocate(sale, sale.item, 10)).status, 201)
    assert.equal((await sales.ship(sale)).status, 201)
    const addLine = () => member.post('/api/order/so-line/', { order: sale.order, part: sale.part, quantity: 1 })
    assert.deepEqual(await statuses(sumsOf(sale.part), addLine, () => sale.act('complete')), [201, 400])
    // another connection inserts the reference of the shipment, and rolls back
    const text = `insert into sales_order_shipment ("order", reference) values ($1, 'Box 2')`
    const statement = { text, values: [sale.order] }
    const addShipment = () => member.post('/api/order/so/shipment/', { order: sale.order, reference: 'Box 2' })
    const complete = () => sale.act('complete', { accept_incomplete: true })
    assert.deepEqual(await statuses(statement, addShipment, complete), [201, 400])
  })

  it('ships before it is cancelled, or not at all', async () => {
    const sale = await open()
    await sales.allocate(sale, sale.item, 3)
    assert.deepEqual(
      await statuses(
        sumsOf(sale.part),
        () => sales.ship(sale),
        () => sale.act('cancel'),
      ),
      [201, 201],
    )
    const other = await open()
    await sales.allocate(other, other.item, 3)
    assert.deepEqual(
      await statuses(
        sumsOf(other.part),
        () => other.act('cancel'),
        () => sales.ship(other),
      ),
      [201, 400],
    )
    await sales.assertSums()
  })

  it('rejects additions once it is being deleted', async () => {
    const sale = await open()
    const remove = () => member.delete(`/api/order/so/${sale.order}/`)
    const addLine = () => member.post('/api/order/so-line/', { order: sale.order, part: sale.part, quantity: 1 })
    assert.deepEqual(await statuses(sumsOf(sale.part), remove, addLine), [204, 400])
  })
})

/** An item with a serial number, at a customer. */
const sold = async (): Promise<number> =>
  sales.stock(await sales.part({ trackable: true }), 1, {
    serial: String(++number),
    location: null,
    customer: await sales.customer(),
  })

describe('a return order', () => {
  /** Creates an order in progress with a line for an item. */
  async function coming() {
    const order = await createObject('/api/order/ro/', { reference: `RMA-${++number}`, customer: await sales.customer() })
    const item = await sold()
    const line = await createObject('/api/order/ro-line/', { order, item })
    await member.post(`/api/order/ro/${order}/issue/`)
    const receive = () => member.post(`/api/order/ro/${order}/receive/`, { items: [{ item: line }], location: locations.shelf })
    return { order, item, line, receive }
  }

  it('is completed or cancelled after a concurrent receipt', async () => {
    for (const action of ['complete', 'cancel']) {
      const { order, item, receive } = await coming()
      const [{ part }] = await rows('select part from stock_item where pk = $1', [item])
      assert.deepEqual(await statuses(sumsOf(part), receive, () => member.post(`/api/order/ro/${order}/${action}/`)), [201, 201])
    }
  })

  it('rejects lines once it is being deleted', async () => {
    const { order, line } = await coming()
    const item = await sold()
    const remove = () => member.delete(`/api/order/ro/${order}/`)
    const add = () => member.post('/api/order/ro-line/', { order, item })
    assert.deepEqual(await statuses(rowOf('return_order_line', line), remove, add), [204, 400])
  })
})

describe('a build order', () => {
  async function startBuild() {
    const [assembly, component] = [await builds.part({ assembly: true }), await builds.part()]
    await builds.bom(assembly, component, 2)
    const build = await builds.build(assembly, 3)
    const [line] = await builds.linesOf(build)
    const item = await builds.stock(component, 20)
    const ends = {
      finish: { accept_overallocated: 'accept', accept_unallocated: true, accept_incomplete: true },
      cancel: { remove_incomplete_outputs: true },
    }
    const end = (ending: 'finish' | 'cancel') => builds.act(build, ending, ends[ending])
    return { assembly, component, build, line: line.pk as number, item, end }
  }

  it('rejects allocations and outputs once it is complete or cancelled', async () => {
    for (const ending of ['finish', 'cancel'] as const) {
      const inserts: ((of: Awaited<ReturnType<typeof startBuild>>) => Promise<TestResponse>)[] = [
        ({ build, line, item }) => builds.allocate(build, line, item, 2),
        ({ build }) => builds.act(build, 'auto-allocate', { interchangeable: true }),
        ({ line, item }) =>
          member.post('/api/build/item/', { build_line: line, stock_item: item, quantity: 1, install_into: null }),
        ({ build }) => builds.act(build, 'create-output', { quantity: 1 }),
      ]
      for (const insert of inserts) {
        const of = await startBuild()
        const [ended, inserted] = await inTheMiddle(
          sumsOf(of.component),
          () => of.end(ending),
          () => insert(of),
        )
        assert.deepEqual([ended?.status, inserted?.status], [201, 400], inserted?.text)
        assert.deepEqual(await rows('select pk from build_allocation where build_line = $1', [of.line]), [])
        assert.deepEqual(await rows('select pk from stock_item where build = $1', [of.build]), [])
      }
    }
  })

  it('consumes or releases a concurrent allocation', async () => {
    for (const ending of ['finish', 'cancel'] as const) {
      const of = await startBuild()
      const allocate = () => builds.allocate(of.build, of.line, of.item, 2)
      assert.deepEqual(await statuses(sumsOf(of.component), allocate, () => of.end(ending)), [201, 201])
      assert.deepEqual(await rows('select pk from build_allocation where build_line = $1', [of.line]), [])
      const used = await rows('select pk from stock_item where consumed_by = $1', [of.build])
      assert.equal(used.length, ending === 'finish' ? 1 : 0)
    }
  })

  it('is not completed while an output is being created', async () => {
    const of = await startBuild()
    const create = () => builds.act(of.build, 'create-output', { quantity: 1 })
    assert.deepEqual(await statuses(sumsOf(of.assembly), create, () => of.end('finish')), [201, 400])
    const other = await startBuild()
    const body = { part: other.assembly, quantity: 1, build: other.build, is_building: true }
    const [stock, finish] = await inTheMiddle(
      sumsOf(other.assembly),
      () => member.post('/api/stock/', body),
      () => other.end('finish'),
    )
    assert.deepEqual([stock?.status, finish?.status], [201, 400], finish?.text)
  })

  it('rejects child build orders once it is being deleted', async () => {
    const of = await startBuild()
    await of.end('cancel')
    const remove = () => superuser.delete(`/api/build/${of.build}/`)
    const add = () =>
      member.post('/api/build/', { reference: `BO-${++number}`, part: of.assembly, quantity: 1, parent: of.build })
    assert.deepEqual(await statuses(rowOf('build_line', of.line), remove, add), [204, 400])
  })
})

describe('a stock item', () => {
  it('cannot be allocated, installed or moved once it is merged into another', async () => {
    const inserts: ((of: Sale, item: number, host: number) => Promise<TestResponse>)[] = [
      (of, item) => sales.allocate(of, item, 1),
      (_, item, host) => member.post(`/api/stock/${host}/install/`, { stock_item: item, quantity: 1 }),
      (_, item) => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location: locations.box }),
      (_, item, host) => member.patch(`/api/stock/${host}/`, { belongs_to: item }),
    ]
    await superuser.patch('/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: false })
    for (const insert of inserts) {
      const part = await sales.part()
      const sale = await sales.sale(part)
      const [stays, goes, host] = [
        await sales.stock(part, 5),
        await sales.stock(part, 5),
        await sales.stock(await sales.part(), 1),
      ]
      const merge = () =>
        member.post('/api/stock/merge/', { items: [{ item: stays }, { item: goes }], location: locations.shelf })
      const [merged, inserted] = await inTheMiddle(sumsOf(part), merge, () => insert(sale, goes, host))
      assert.deepEqual([merged?.status, inserted?.status], [201, 400], inserted?.text)
    }
  })

  it('takes over a concurrent allocation of an item that is merged into it', async () => {
    const part = await sales.part()
    const sale = await sales.sale(part)
    const [stays, goes] = [await sales.stock(part, 5), await sales.stock(part, 5)]
    const merge = () => member.post('/api/stock/merge/', { items: [{ item: stays }, { item: goes }], location: locations.shelf })
    assert.deepEqual(await statuses(sumsOf(part), () => sales.allocate(sale, goes, 2), merge), [201, 201])
    const remaining = await rows('select item, quantity::float from sales_order_allocation where line = $1', [sale.line])
    assert.deepEqual(remaining, [{ item: stays, quantity: 2 }])
  })

  it('cannot be allocated, returned or tested once it is being deleted', async () => {
    const part = await sales.part({ trackable: true })
    const sale = await sales.sale(part)
    const order = await createObject('/api/order/ro/', { reference: `RMA-${++number}`, customer: await sales.customer() })
    const inserts: ((item: number) => Promise<TestResponse>)[] = [
      (item) => sales.allocate(sale, item, 1),
      (item) => member.post('/api/order/ro-line/', { order, item }),
      (item) => member.post('/api/stock/test/', { stock_item: item, test: 'Shines', result: true }),
    ]
    for (const insert of inserts) {
      const item = await sales.stock(part, 1, { serial: String(++number) })
      const [removed, inserted] = await inTheMiddle(
        sumsOf(part),
        () => member.delete(`/api/stock/${item}/`),
        () => insert(item),
      )
      assert.deepEqual([removed?.status, inserted?.status], [204, 400], inserted?.text)
    }
  })
})

describe('a location', () => {
  it('does not become structural while stock is added to it', async () => {
    for (const ending of ['create', 'receive'] as const) {
      const [part, location, supplier] = [await sales.part(), await buying.location(), await buying.supplier()]
      const order = await createObject('/api/order/po/', { reference: `PO-${++number}`, supplier })
      const line = await createObject('/api/order/po-line/', {
        order,
        part: await buying.supplierPart(supplier, { part }),
        quantity: 5,
      })
      await member.post(`/api/order/po/${order}/issue/`)
      const comes = {
        create: () => member.post('/api/stock/', { part, quantity: 1, location }),
        receive: () => member.post(`/api/order/po/${order}/receive/`, { items: [{ line_item: line, quantity: 1 }], location }),
      }
      const change = () => member.patch(`/api/stock/location/${location}/`, { structural: true })
      assert.deepEqual(await statuses(sumsOf(part), comes[ending], change), [201, 400])
    }
  })

  it('becomes structural or accepts a concurrent transfer, not both', async () => {
    const [part, location] = [await sales.part(), await buying.location()]
    const item = await sales.stock(part, 5)
    const transfer = () => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location })
    const change = () => member.patch(`/api/stock/location/${location}/`, { structural: true })
    const [moved, changed] = await statuses(rowOf('stock_location', location), transfer, change)
    assert.ok([`201 400`, `400 200`].includes(`${moved} ${changed}`), `${moved} ${changed}`)
  })

  it('rejects stock once it is being deleted', async () => {
    const [location, part] = [await buying.location(), await sales.part()]
    const [inside, item] = [await sales.stock(part, 1, { location }), await sales.stock(part, 1)]
    const transfer = () => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location })
    const remove = () => member.delete(`/api/stock/location/${location}/`)
    assert.deepEqual(await statuses(rowOf('stock_item', inside), remove, transfer), [204, 400])
  })
})

describe('a category', () => {
  const category = (fields: object = {}) => createObject('/api/part/category/', { name: `Category ${++number}`, ...fields })
  const structural = (pk: number) => member.patch(`/api/part/category/${pk}/`, { structural: true })

  it('does not become structural while a part is added to it', async () => {
    const pk = await category()
    const name = `Widget ${++number}`
    const statement = { text: 'insert into part (name) values ($1)', values: [name] }
    const create = () => member.post('/api/part/', { name, description: 'of tests', category: pk })
    assert.deepEqual(await statuses(statement, create, () => structural(pk)), [201, 400])
  })

  it('does not become structural while parts of a deleted child category move to it', async () => {
    const above = await category()
    const below = await category({ parent: above })
    await createObject('/api/part/', { name: `Widget ${++number}`, description: 'of tests', category: below })
    await rows('insert into part_category_star (category, "user") values ($1, $2)', [below, service.getPk('member')])
    const [star] = await rows('select pk from part_category_star where category = $1', [below])
    const remove = () => member.delete(`/api/part/category/${below}/`)
    assert.deepEqual(await statuses(rowOf('part_category_star', star.pk), remove, () => structural(above)), [204, 400])
  })
})

describe('a part, or a company, that is being deleted', () => {
  it('rejects stock, supplier parts, variants and order lines of the part', async () => {
    const inserts: ((of: { part: number; company: number; sold: number; order: number }) => Promise<TestResponse>)[] = [
      ({ part }) => member.post('/api/stock/', { part, quantity: 1, location: locations.shelf }),
      ({ part, company }) => member.post('/api/company/part/', { part, supplier: company, SKU: `S ${++number}` }),
      ({ part }) => member.post('/api/part/', { name: `V ${++number}`, description: 'd', category: 1, variant_of: part }),
      ({ order, sold }) => member.post('/api/order/po-line/', { order, part: sold, quantity: 1 }),
    ]
    for (const insert of inserts) {
      const part = await buying.part()
      const company = await buying.supplier()
      const sold = await buying.supplierPart(company, { part })
      const order = await createObject('/api/order/po/', { reference: `PO-${++number}`, supplier: company })
      await rows('update part set active = false, is_template = true, purchaseable = true where pk = $1', [part])
      const remove = () => member.delete(`/api/part/${part}/`)
      const [removed, inserted] = await inTheMiddle(sumsOf(part), remove, () => insert({ part, company, sold, order }))
      assert.deepEqual([removed?.status, inserted?.status], [204, 400], inserted?.text)
    }
  })

  it('rejects addresses, contacts and orders of the company', async () => {
    const inserts: ((company: number) => Promise<TestResponse>)[] = [
      (company) => member.post('/api/company/address/', { company, title: 'Office' }),
      (company) => member.post('/api/company/contact/', { company, name: 'Desk' }),
      (company) => member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company }),
      (company) => member.post('/api/order/so/', { reference: `SO-9${++number}`, customer: company }),
    ]
    for (const insert of inserts) {
      const company = await buying.supplier()
      await rows('update company set is_customer = true where pk = $1', [company])
      const contact = await createObject('/api/company/contact/', { company, name: 'First' })
      const remove = () => member.delete(`/api/company/${company}/`)
      const [removed, inserted] = await inTheMiddle(rowOf('contact', contact), remove, () => insert(company))
      assert.deepEqual([removed?.status, inserted?.status], [204, 400], inserted?.text)
    }
  })
})

describe('an update of an object', () => {
  it('does not wait for a transaction that inserts a row referring to it', async () => {
    const category = await createObject('/api/part/category/', { name: 'Referred to' })
    const writer = await service.pool.connect()
    try {
      await writer.query('begin')
      await writer.query(`insert into part (name, category) values ('Refers', ${category})`)
      const change = member.patch(`/api/part/category/${category}/`, { default_keywords: 'changed' })
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const waits = waitUntil(async () => (await rows(waiting)).length > 0, 'nothing waits').then(
        () => 'waits',
        () => 'waits for nothing',
      )
      const first = await Promise.race([change.then(({ status }) => status), waits])
      await writer.query('rollback')
      assert.equal((await change).status, 200)
      assert.equal(first, 200)
    } finally {
      writer.release()
    }
  })
})
