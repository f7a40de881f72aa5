import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { interleave } from '../testing/interleaved.ts'
import { createBuildHelpers } from '../testing/objects/building.ts'
import { createObjectsAs } from '../testing/objects/creates.ts'
import { createPurchaseHelpers } from '../testing/objects/purchasing.ts'
import { createSalesHelpers, type Sale } from '../testing/objects/selling.ts'
import { createTransferHelpers } from '../testing/objects/transferring.ts'
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
const transfers = createTransferHelpers(service)
const createObject = createObjectsAs(member)
let number = 0

const createSumsLock = (part: number) => ({ text: 'select from part_quantity where pk = $1 for no key update', values: [part] })
const createRowLock = (table: string, pk: number) => ({ text: `select from ${table} where pk = $1 for update`, values: [pk] })

type SendRequest = () => Promise<TestResponse>
/** Runs both requests, the second in the middle of the first, for which it must wait. */
async function runInterleaved(
  lock: { text: string; values: unknown[] },
  first: SendRequest,
  second: SendRequest,
): Promise<TestResponse[]> {
  const result = await interleave(service, lock, first, second)
  assert.ok(result.waited, `the second request did not wait: ${result.second.status} ${result.second.text}`)
  assert.deepEqual(await rows(WRONG_SUMS_QUERY), [])
  return [result.first, result.second]
}

/** Runs both requests like `runInterleaved`, and returns the statuses of the responses. */
async function runForStatuses(
  lock: { text: string; values: unknown[] },
  first: SendRequest,
  second: SendRequest,
): Promise<number[]> {
  return (await runInterleaved(lock, first, second)).map(({ status }) => status)
}

describe('a transfer order', () => {
  it('rejects allocations and lines once it is complete, and allocations once it is cancelled', async () => {
    for (const [action, isLine, expected] of [
      ['complete', false, [201, 400]],
      ['complete', true, [201, 400]],
      ['cancel', false, [201, 400]],
    ] as const) {
      const part = await transfers.part()
      const item = await transfers.stock(part, 10)
      const target = await transfers.transfer(part, 2)
      assert.equal((await transfers.allocate(target, item, 2)).status, 201)
      const statuses = await runForStatuses(
        createSumsLock(part),
        () => transfers.act(target.order, action),
        () =>
          isLine
            ? member.post('/api/order/transfer-order-line/', { order: target.order, part, quantity: 1 })
            : transfers.allocate(target, item, 1, { allow_over_allocation: true }),
      )
      assert.deepEqual(statuses, expected, `${action}, ${isLine ? 'a line' : 'an allocation'}`)
    }
  })

  it('moves what a concurrent request allocated before', async () => {
    const part = await transfers.part()
    const item = await transfers.stock(part, 10)
    const target = await transfers.transfer(part, 2)
    const statuses = await runForStatuses(
      createSumsLock(part),
      () => transfers.allocate(target, item, 2),
      () => transfers.complete(target),
    )
    assert.deepEqual(statuses, [201, 201])
    assert.equal((await member.get(`/api/order/transfer-order-line/${target.line}/`)).body.transferred, 2)
  })
})

