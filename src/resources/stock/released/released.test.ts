import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { createBuildHelpers } from '../../../testing/objects/building.ts'
import { createSalesHelpers, type Sale } from '../../../testing/objects/selling.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'
import { deliverNotifications } from '../../notifications/deliver-notifications.ts'
import { assertHistorySums, fillStock, readHistory } from '../fixture.ts'

const service = await testService()
const existing = await testService({ WIRE_FORM: 'inventree' })
const { member, superuser } = service
const salesHelpers = createSalesHelpers(service)
const buildHelpers = createBuildHelpers(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await salesHelpers.assertSums()
  await buildHelpers.assertSums()
  await assertHistorySums(service)
})

const PROBLEM = { accept: 'application/problem+json' }
const count = (items: object[], more: object = {}, client = member) => client.post('/api/stock/count/', { items, ...more })
const readAllRows = () =>
  service.rows(
    `select (select json_agg(i order by pk) from (select * from stock_item) i) items,
       (select json_agg(a order by pk) from (select * from sales_order_allocation) a) sales,
       (select json_agg(a order by pk) from (select * from build_allocation) a) builds,
       (select count(*) from released_allocation) released, (select count(*) from stock_tracking) entries`,
  )
const readAllocations = async (item: number): Promise<[string, number, string][]> =>
  (
    await service.rows(
      `select 'sales' as kind, line, trim_scale(quantity)::text as quantity from sales_order_allocation where item = $1 and is_open
       union all select 'build', build_line, trim_scale(quantity)::text from build_allocation where stock_item = $1 and is_open
       order by 1 desc, 2`,
      [item],
    )
  ).map(({ kind, line, quantity }) => [kind, line, quantity])

type AllocatedItem = { item: number; first: Sale; second: Sale; build: number; line: number; ids: string[] }

/** Creates an item of 100, of which 30 and 20 are allocated to sales orders and then 40 to a build order. */
async function createAllocatedItem(fields: Record<string, unknown> = {}): Promise<AllocatedItem> {
  const part = await salesHelpers.part()
  await service.rows('update part set component = true where pk = $1', [part])
  const item = await salesHelpers.stock(part, 100, fields)
  const [first, second] = [await salesHelpers.sale(part, 60), await salesHelpers.sale(part, 60)]
  assert.equal((await salesHelpers.allocate(first, item, 30)).status, 201)
  assert.equal((await salesHelpers.allocate(second, item, 20)).status, 201)
  const assembly = await buildHelpers.part({ assembly: true })
  await buildHelpers.bom(assembly, part, 40)
  const build = await buildHelpers.build(assembly)
  const [line] = await buildHelpers.linesOf(build)
  assert.equal((await buildHelpers.allocate(build, line.pk, item, 40)).status, 201)
  const sales = await service.rows('select pk from sales_order_allocation where item = $1 order by pk', [item])
  const builds = await service.rows('select pk from build_allocation where stock_item = $1', [item])
  const ids = [...sales.map(({ pk }) => `sales-${pk}`), `build-${builds[0].pk}`]
  return { item, first, second, build, line: line.pk, ids }
}

