import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { createSalesHelpers } from '../../../testing/objects/selling.ts'
import { createTransferHelpers } from '../../../testing/objects/transferring.ts'
import { assertCallers, type TestResponse, testService } from '../../../testing/service.ts'
import { assertHistorySums, fillStock, locations, readHistory } from '../../stock/fixture.ts'

const service = await testService()
const existing = await testService({ WIRE_FORM: 'inventree' })
const { member } = service
const { part, order, line, act, transfer, stock, allocate, complete, assertSums } = createTransferHelpers(service)
const sales = createSalesHelpers(service)
const CLIENT_COUNT = 16

beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertHistorySums(service)
})

const PATH = '/api/order/transfer-order/'
const get = async (path: string) => (await member.get(path)).body
const readItem = (pk: number) => get(`/api/stock/${pk}/`)
const readLine = (pk: number) => get(`/api/order/transfer-order-line/${pk}/`)
const listAllocations = async (pk: number) => (await get(`/api/order/transfer-order-allocation/?order=${pk}`)).results
const readAllRows = () =>
  service.rows(
    `select (select json_agg(i order by pk) from (select * from stock_item) i) items,
       (select json_agg(a order by pk) from (select * from transfer_order_allocation) a) allocations,
       (select json_agg(o order by pk) from (select * from transfer_order) o) orders, (select count(*) from stock_tracking) entries`,
  )
/** Asserts that a response rejects these fields, and that nothing changed. */
async function assertRejected(send: () => Promise<TestResponse>, fields: string[]): Promise<void> {
  const before = await readAllRows()
  const { status, body } = await send()
  assert.deepEqual([status, Object.keys(body)], [400, fields], JSON.stringify(body))
  assert.deepEqual(await readAllRows(), before)
}
const countAccepted = (responses: readonly TestResponse[]): number => {
  for (const { status, text } of responses) assert.ok([200, 201, 204, 400, 404].includes(status), `${status} ${text}`)
  return responses.filter(({ status }) => status < 300).length
}

describe(`POST ${PATH}`, () => {
  it('creates a pending order, and responds as GET does', async () => {
    const body = { reference: 'TO-0100', take_from: locations.shelf, destination: locations.garage, description: 'Kits' }
    const created = await member.post(PATH, body)
    assert.equal(created.status, 201, created.text)
    const { status, status_text, take_from, destination, consume, line_items, overdue, destination_detail } = created.body
    assert.deepEqual(
      [status, status_text, take_from, destination, consume, line_items, overdue, destination_detail.pk],
      [10, 'Pending', locations.shelf, locations.garage, false, 0, false, locations.garage],
    )
    assert.deepEqual(await get(`${PATH}${created.body.pk}/`), created.body)
    assert.equal('total_price' in created.body, false)
  })

  it('requires a reference in the pattern of the settings, which existing clients may omit', async () => {
    await assertRejected(() => member.post(PATH, { reference: 'X1' }), ['reference'])
    await assertRejected(() => member.post(PATH, {}), ['reference'])
    await member.post(PATH, { reference: 'TO-0007' })
    await assertRejected(() => member.post(PATH, { reference: 'TO-0007' }), ['reference'])
    const { status, body } = await existing.member.post(PATH, {})
    assert.deepEqual([status, body.reference], [201, 'TO-0001'])
    const dates = { reference: 'TO-0102', start_date: '2031-02-02', target_date: '2031-01-01' }
    await assertRejected(() => member.post(PATH, dates), ['start_date', 'target_date'])
  })

  it('copies the lines of another order, with nothing transferred', async () => {
    const goods = await part()
    const source = await transfer(goods, 3)
    await allocate(source, await stock(goods, 3), 3)
    await complete(source)
    const { body } = await member.post(PATH, { reference: 'TO-0201', duplicate_order: source.order, duplicate_line_items: true })
    const [copy] = (await get(`/api/order/transfer-order-line/?order=${body.pk}`)).results
    assert.deepEqual([copy.part, copy.quantity, copy.transferred, copy.allocated], [goods, 3, 0, 0])
    assert.deepEqual([body.line_items, body.completed_lines], [1, 0])
  })

  it('requires the permission to add transfer orders', async () => {
    let number = 0
    await assertCallers(
      service,
      (client) => client.post(PATH, { reference: `TO-9${++number}` }),
      ['member', 'superuser'],
      () => get(`${PATH}?limit=1000`),
    )
  })
})