describe('a purchase order', () => {
  /** Creates a placed order for five packs of a part. */
  async function createPlacedOrder() {
    const supplier = await buying.supplier()
    const part = await buying.part()
    const supplierPart = await buying.supplierPart(supplier, { part })
    const order = await createObject('/api/order/po/', { reference: `PO-${++number}`, supplier })
    const line = await createObject('/api/order/po-line/', { order, part: supplierPart, quantity: 5 })
    const act = (action: string, body: object = {}) => member.post(`/api/order/po/${order}/${action}/`, body)
    assert.equal((await act('issue')).status, 201)
    const receive = (quantity = 1) => act('receive', { items: [{ line_item: line, quantity }], location: locations.shelf })
    const addLine = () => member.post('/api/order/po-line/', { order, part: supplierPart, quantity: 2, merge_items: false })
    const addCharge = () => member.post('/api/order/po-extra-line/', { order, quantity: 1, price: 7 })
    return { part, supplierPart, order, line, act, receive, addLine, addCharge, supplier }
  }
  const readOrder = async (order: number) => (await member.get(`/api/order/po/${order}/`)).body

  it('rejects receiving once it is complete or cancelled', async () => {
    for (const [action, body] of [
      ['complete', { accept_incomplete: true }],
      ['cancel', {}],
    ] as const) {
      const { part, order, act, receive } = await createPlacedOrder()
      assert.deepEqual(await runForStatuses(createSumsLock(part), () => act(action, body), receive), [201, 400])
      assert.deepEqual(await rows('select pk from stock_item where purchase_order = $1', [order]), [])
    }
  })

  it('is completed or cancelled after a concurrent receipt', async () => {
    const { part, order, act, receive } = await createPlacedOrder()
    assert.deepEqual(await runForStatuses(createSumsLock(part), receive, () => act('cancel')), [201, 201])
    assert.equal((await rows('select pk from stock_item where purchase_order = $1', [order])).length, 1)
  })

  it('counts lines and charges that are added while it is closed', async () => {
    const { part, order, act, addLine } = await createPlacedOrder()
    assert.deepEqual(await runForStatuses(createSumsLock(part), () => act('cancel'), addLine), [201, 201])
    assert.equal((await readOrder(order)).line_items, 2)
    const other = await createPlacedOrder()
    assert.deepEqual(await runForStatuses(createSumsLock(other.part), () => other.act('cancel'), other.addCharge), [201, 201])
    assert.equal((await readOrder(other.order)).total_price, '7.000000')
  })

  it('is not completed while a line is being added', async () => {
    await buying.setting('PURCHASEORDER_AUTO_COMPLETE', 'False')
    const { part, order, act, receive, addLine } = await createPlacedOrder()
    assert.equal((await receive(5)).status, 201)
    assert.deepEqual(await runForStatuses(createSumsLock(part), addLine, () => act('complete')), [201, 400])
    assert.equal((await readOrder(order)).status, 20)
    await buying.setting('PURCHASEORDER_AUTO_COMPLETE', 'True')
  })

  it('is deleted with rows being added to it, or rejects them', async () => {
    const { order, line, addCharge } = await createPlacedOrder()
    const remove = () => member.delete(`/api/order/po/${order}/`)
    assert.deepEqual(await runForStatuses(createRowLock('purchase_order_line', line), remove, addCharge), [204, 400])
    const other = await createPlacedOrder()
    assert.deepEqual(
      await runForStatuses(createSumsLock(other.part), other.addLine, () => member.delete(`/api/order/po/${other.order}/`)),
      [201, 204],
    )
    assert.deepEqual(
      await rows('select pk from purchase_order_line where "order" = any($1::integer[])', [[order, other.order]]),
      [],
    )
  })
})

describe('a sales order', () => {
  async function createOpenOrder(): Promise<
    Sale & { part: number; item: number; act: (action: string, body?: object) => Promise<TestResponse> }
  > {
    const part = await sales.part()
    const sale = await sales.sale(part, 10)
    const item = await sales.stock(part, 20)
    const act = (action: string, body: object = {}) => member.post(`/api/order/so/${sale.order}/${action}/`, body)
    return { ...sale, part, item, act }
  }
  const readOpenAllocations = (order: number) =>
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
      const sale = await createOpenOrder()
      // an order with an open shipment cannot be completed
      await sales.allocate(sale, sale.item, 1)
      if (action === 'complete') await sales.ship(sale)
      const allocate = () => sales.allocate(sale, sale.item, 1)
      const [first, second] = await runInterleaved(createSumsLock(sale.part), () => sale.act(action, body), allocate)
      assert.deepEqual([first?.status, second?.status], [201, 400], second?.text)
      assert.deepEqual(await readOpenAllocations(sale.order), [])
    }
  })

  it('releases a concurrent allocation when it is cancelled or deleted', async () => {
    const sale = await createOpenOrder()
    assert.deepEqual(
      await runForStatuses(
        createSumsLock(sale.part),
        () => sales.allocate(sale, sale.item, 3),
        () => sale.act('cancel'),
      ),
      [201, 201],
    )
    const other = await createOpenOrder()
    const remove = () => member.delete(`/api/order/so/${other.order}/`)
    assert.deepEqual(
      await runForStatuses(createSumsLock(other.part), () => sales.allocate(other, other.item, 3), remove),
      [201, 204],
    )
    const [remaining] = await rows(
      'select sum(allocated_to_sales_orders)::float as sum from stock_item where pk = any($1::integer[])',
      [[sale.item, other.item]],
    )
    assert.equal(remaining.sum, 0)
  })

  it('is not completed while a line or a shipment is being added', async () => {
    const sale = await createOpenOrder()
    assert.equal((await sales.allocate(sale, sale.item, 10)).status, 201)
    assert.equal((await sales.ship(sale)).status, 201)
    const addLine = () => member.post('/api/order/so-line/', { order: sale.order, part: sale.part, quantity: 1 })
    assert.deepEqual(await runForStatuses(createSumsLock(sale.part), addLine, () => sale.act('complete')), [201, 400])
    // another connection inserts the reference of the shipment, and rolls back
    const text = `insert into sales_order_shipment ("order", reference) values ($1, 'Box 2')`
    const statement = { text, values: [sale.order] }
    const addShipment = () => member.post('/api/order/so/shipment/', { order: sale.order, reference: 'Box 2' })
    const complete = () => sale.act('complete', { accept_incomplete: true })
    assert.deepEqual(await runForStatuses(statement, addShipment, complete), [201, 400])
  })

  it('ships before it is cancelled, or not at all', async () => {
    const sale = await createOpenOrder()
    await sales.allocate(sale, sale.item, 3)
    assert.deepEqual(
      await runForStatuses(
        createSumsLock(sale.part),
        () => sales.ship(sale),
        () => sale.act('cancel'),
      ),
      [201, 201],
    )
    const other = await createOpenOrder()
    await sales.allocate(other, other.item, 3)
    assert.deepEqual(
      await runForStatuses(
        createSumsLock(other.part),
        () => other.act('cancel'),
        () => sales.ship(other),
      ),
      [201, 400],
    )
    await sales.assertSums()
  })

  it('rejects additions once it is being deleted', async () => {
    const sale = await createOpenOrder()
    const remove = () => member.delete(`/api/order/so/${sale.order}/`)
    const addLine = () => member.post('/api/order/so-line/', { order: sale.order, part: sale.part, quantity: 1 })
    assert.deepEqual(await runForStatuses(createSumsLock(sale.part), remove, addLine), [204, 400])
  })
})