describe('POST /api/stock/count/ below the allocated quantity', () => {
  it('is rejected with the allocations, newest first, and changes nothing', async () => {
    const { item, first, second, build, ids } = await createAllocatedItem()
    const before = await readAllRows()
    for (const choice of [{}, { release_allocations: false }, { release_allocations: [] }]) {
      const { status, body } = await member.post('/api/stock/count/', { items: [{ pk: item, quantity: 70, ...choice }] }, PROBLEM)
      assert.equal(status, 400)
      const [{ pointer, code, parameters }] = body.field_errors
      assert.deepEqual([pointer, code, parameters.allocated], ['/items/0/quantity', 'below_allocated', '90'])
      assert.deepEqual(
        parameters.allocations.map((one: any) => [
          one.code,
          one.parameters.quantity,
          one.parameters.order,
          one.parameters.allocation,
        ]),
        [
          ['allocated_to_build_order', '40', build, ids[2]],
          ['allocated_to_sales_order', '20', second.order, ids[1]],
          ['allocated_to_sales_order', '30', first.order, ids[0]],
        ],
      )
    }
    assert.deepEqual(await readAllRows(), before)
  })

  it('releases the newest allocations, at most the missing quantity, and reports them in the response and in both histories', async () => {
    const { item, first, second, build, line, ids } = await createAllocatedItem()
    const response = await count([{ pk: item, quantity: '45.00001', release_allocations: true }], { notes: 'yearly' })
    assert.equal(response.status, 201, response.text)
    const [entry] = response.body.items
    assert.equal('release_allocations' in entry, false)
    const orders = await service.rows('select pk, reference from sales_order')
    const reference = orders.find(({ pk }) => pk === second.order)?.reference
    const [{ reference: buildReference }] = await service.rows('select reference from build_order where pk = $1', [build])
    assert.deepEqual(
      entry.released.map(({ pk: _, ...one }: any) => one),
      [
        {
          allocation: ids[2],
          sales_order: null,
          build,
          transfer_order: null,
          reference: buildReference,
          quantity: '40',
          remaining: '0',
        },
        {
          allocation: ids[1],
          sales_order: second.order,
          build: null,
          transfer_order: null,
          reference,
          quantity: '4.99999',
          remaining: '15.00001',
        },
      ],
    )
    assert.deepEqual(await readAllocations(item), [
      ['sales', first.line, '30'],
      ['sales', second.line, '15.00001'],
    ])
    assert.deepEqual((await readHistory(service, item)).slice(-3), [
      [10, { quantity: 45.00001 }],
      [25, { released: 40, buildorder: build }],
      [25, { released: 4.99999, salesorder: second.order }],
    ])
    const readReleased = async (query: string) =>
      (await member.get(`/api/stock/released/?${query}`)).body.results.map((one: any) => [
        one.stock_item,
        one.quantity,
        one.restored,
      ])
    assert.deepEqual(await readReleased(`sales_order=${second.order}`), [[item, 4.99999, null]])
    assert.deepEqual(await readReleased(`build=${build}`), [[item, 40, null]])
    assert.deepEqual(await readReleased(`sales_order=${first.order}`), [])
    assert.equal((await buildHelpers.linesOf(build))[0].pk, line)
  })

  it('releases the listed allocations in their order, by kind and key or by key alone', async () => {
    const { item, first, second, line, ids } = await createAllocatedItem()
    const [firstId] = ids as [string]
    assert.equal((await count([{ pk: item, quantity: 80, release_allocations: [firstId] }])).status, 201)
    assert.deepEqual(await readAllocations(item), [
      ['sales', first.line, '20'],
      ['sales', second.line, '20'],
      ['build', line, '40'],
    ])
    const key = Number((ids[1] as string).split('-')[1])
    const isUnique = ids[2] !== `build-${key}`
    const secondCount = await count([{ pk: item, quantity: 55, release_allocations: [isUnique ? key : ids[1], firstId] }])
    assert.equal(secondCount.status, 201, secondCount.text)
    assert.deepEqual(await readAllocations(item), [
      ['sales', first.line, '15'],
      ['build', line, '40'],
    ])
  })

  it('is rejected when the listed allocations do not suffice or belong to another item', async () => {
    const { item, ids } = await createAllocatedItem()
    const other = await createAllocatedItem()
    const before = await readAllRows()
    const getErrorCode = async (release_allocations: unknown) => {
      const response = await member.post(
        '/api/stock/count/',
        { items: [{ pk: item, quantity: 60, release_allocations }] },
        PROBLEM,
      )
      assert.equal(response.status, 400)
      return response.body.field_errors[0].code
    }
    assert.equal(await getErrorCode([ids[1]]), 'below_allocated')
    assert.equal(await getErrorCode([other.ids[0]]), 'unknown_allocations')
    assert.equal(await getErrorCode([other.ids[2], ids[2]]), 'unknown_allocations')
    for (const odd of ['yes', 5, {}, ['sales'], ['part-1'], [1.5], [null], [[1]], [-1]])
      assert.equal(await getErrorCode(odd), 'release_choice_expected', JSON.stringify(odd))
    assert.equal(await getErrorCode(Array.from({ length: 1001 }, () => ids[0])), 'max_items')
    assert.deepEqual(await readAllRows(), before)
  })

  it('applies all entries or none, and uses the last entry of an item that is listed twice', async () => {
    const [one, other] = [await createAllocatedItem(), await createAllocatedItem()]
    const before = await readAllRows()
    const { status, body } = await count([
      { pk: one.item, quantity: 1, release_allocations: true },
      { pk: other.item, quantity: 1 },
    ])
    assert.deepEqual([status, Object.keys(body.items[0]), Object.keys(body.items[1])], [400, [], ['quantity']])
    assert.deepEqual(await readAllRows(), before)
    const twice = await count([
      { pk: one.item, quantity: 1 },
      { pk: one.item, quantity: 90 },
    ])
    assert.equal(twice.status, 201, twice.text)
    assert.equal((await readAllocations(one.item)).length, 3)
    const last = await count([
      { pk: one.item, quantity: 500 },
      { pk: one.item, quantity: 50, release_allocations: true },
    ])
    assert.deepEqual(
      last.body.items.map((entry: any) => entry.released?.map(({ quantity }: any) => quantity)),
      [undefined, ['40']],
    )
  })

  it('releases all allocations of an item that is counted as 0, and keeps their records after the item is deleted', async () => {
    const { item, first, build } = await createAllocatedItem()
    const { body } = await count([{ pk: item, quantity: 0, release_allocations: true }])
    assert.deepEqual([body.items[0].pk, body.items[0].released.length], [null, 3])
    assert.equal((await member.get(`/api/stock/${item}/`)).status, 404)
    assert.equal((await member.get(`/api/stock/released/?stock_item=${item}`)).body.count, 3)
    assert.equal((await member.delete(`/api/order/so/${first.order}/`)).status, 204)
    assert.equal((await member.get(`/api/stock/released/?stock_item=${item}`)).body.count, 2)
    assert.equal((await buildHelpers.act(build, 'cancel')).status, 201)
    assert.equal((await member.delete(`/api/build/${build}/`)).status, 204)
    assert.equal((await member.get(`/api/stock/released/?stock_item=${item}`)).body.count, 1)
  })

  it('releases nothing when enough is in stock, whatever may be released', async () => {
    const { item, ids } = await createAllocatedItem()
    const { status, body } = await count([{ pk: item, quantity: 90, release_allocations: ids }])
    assert.deepEqual([status, 'released' in body.items[0], (await readAllocations(item)).length], [201, false, 3])
  })

  it('does not relax the rules of removing, splitting and moving', async () => {
    const { item } = await createAllocatedItem()
    const before = await readAllRows()
    const entry = { pk: item, quantity: 20, release_allocations: true }
    for (const [action, more] of [
      ['remove', {}],
      ['transfer', { location: 4 }],
    ] as const)
      assert.equal((await member.post(`/api/stock/${action}/`, { items: [entry], ...more })).status, 400, action)
    assert.equal((await member.patch(`/api/stock/${item}/`, { quantity: 20 })).status, 400)
    assert.deepEqual(await readAllRows(), before)
  })

  it('can be undone together with its releases', async () => {
    for (const quantity of [75, 45, 0]) {
      const { item } = await createAllocatedItem()
      const before = await readAllocations(item)
      const { body } = await count([{ pk: item, quantity, release_allocations: true }], { undoable: true })
      assert.notDeepEqual(await readAllocations(item), before)
      const undone = await member.post(`/api/stock/adjustment/${body.adjustment}/undo/`, {})
      assert.equal(undone.status, 201, undone.text)
      assert.deepEqual(await readAllocations(item), before)
      assert.equal((await member.get(`/api/stock/${item}/`)).body.quantity, 100)
      const { results } = (await member.get(`/api/stock/released/?stock_item=${item}`)).body
      assert.ok(results.every(({ restored }: any) => restored !== null))
      await salesHelpers.assertSums()
    }
  })

  it('cannot be undone when an order is closed or has other stock, and names the order', async () => {
    const { item, second, build } = await createAllocatedItem()
    const undo = (id: string) => member.post(`/api/stock/adjustment/${id}/undo/`, {}, PROBLEM)
    const [{ part }] = await service.rows('select part from stock_item where pk = $1', [item])
    const id = (
      await count([{ pk: item, quantity: 70, release_allocations: [`sales-${await readAllocationKey(second)}`] }], {
        undoable: true,
      })
    ).body.adjustment
    assert.equal((await salesHelpers.allocate(second, await salesHelpers.stock(part, 100), 60)).status, 201)
    const before = await readAllRows()
    const response = await undo(id)
    assert.deepEqual([response.status, response.body.field_errors[0].code], [400, 'released_stock_not_restorable'])
    assert.deepEqual(await readAllRows(), before)
    const other = await createAllocatedItem()
    const adjustmentId = (await count([{ pk: other.item, quantity: 60, release_allocations: true }], { undoable: true })).body
      .adjustment
    assert.equal((await buildHelpers.act(other.build, 'cancel')).status, 201)
    assert.equal((await undo(adjustmentId)).body.field_errors[0].code, 'released_stock_not_restorable')
    assert.ok(build)
  })

  const readAllocationKey = async ({ line }: Sale) =>
    (await service.rows('select pk from sales_order_allocation where line = $1', [line]))[0].pk

  it('leaves exactly the lesser of counted and allocated quantity, with exact decimals', async () => {
    const part = await salesHelpers.part()
    const amount = fc.integer({ min: 1, max: 50_000 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(amount, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        async (amounts, share) => {
          const total = amounts.reduce((sum, quantity) => sum + quantity, 0)
          const item = await salesHelpers.stock(part, total, { quantity: (total / 1000).toFixed(3), delete_on_deplete: false })
          for (const quantity of amounts)
            assert.equal((await salesHelpers.allocate(await salesHelpers.sale(part, 1000), item, quantity / 1000)).status, 201)
          const counted = Math.floor(total * share)
          const response = await count([{ pk: item, quantity: (counted / 1000).toFixed(3), release_allocations: true }], {
            undoable: true,
          })
          assert.equal(response.status, 201, response.text)
          const readAllocatedSum = async () =>
            (
              await service.rows('select (allocated_to_sales_orders * 1000)::integer as sum from stock_item where pk = $1', [
                item,
              ])
            )[0].sum
          assert.equal(await readAllocatedSum(), Math.min(total, counted))
          const { adjustment } = response.body
          if (adjustment) assert.equal((await member.post(`/api/stock/adjustment/${adjustment}/undo/`, {})).status, 201)
          assert.equal(await readAllocatedSum(), total)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('never leaves more allocated than in stock under concurrent counts and allocations', async () => {
    const part = await salesHelpers.part()
    const item = await salesHelpers.stock(part, 50, { delete_on_deplete: false })
    const sales = await Promise.all(Array.from({ length: 12 }, () => salesHelpers.sale(part, 100)))
    for (let round = 0; round < 3; round++) {
      const responses = await Promise.all(
        sales.flatMap((sale, index) => [
          salesHelpers.allocate(sale, item, 7),
          count([{ pk: item, quantity: (index * 17) % 60, release_allocations: true }]),
        ]),
      )
      for (const { status, text } of responses) assert.ok([201, 400].includes(status), text)
      const [{ quantity, allocatedQuantity }] = await service.rows(
        'select quantity::float8 as quantity, allocated_to_sales_orders::float8 as "allocatedQuantity" from stock_item where pk = $1',
        [item],
      )
      assert.ok(allocatedQuantity <= quantity, `${allocatedQuantity} of ${quantity}`)
    }
  })

  it('notifies the responsible accounts except the one that counted', async () => {
    const readOwner = async (name: 'viewer' | 'member') =>
      (await service.rows('select pk from owner where "user" = $1', [service.getPk(name)]))[0].pk
    const { item, first, second, build } = await createAllocatedItem()
    await service.rows('delete from notice; delete from notification')
    await service.rows('update sales_order set responsible = $2 where pk = $1', [first.order, await readOwner('member')])
    await service.rows('update sales_order set responsible = $2 where pk = $1', [second.order, await readOwner('viewer')])
    await service.rows('update build_order set responsible = $2 where pk = $1', [build, await readOwner('viewer')])
    await service.rows('delete from notice')
    assert.equal((await count([{ pk: item, quantity: 10, release_allocations: true }])).status, 201)
    await deliverNotifications(service.app.routes.services)
    await waitUntil(async () => (await service.rows('select 1 from notice')).length === 0, 'a notification is not delivered')
    const notifications = await service.rows(
      `select u.username, n.category, n.message from notification n join user_account u on u.pk = n."user" where n.category like '%released' order by n.category`,
    )
    assert.deepEqual(
      notifications.map(({ username, category }) => [username, category]),
      [
        ['viewer', 'build.stock_released'],
        ['viewer', 'order.stock_released'],
      ],
    )
    assert.match(
      notifications[1].message,
      /^A count found less than was allocated to SO-\d+ - Customer \d+\. Released: 20 Article \d+\.$/,
    )
  })
})

describe('POST /api/stock/count/ by existing clients', () => {
  it('releases the newest allocations, as these clients cannot state a choice', async () => {
    await fillStock(existing)
    const sales = createSalesHelpers(existing)
    const part = await sales.part()
    const item = await sales.stock(part, 100)
    const [one, two] = [await sales.sale(part, 60), await sales.sale(part, 60)]
    await sales.allocate(one, item, 60)
    await sales.allocate(two, item, 40)
    const response = await existing.member.post('/api/stock/count/', { items: [{ pk: item, quantity: 70 }] })
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(await existing.rows('select line, quantity::float8 as quantity from sales_order_allocation order by pk'), [
      { line: one.line, quantity: 60 },
      { line: two.line, quantity: 10 },
    ])
    await sales.assertSums()
  })
})

describe('POST /api/barcode/batch/ with a count below the allocated quantity', () => {
  const scan = async (fields: object) => {
    const id = crypto.randomUUID()
    const items = [{ id, time: new Date().toISOString(), action: 'count', ...fields }]
    const { status, body } = await member.post('/api/barcode/batch/', { items })
    assert.equal(status, 200)
    return body.items[0]
  }

  it('is rejected with the allocations, succeeds with a choice, and is undone with its releases', async () => {
    const { item } = await createAllocatedItem()
    const before = await readAllocations(item)
    const barcode = JSON.stringify({ stockitem: item })
    const rejected = await scan({ barcode, quantity: 45 })
    assert.deepEqual([rejected.status, rejected.field_errors[0].code], [400, 'below_allocated'])
    const scanResult = await scan({ barcode, quantity: 45, release_allocations: true })
    assert.deepEqual([scanResult.status, scanResult.body.items[0].released.length], [201, 2])
    const undone = await member.post(`/api/barcode/history/${scanResult.history}/undo/`, {})
    assert.equal(undone.status, 201, undone.text)
    assert.deepEqual(await readAllocations(item), before)
  })
})

describe('GET /api/stock/released/', () => {
  it('requires permission to view stock, and is written by counts alone', async () => {
    const { item } = await createAllocatedItem()
    await count([{ pk: item, quantity: 1, release_allocations: true }])
    await assertCallers(service, (client) => client.get('/api/stock/released/'), ['viewer', 'member', 'superuser'], readAllRows)
    const [{ pk }] = (await member.get('/api/stock/released/')).body.results
    assert.equal((await superuser.delete(`/api/stock/released/${pk}/`)).status, 405)
    const { body } = await member.get(
      `/api/stock/released/${pk}/?part_detail=true&user_detail=true&order_detail=true&build_detail=true`,
    )
    assert.ok(body.part_detail.name && body.user_detail.username && (body.sales_order_detail ?? body.build_detail).reference)
  })
})