describe(`GET ${PATH}`, () => {
  it('filters orders by their contents and status', async () => {
    const goods = await part()
    const { order: issued } = await transfer(goods, 1, { target_date: '2020-01-01' })
    const pending = await order()
    const listKeys = async (query: string) => (await get(`${PATH}?${query}`)).results.map(({ pk }: { pk: number }) => pk)
    assert.deepEqual(await listKeys(`part=${goods}`), [issued])
    assert.deepEqual(await listKeys('overdue=true'), [issued])
    assert.deepEqual(await listKeys('status=10'), [pending])
    assert.deepEqual(await listKeys('outstanding=true'), [pending, issued])
  })
})

describe('the status of a transfer order', () => {
  it('follows issue, hold, complete and cancel, and rejects invalid changes', async () => {
    const steps: [string, number, [string, number, number][]][] = [
      [
        'pending',
        10,
        [
          ['issue', 201, 20],
          ['hold', 201, 25],
          ['cancel', 201, 40],
          ['complete', 400, 10],
        ],
      ],
      [
        'issued',
        20,
        [
          ['issue', 400, 20],
          ['hold', 201, 25],
          ['cancel', 201, 40],
          ['complete', 201, 30],
        ],
      ],
      [
        'on hold',
        25,
        [
          ['issue', 201, 20],
          ['hold', 400, 25],
          ['cancel', 201, 40],
          ['complete', 400, 25],
        ],
      ],
      [
        'complete',
        30,
        [
          ['issue', 400, 30],
          ['hold', 400, 30],
          ['cancel', 400, 30],
          ['complete', 400, 30],
        ],
      ],
      [
        'cancelled',
        40,
        [
          ['issue', 400, 40],
          ['hold', 400, 40],
          ['cancel', 400, 40],
          ['complete', 400, 40],
        ],
      ],
    ]
    for (const [name, from, actions] of steps)
      for (const [action, status, to] of actions) {
        const pk = await order()
        await service.rows('update transfer_order set status = $2 where pk = $1', [pk, from])
        const response = await act(pk, action)
        assert.deepEqual([response.status, (await get(`${PATH}${pk}/`)).status], [status, to], `${action} of one that is ${name}`)
      }
    assert.equal((await act(999_999, 'issue')).status, 404)
  })

  it('does not change when existing clients repeat an action', async () => {
    const pk = (await existing.member.post(PATH, {})).body.pk
    for (const action of ['issue', 'issue', 'hold', 'hold'])
      assert.equal((await existing.member.post(`${PATH}${pk}/${action}/`)).status, 201, action)
  })

  it('keeps the allocations of an order on hold, and releases those of a cancelled one', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 10)
    await allocate(target, item, 4)
    assert.equal((await act(target.order, 'hold')).status, 201)
    assert.equal((await readItem(item)).allocated, 4)
    await assertRejected(() => allocate(target, item, 1), ['non_field_errors'])
    assert.equal((await act(target.order, 'cancel')).status, 201)
    assert.equal((await readItem(item)).allocated, 0)
    assert.deepEqual(await listAllocations(target.order), [])
  })
})