/** An item with a serial number, at a customer. */
const createSoldItem = async (): Promise<number> =>
  sales.stock(await sales.part({ trackable: true }), 1, {
    serial: String(++number),
    location: null,
    customer: await sales.customer(),
  })

describe('a return order', () => {
  /** Creates an order in progress with a line for an item. */
  async function createReturnOrder() {
    const order = await createObject('/api/order/ro/', { reference: `RMA-${++number}`, customer: await sales.customer() })
    const item = await createSoldItem()
    const line = await createObject('/api/order/ro-line/', { order, item })
    await member.post(`/api/order/ro/${order}/issue/`)
    const receive = () => member.post(`/api/order/ro/${order}/receive/`, { items: [{ item: line }], location: locations.shelf })
    return { order, item, line, receive }
  }

  it('is completed or cancelled after a concurrent receipt', async () => {
    for (const action of ['complete', 'cancel']) {
      const { order, item, receive } = await createReturnOrder()
      const [{ part }] = await rows('select part from stock_item where pk = $1', [item])
      assert.deepEqual(
        await runForStatuses(createSumsLock(part), receive, () => member.post(`/api/order/ro/${order}/${action}/`)),
        [201, 201],
      )
    }
  })

  it('rejects lines once it is being deleted', async () => {
    const { order, line } = await createReturnOrder()
    const item = await createSoldItem()
    const remove = () => member.delete(`/api/order/ro/${order}/`)
    const add = () => member.post('/api/order/ro-line/', { order, item })
    assert.deepEqual(await runForStatuses(createRowLock('return_order_line', line), remove, add), [204, 400])
  })
})

describe('a build order', () => {
  async function startBuild() {
    const [assembly, component] = [await builds.part({ assembly: true }), await builds.part()]
    await builds.bom(assembly, component, 2)
    const build = await builds.build(assembly, 3)
    const [line] = await builds.linesOf(build)
    const item = await builds.stock(component, 20)
    const requestBodies = {
      finish: { accept_overallocated: 'accept', accept_unallocated: true, accept_incomplete: true },
      cancel: { remove_incomplete_outputs: true },
    }
    const end = (ending: 'finish' | 'cancel') => builds.act(build, ending, requestBodies[ending])
    return { assembly, component, build, line: line.pk as number, item, end }
  }

  it('rejects allocations and outputs once it is complete or cancelled', async () => {
    for (const ending of ['finish', 'cancel'] as const) {
      const inserts: ((testBuild: Awaited<ReturnType<typeof startBuild>>) => Promise<TestResponse>)[] = [
        ({ build, line, item }) => builds.allocate(build, line, item, 2),
        ({ build }) => builds.act(build, 'auto-allocate', { interchangeable: true }),
        ({ line, item }) =>
          member.post('/api/build/item/', { build_line: line, stock_item: item, quantity: 1, install_into: null }),
        ({ build }) => builds.act(build, 'create-output', { quantity: 1 }),
      ]
      for (const insert of inserts) {
        const testBuild = await startBuild()
        const [ended, inserted] = await runInterleaved(
          createSumsLock(testBuild.component),
          () => testBuild.end(ending),
          () => insert(testBuild),
        )
        assert.deepEqual([ended?.status, inserted?.status], [201, 400], inserted?.text)
        assert.deepEqual(await rows('select pk from build_allocation where build_line = $1', [testBuild.line]), [])
        assert.deepEqual(await rows('select pk from stock_item where build = $1', [testBuild.build]), [])
      }
    }
  })

  it('consumes or releases a concurrent allocation', async () => {
    for (const ending of ['finish', 'cancel'] as const) {
      const testBuild = await startBuild()
      const allocate = () => builds.allocate(testBuild.build, testBuild.line, testBuild.item, 2)
      assert.deepEqual(
        await runForStatuses(createSumsLock(testBuild.component), allocate, () => testBuild.end(ending)),
        [201, 201],
      )
      assert.deepEqual(await rows('select pk from build_allocation where build_line = $1', [testBuild.line]), [])
      const consumedItems = await rows('select pk from stock_item where consumed_by = $1', [testBuild.build])
      assert.equal(consumedItems.length, ending === 'finish' ? 1 : 0)
    }
  })

  it('is not completed while an output is being created', async () => {
    const testBuild = await startBuild()
    const create = () => builds.act(testBuild.build, 'create-output', { quantity: 1 })
    assert.deepEqual(await runForStatuses(createSumsLock(testBuild.assembly), create, () => testBuild.end('finish')), [201, 400])
    const other = await startBuild()
    const body = { part: other.assembly, quantity: 1, build: other.build, is_building: true }
    const [stock, finish] = await runInterleaved(
      createSumsLock(other.assembly),
      () => member.post('/api/stock/', body),
      () => other.end('finish'),
    )
    assert.deepEqual([stock?.status, finish?.status], [201, 400], finish?.text)
  })

  it('rejects child build orders once it is being deleted', async () => {
    const testBuild = await startBuild()
    await testBuild.end('cancel')
    const remove = () => superuser.delete(`/api/build/${testBuild.build}/`)
    const add = () =>
      member.post('/api/build/', { reference: `BO-${++number}`, part: testBuild.assembly, quantity: 1, parent: testBuild.build })
    assert.deepEqual(await runForStatuses(createRowLock('build_line', testBuild.line), remove, add), [204, 400])
  })
})

describe('a stock item', () => {
  it('cannot be allocated, installed or moved once it is merged into another', async () => {
    const inserts: ((sale: Sale, item: number, host: number) => Promise<TestResponse>)[] = [
      (sale, item) => sales.allocate(sale, item, 1),
      (_, item, host) => member.post(`/api/stock/${host}/install/`, { stock_item: item, quantity: 1 }),
      (_, item) => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location: locations.box }),
      (_, item, host) => member.patch(`/api/stock/${host}/`, { belongs_to: item }),
    ]
    await superuser.patch('/api/settings/global/STOCK_ENFORCE_BOM_INSTALLATION/', { value: false })
    for (const insert of inserts) {
      const part = await sales.part()
      const sale = await sales.sale(part)
      const [targetItem, mergedItem, host] = [
        await sales.stock(part, 5),
        await sales.stock(part, 5),
        await sales.stock(await sales.part(), 1),
      ]
      const merge = () =>
        member.post('/api/stock/merge/', { items: [{ item: targetItem }, { item: mergedItem }], location: locations.shelf })
      const [merged, inserted] = await runInterleaved(createSumsLock(part), merge, () => insert(sale, mergedItem, host))
      assert.deepEqual([merged?.status, inserted?.status], [201, 400], inserted?.text)
    }
  })

  it('takes over a concurrent allocation of an item that is merged into it', async () => {
    const part = await sales.part()
    const sale = await sales.sale(part)
    const [targetItem, mergedItem] = [await sales.stock(part, 5), await sales.stock(part, 5)]
    const merge = () =>
      member.post('/api/stock/merge/', { items: [{ item: targetItem }, { item: mergedItem }], location: locations.shelf })
    assert.deepEqual(await runForStatuses(createSumsLock(part), () => sales.allocate(sale, mergedItem, 2), merge), [201, 201])
    const remaining = await rows('select item, quantity::float from sales_order_allocation where line = $1', [sale.line])
    assert.deepEqual(remaining, [{ item: targetItem, quantity: 2 }])
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
      const [removed, inserted] = await runInterleaved(
        createSumsLock(part),
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
      const additions = {
        create: () => member.post('/api/stock/', { part, quantity: 1, location }),
        receive: () => member.post(`/api/order/po/${order}/receive/`, { items: [{ line_item: line, quantity: 1 }], location }),
      }
      const change = () => member.patch(`/api/stock/location/${location}/`, { structural: true })
      assert.deepEqual(await runForStatuses(createSumsLock(part), additions[ending], change), [201, 400])
    }
  })

  it('becomes structural or accepts a concurrent transfer, not both', async () => {
    const [part, location] = [await sales.part(), await buying.location()]
    const item = await sales.stock(part, 5)
    const transfer = () => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location })
    const change = () => member.patch(`/api/stock/location/${location}/`, { structural: true })
    const [moved, changed] = await runForStatuses(createRowLock('stock_location', location), transfer, change)
    assert.ok([`201 400`, `400 200`].includes(`${moved} ${changed}`), `${moved} ${changed}`)
  })

  it('rejects stock once it is being deleted', async () => {
    const [location, part] = [await buying.location(), await sales.part()]
    const [inside, item] = [await sales.stock(part, 1, { location }), await sales.stock(part, 1)]
    const transfer = () => member.post('/api/stock/transfer/', { items: [{ pk: item, quantity: 1 }], location })
    const remove = () => member.delete(`/api/stock/location/${location}/`)
    assert.deepEqual(await runForStatuses(createRowLock('stock_item', inside), remove, transfer), [204, 400])
  })
})