describe(`POST ${PATH}{id}/allocate/`, () => {
  it('allocates stock, which is then no longer available anywhere', async () => {
    const goods = await sales.part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 6)
    const { status, body } = await allocate(target, item, '4.5')
    assert.deepEqual([status, body.items], [201, [{ line_item: target.line, stock_item: item, quantity: '4.50000' }]])
    const { allocated_to_transfer_orders, unallocated_stock } = await get(`/api/part/${goods}/`)
    assert.deepEqual([allocated_to_transfer_orders, unallocated_stock], [4.5, 5.5])
    assert.equal((await readItem(item)).allocated, 4.5)
    const { allocated, available_stock, transferred } = await readLine(target.line)
    assert.deepEqual([allocated, available_stock, transferred], [4.5, 5.5, 0])
    const sale = await sales.sale(goods, 10)
    assert.equal((await get(`/api/order/so-line/${sale.line}/`)).available_stock, 5.5)
    assert.equal((await sales.allocate(sale, item, 6)).status, 400)
    for (const [action, entry] of [
      ['remove', { pk: item, quantity: 6 }],
      ['transfer', { pk: item, quantity: 6 }],
      ['count', { pk: item, quantity: 4 }],
    ] as const)
      await assertRejected(() => member.post(`/api/stock/${action}/`, { items: [entry], location: locations.box }), ['items'])
    await assertRejected(() => member.post('/api/stock/assign/', { items: [{ item }], customer: 2 }), ['items'])
    assert.equal((await member.get(`/api/part/${goods}/requirements/`)).body.allocated, 4.5)
  })

  it('rejects invalid allocations, and changes nothing', async () => {
    const [goods, other] = [await part(), await part()]
    const item = await stock(goods, 10)
    const target = await transfer(goods, 6)
    const foreign = await transfer(goods, 6)
    const entries: [object, string][] = [
      [{ stock_item: await stock(other, 5), quantity: 1 }, 'stock_item'],
      [{ stock_item: await stock(goods, 5, { status: 75 }), quantity: 1 }, 'stock_item'],
      [{ stock_item: item, quantity: 0 }, 'quantity'],
      [{ stock_item: item, quantity: 7 }, 'quantity'],
      [{ stock_item: item, quantity: 11 }, 'quantity'],
      [{ line_item: foreign.line, stock_item: item, quantity: 1 }, 'line_item'],
      [{ stock_item: 999_999, quantity: 1 }, 'stock_item'],
    ]
    for (const [entry, field] of entries) {
      const before = await readAllRows()
      const { status, body } = await act(target.order, 'allocate', { items: [{ line_item: target.line, ...entry }] })
      assert.deepEqual([status, Object.keys(body.items[0])], [400, [field]], JSON.stringify(entry))
      assert.deepEqual(await readAllRows(), before)
    }
    await assertRejected(() => act(target.order, 'allocate', { items: [] }), ['non_field_errors'])
    assert.equal((await allocate(target, item, 7, { allow_over_allocation: true })).status, 201)
  })

  it('accepts stock of variants of the part of the line', async () => {
    const template = await part({ is_template: true })
    const variant = await part({ variant_of: template })
    const target = await transfer(template, 2)
    assert.equal((await allocate(target, await stock(variant, 5), 2)).status, 201)
    const other = await transfer(variant, 2)
    assert.equal((await allocate(other, await stock(template, 5), 2)).status, 400)
  })

  it('requires an issued order', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const pending = await order()
    const target = { order: pending, line: await line(pending, goods, 5) }
    await assertRejected(() => allocate(target, item, 1), ['non_field_errors'])
  })

  it('requires the permission to add transfer orders', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 10)
    await assertCallers(
      service,
      (client) =>
        client.post(`${PATH}${target.order}/allocate/`, { items: [{ line_item: target.line, stock_item: item, quantity: 1 }] }),
      ['member', 'superuser'],
      () => listAllocations(target.order),
    )
  })
})

describe(`POST ${PATH}{id}/allocate-serials/`, () => {
  it('allocates units by their serial numbers, all or none', async () => {
    const goods = await part({ trackable: true })
    for (const serial of ['1', '2', '3']) await stock(goods, 1, { serial })
    const target = await transfer(goods, 3)
    const send = (serial_numbers: string, quantity: number) =>
      act(target.order, 'allocate-serials', { line_item: target.line, quantity, serial_numbers })
    await assertRejected(() => send('9', 1), ['serial_numbers'])
    await assertRejected(() => send('1,2', 3), ['serial_numbers'])
    assert.equal((await send('1,2', 2)).status, 201)
    await assertRejected(() => send('2,3', 2), ['serial_numbers'])
    assert.equal((await readLine(target.line)).allocated, 2)
  })
})

describe('PATCH and DELETE /api/order/transfer-order-allocation/{id}/', () => {
  it('change and release an allocation of an issued order', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 6)
    await allocate(target, item, 4)
    const [{ pk }] = await listAllocations(target.order)
    const url = `/api/order/transfer-order-allocation/${pk}/`
    assert.equal((await member.patch(url, { quantity: 6 })).body.quantity, 6)
    await assertRejected(() => member.patch(url, { quantity: 7 }), ['quantity'])
    await assertRejected(() => member.patch(url, { quantity: 0 }), ['quantity'])
    assert.equal((await member.patch(url, { quantity: 7, allow_over_allocation: true })).status, 200)
    await act(target.order, 'hold')
    await assertRejected(() => member.patch(url, { quantity: 5 }), ['non_field_errors'])
    assert.equal((await member.delete(url)).status, 204)
    assert.equal((await readItem(item)).allocated, 0)
  })
})

describe(`POST ${PATH}{id}/complete/`, () => {
  it('moves whole items, and splits parts off larger ones, each with its history', async () => {
    const goods = await part()
    const [whole, large] = [await stock(goods, 4), await stock(goods, 10)]
    const target = await transfer(goods, 7)
    await allocate(target, whole, 4)
    await allocate(target, large, 3)
    assert.equal((await complete(target)).status, 201)
    const { status, complete_date, completed_lines } = await get(`${PATH}${target.order}/`)
    assert.deepEqual([status, complete_date !== null, completed_lines], [30, true, 1])
    const allocations = await listAllocations(target.order)
    const moved = allocations[1].item
    assert.deepEqual(
      allocations.map(({ quantity, location }: any) => [quantity, location]),
      [
        [4, locations.garage],
        [3, locations.garage],
      ],
    )
    assert.deepEqual([(await readItem(large)).quantity, (await readItem(moved)).quantity], [7, 3])
    assert.deepEqual(await readHistory(service, whole), [
      [20, { location: locations.garage, quantity: 4, transferorder: target.order }],
    ])
    assert.deepEqual(
      (await readHistory(service, moved)).map(([code, deltas]) => [code, deltas.transferorder]),
      [[40, target.order]],
    )
    assert.deepEqual(
      (await readHistory(service, large)).map(([code, deltas]) => [code, deltas.transferorder]),
      [[42, target.order]],
    )
    const { allocated, transferred } = await readLine(target.line)
    assert.deepEqual([allocated, transferred], [7, 7])
    assert.equal((await readItem(whole)).allocated, 0)
  })

  it('consumes stock if the order says so, and keeps its history', async () => {
    const goods = await part()
    const [whole, large] = [await stock(goods, 4), await stock(goods, 10)]
    const target = await transfer(goods, 7, { consume: true, destination: null })
    await allocate(target, whole, 4)
    await allocate(target, large, 3)
    assert.equal((await complete(target)).status, 201)
    assert.equal((await member.get(`/api/stock/${whole}/`)).status, 404)
    assert.equal((await readItem(large)).quantity, 7)
    assert.equal((await readLine(target.line)).transferred, 7)
    const { results } = await get(`/api/stock/track/?part=${goods}&ordering=date`)
    assert.deepEqual(
      results.map(({ item, part: of, tracking_type, deltas }: any) => [item, of, tracking_type, deltas.removed, deltas.quantity]),
      [
        [null, goods, 12, 4, 0],
        [large, goods, 12, 3, 7],
      ],
    )
  })

  it('keeps consumed serialized items, with the status Destroyed', async () => {
    const goods = await part({ trackable: true })
    const unit = await stock(goods, 1, { serial: '7' })
    const target = await transfer(goods, 1, { consume: true })
    await allocate(target, unit, 1)
    assert.equal((await complete(target)).status, 201)
    const { status, location, allocated } = await readItem(unit)
    assert.deepEqual([status, location, allocated], [60, null, 0])
  })

  it('requires accept_incomplete if less is allocated than the lines require, and does not transfer the rest', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 5)
    await allocate(target, item, 3)
    await assertRejected(() => complete(target), ['accept_incomplete_allocation'])
    assert.equal((await complete(target, true)).status, 201)
    const { quantity, transferred } = await readLine(target.line)
    assert.deepEqual([quantity, transferred], [5, 3])
    assert.equal((await get(`${PATH}${target.order}/`)).completed_lines, 0)
  })

  it('rejects an order without a destination, with a structural destination, or with missing stock', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 5, { destination: null })
    await allocate(target, item, 5)
    await assertRejected(() => complete(target), ['destination'])
    await member.patch(`${PATH}${target.order}/`, { destination: locations.house })
    await assertRejected(() => complete(target), ['destination'])
    await member.patch(`${PATH}${target.order}/`, { destination: locations.garage })
    await service.rows('update stock_item set status = 75 where pk = $1', [item])
    await assertRejected(() => complete(target), ['non_field_errors'])
  })

  it('requires the permission to add transfer orders', async () => {
    const targets = await Promise.all(Array.from({ length: 8 }, async () => transfer(await part(), 0)))
    await assertCallers(service, (client) => client.post(`${PATH}${targets.pop()?.order}/complete/`, {}), ['member', 'superuser'])
  })
})