describe('a category', () => {
  const createCategory = (fields: object = {}) => createObject('/api/part/category/', { name: `Category ${++number}`, ...fields })
  const makeStructural = (pk: number) => member.patch(`/api/part/category/${pk}/`, { structural: true })

  it('does not become structural while a part is added to it', async () => {
    const pk = await createCategory()
    const name = `Widget ${++number}`
    const statement = { text: 'insert into part (name) values ($1)', values: [name] }
    const create = () => member.post('/api/part/', { name, description: 'of tests', category: pk })
    assert.deepEqual(await runForStatuses(statement, create, () => makeStructural(pk)), [201, 400])
  })

  it('does not become structural while parts of a deleted child category move to it', async () => {
    const parentCategory = await createCategory()
    const childCategory = await createCategory({ parent: parentCategory })
    await createObject('/api/part/', { name: `Widget ${++number}`, description: 'of tests', category: childCategory })
    await rows('insert into part_category_star (category, "user") values ($1, $2)', [childCategory, service.getPk('member')])
    const [star] = await rows('select pk from part_category_star where category = $1', [childCategory])
    const remove = () => member.delete(`/api/part/category/${childCategory}/`)
    assert.deepEqual(
      await runForStatuses(createRowLock('part_category_star', star.pk), remove, () => makeStructural(parentCategory)),
      [204, 400],
    )
  })
})

describe('a part, or a company, that is being deleted', () => {
  it('rejects stock, supplier parts, variants and order lines of the part', async () => {
    const inserts: ((objects: {
      part: number
      company: number
      supplierPart: number
      order: number
    }) => Promise<TestResponse>)[] = [
      ({ part }) => member.post('/api/stock/', { part, quantity: 1, location: locations.shelf }),
      ({ part, company }) => member.post('/api/company/part/', { part, supplier: company, SKU: `S ${++number}` }),
      ({ part }) => member.post('/api/part/', { name: `V ${++number}`, description: 'd', category: 1, variant_of: part }),
      ({ order, supplierPart }) => member.post('/api/order/po-line/', { order, part: supplierPart, quantity: 1 }),
    ]
    for (const insert of inserts) {
      const part = await buying.part()
      const company = await buying.supplier()
      const supplierPart = await buying.supplierPart(company, { part })
      const order = await createObject('/api/order/po/', { reference: `PO-${++number}`, supplier: company })
      await rows('update part set active = false, is_template = true, purchaseable = true where pk = $1', [part])
      const remove = () => member.delete(`/api/part/${part}/`)
      const [removed, inserted] = await runInterleaved(createSumsLock(part), remove, () =>
        insert({ part, company, supplierPart, order }),
      )
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
      const [removed, inserted] = await runInterleaved(createRowLock('contact', contact), remove, () => insert(company))
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
      const lockWaitsQuery = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const waits = waitUntil(async () => (await rows(lockWaitsQuery)).length > 0, 'nothing waits').then(
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