describe('a complete transfer order', () => {
  it('cannot be deleted, and its lines do not change', async () => {
    const goods = await part()
    const target = await transfer(goods, 2)
    await allocate(target, await stock(goods, 2), 2)
    await complete(target)
    const lineUrl = `/api/order/transfer-order-line/${target.line}/`
    await assertRejected(() => member.delete(`${PATH}${target.order}/`), ['non_field_errors'])
    await assertRejected(() => member.delete(lineUrl), ['non_field_errors'])
    await assertRejected(() => member.patch(lineUrl, { quantity: 3 }), ['non_field_errors'])
    await assertRejected(
      () => member.post('/api/order/transfer-order-line/', { order: target.order, part: goods, quantity: 1 }),
      ['non_field_errors'],
    )
    await assertRejected(() => member.patch(`${PATH}${target.order}/`, { consume: true }), ['consume'])
    assert.equal((await member.patch(`${PATH}${target.order}/`, { notes: 'done' })).status, 200)
    const [{ pk }] = await listAllocations(target.order)
    await assertRejected(() => member.patch(`/api/order/transfer-order-allocation/${pk}/`, { quantity: 1 }), ['item'])
  })
})

describe('DELETE of open transfer orders and lines', () => {
  it('releases their stock', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const [first, second] = [await transfer(goods, 5), await transfer(goods, 5)]
    await allocate(first, item, 2)
    await allocate(second, item, 3)
    assert.equal((await member.delete(`/api/order/transfer-order-line/${first.line}/`)).status, 204)
    assert.equal((await readItem(item)).allocated, 3)
    assert.equal((await member.delete(`${PATH}${second.order}/`)).status, 204)
    assert.equal((await readItem(item)).allocated, 0)
  })
})

describe('/api/order/transfer-order-line/', () => {
  it('requires a part, and keeps order and part of a line with allocations', async () => {
    const goods = await part()
    const target = await transfer(goods, 2)
    const path = '/api/order/transfer-order-line/'
    await assertRejected(() => member.post(path, { order: target.order, quantity: 1 }), ['part'])
    await assertRejected(() => member.post(path, { order: target.order, part: goods, quantity: -1 }), ['quantity'])
    await assertRejected(() => member.patch(`${path}${target.line}/`, { part: null }), ['part'])
    await allocate(target, await stock(goods, 2), 1)
    const [otherPart, otherOrder] = [await part(), await order()]
    await assertRejected(() => member.patch(`${path}${target.line}/`, { part: otherPart }), ['part'])
    await assertRejected(() => member.patch(`${path}${target.line}/`, { order: otherOrder }), ['order'])
  })
})

describe('stock that is allocated to a transfer order', () => {
  it('is released by a count that finds less, and allocated again when the count is undone', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 8)
    await allocate(target, item, 8)
    const counted = await member.post('/api/stock/count/', {
      items: [{ pk: item, quantity: 5, release_allocations: true }],
      undoable: true,
    })
    assert.equal(counted.status, 201, counted.text)
    const [{ released }] = counted.body.items
    assert.deepEqual([released[0].transfer_order, released[0].quantity, released[0].remaining], [target.order, '3', '5'])
    assert.equal((await readLine(target.line)).allocated, 5)
    assert.equal((await get(`/api/stock/released/?transfer_order=${target.order}`)).count, 1)
    const undone = await member.post(`/api/stock/adjustment/${counted.body.adjustment}/undo/`)
    assert.equal(undone.status, 201, undone.text)
    assert.equal((await readLine(target.line)).allocated, 8)
  })

  it('stays allocated when its items are merged', async () => {
    const goods = await part()
    const [one, other] = [await stock(goods, 4), await stock(goods, 5)]
    const target = await transfer(goods, 9)
    await allocate(target, one, 4)
    await allocate(target, other, 3)
    const body = { items: [{ item: one }, { item: other }], location: locations.shelf }
    assert.equal((await member.post('/api/stock/merge/', body)).status, 201)
    assert.equal((await readItem(one)).allocated, 7)
    assert.equal((await complete(target, true)).status, 201)
    assert.equal((await readLine(target.line)).transferred, 7)
  })
})

describe(`${CLIENT_COUNT} clients at the same time`, () => {
  const sendFromAllClients = (sendRequest: (client: number) => Promise<TestResponse>) =>
    Promise.all(Array.from({ length: CLIENT_COUNT }, (_, client) => sendRequest(client)))

  it('never allocate more than is in stock, or more than a line is short of', async () => {
    const goods = await part()
    const item = await stock(goods, 10)
    const target = await transfer(goods, 100)
    assert.equal(countAccepted(await sendFromAllClients(() => allocate(target, item, 3))), 3)
    const small = await transfer(goods, 10)
    const items = [await stock(goods, 100), await stock(goods, 100)]
    assert.equal(countAccepted(await sendFromAllClients((client) => allocate(small, items[client % 2] as number, 3))), 3)
  })

  it('complete an order once, while others count, remove and move its stock', async () => {
    const goods = await part()
    const item = await stock(goods, 100)
    const target = await transfer(goods, 40)
    await allocate(target, item, 40)
    const responses = await sendFromAllClients((client) =>
      client % 4 === 0
        ? complete(target)
        : client % 4 === 1
          ? member.post('/api/stock/count/', { items: [{ pk: item, quantity: 90 + client, release_allocations: true }] })
          : client % 4 === 2
            ? member.post('/api/stock/remove/', { items: [{ pk: item, quantity: 2 }] })
            : allocate(target, item, 1, { allow_over_allocation: true }),
    )
    countAccepted(responses)
    assert.equal(responses.filter(({ status }, client) => client % 4 === 0 && status === 201).length, 1)
    assert.equal((await get(`${PATH}${target.order}/`)).status, 30)
    const { transferred } = await readLine(target.line)
    const [{ sum }] = await service.rows('select sum(quantity)::float as sum from stock_item where location = $1', [
      locations.garage,
    ])
    assert.equal(sum, transferred)
  })
})

describe('sums of parts and items', () => {
  it('match after any allocations, transfers, consumption and releases', async () => {
    const quantity = fc.integer({ min: 1, max: 400_000 }).map((units) => (units / 100_000).toFixed(5))
    const plan = fc.record({
      stock: fc.array(quantity, { minLength: 1, maxLength: 4 }),
      allocations: fc.array(fc.tuple(fc.nat(3), quantity), { maxLength: 6 }),
      consume: fc.boolean(),
      end: fc.constantFrom('complete', 'cancel', 'hold', 'none'),
    })
    await fc.assert(
      fc.asyncProperty(plan, async ({ stock: quantities, allocations, consume, end }) => {
        const goods = await part()
        const items = await Promise.all(quantities.map((one) => stock(goods, one)))
        const target = await transfer(goods, 20, { consume })
        for (const [index, amount] of allocations) await allocate(target, items[index % items.length] as number, amount)
        if (end === 'complete') assert.equal((await complete(target, true)).status, 201)
        else if (end !== 'none') assert.equal((await act(target.order, end)).status, 201)
        const [{ total }] = await service.rows(
          'select coalesce(sum(quantity), 0)::text as total from stock_item where part = $1',
          [goods],
        )
        const [{ moved }] = await service.rows('select transferred::text as moved from transfer_order_line where pk = $1', [
          target.line,
        ])
        const toUnits = (text: string) => BigInt(text.replace('.', ''))
        const before = quantities.reduce((sum, one) => sum + toUnits(one), 0n)
        const usedUp = consume ? toUnits(Number(moved) === 0 ? '0.00000' : moved) : 0n
        assert.equal(toUnits(Number(total) === 0 ? '0.00000' : total), before - usedUp)
        await assertSums()
      }),
      { numRuns: 15 },
    )
  })
})
