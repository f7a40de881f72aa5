import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { type TestResponse, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier, supplierPart, location } = createPurchaseHelpers(service)
const { member } = service

const CLIENT_COUNT = 32
const shelf = await location()
let number = 0

/** Creates a placed order with three lines of ten packs each. */
async function placeOrder() {
  const company = await supplier()
  const order = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company })).body.pk as number
  const lines: number[] = []
  for (const pack of ['1', '10', '2.5']) {
    const part = await supplierPart(company, { pack })
    lines.push((await member.post('/api/order/po-line/', { order, part, quantity: 10, purchase_price: '3' })).body.pk)
  }
  await member.post(`/api/order/po/${order}/issue/`)
  return { order, lines, company }
}

/** Asserts that received quantities, stock and history of an order agree, line by line, and that all stored sums are right. */
async function assertConsistent(order: number) {
  const lines = await service.rows(
    `select line.pk, line.quantity::float, line.received::float, s.pack_quantity_native::float as pack,
       coalesce((select sum(i.quantity) from stock_item i where i.purchase_order = line."order" and i.supplier_part = line.part), 0)::float as stock,
       coalesce((select sum((t.deltas->>'quantity')::numeric) from stock_tracking t join stock_item i on i.pk = t.item
         where i.purchase_order = line."order" and i.supplier_part = line.part and t.tracking_type = 70), 0)::float as history
     from purchase_order_line line join supplier_part s on s.pk = line.part where line."order" = $1 order by line.pk`,
    [order],
  )
  for (const { received, pack, stock, history } of lines) assert.deepEqual([stock, history], [received * pack, received])
  for (const check of ['verify_quantities', 'verify_line_counts', 'verify_trees'])
    assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
  const [total] = await service.rows(
    `select total_price, (select coalesce(sum(quantity * purchase_price), 0) from purchase_order_line where "order" = $1) as sum
     from purchase_order where pk = $1`,
    [order],
  )
  assert.equal(Number(total.total_price), Number(total.sum))
  return lines
}

const sendFromAllClients = (sendRequest: (client: number) => Promise<TestResponse>) =>
  Promise.all(Array.from({ length: CLIENT_COUNT }, (_, client) => sendRequest(client)))

describe(`${CLIENT_COUNT} clients that change the same order`, () => {
  it('never receive more than was ordered', async () => {
    const { order, lines } = await placeOrder()
    const responses = await sendFromAllClients((client) =>
      member.post(`/api/order/po/${order}/receive/`, {
        location: shelf,
        // each names two lines, in varying order
        items: [0, 1].map((step) => ({ line_item: lines[(client + (client % 2 ? step : -step) + 3) % 3], quantity: 1 })),
      }),
    )
    for (const { status, text } of responses) assert.ok(status === 201 || status === 400, text)
    const rows = await assertConsistent(order)
    for (const { received, quantity } of rows) assert.ok(received <= quantity)
    const accepted = responses.filter(({ status }) => status === 201).length
    assert.equal(
      rows.reduce((sum, { received }) => sum + received, 0),
      2 * accepted,
    )
    assert.ok(accepted >= 14, `${accepted} were accepted`)
  })

  it('receive, edit, add, delete and cancel, with consistent results', async () => {
    const { order, lines, company } = await placeOrder()
    const spare = await supplierPart(company)
    const responses = await sendFromAllClients((client) => {
      const line = lines[client % 3]
      switch (client % 8) {
        case 0:
          return member.patch(`/api/order/po-line/${line}/`, { quantity: 10 + client, auto_pricing: false })
        case 1:
          return member.patch(`/api/order/po/${order}/`, { notes: String(client) })
        case 2:
          return member.post('/api/order/po-line/', { order, part: spare, quantity: 1, purchase_price: '2' })
        case 3:
          return client === 27
            ? member.post(`/api/order/po/${order}/cancel/`)
            : member.post('/api/order/po-extra-line/', { order, quantity: 1 })
        default:
          return member.post(`/api/order/po/${order}/receive/`, {
            location: shelf,
            items: lines.toReversed().map((line_item) => ({ line_item, quantity: 1 })),
          })
      }
    })
    for (const { status, text } of responses) assert.ok([200, 201, 400].includes(status), `${status} ${text}`)
    const rows = await assertConsistent(order)
    const receipts = responses.filter(({ status }, client) => client % 8 > 3 && status === 201).length
    assert.deepEqual(
      rows.map(({ received }) => received),
      [receipts, receipts, receipts, 0],
    )
    const [{ status }] = await service.rows('select status from purchase_order where pk = $1', [order])
    assert.equal(status, responses[27]?.status === 201 ? 40 : 30)
  })

  it('receive once with one Idempotency-Key', async () => {
    const { order, lines } = await placeOrder()
    const body = { location: shelf, items: [{ line_item: lines[0], quantity: 2 }] }
    const responses = await sendFromAllClients(() =>
      member.post(`/api/order/po/${order}/receive/`, body, { 'idempotency-key': `key ${order}` }),
    )
    for (const { status } of responses) assert.equal(status, 201)
    const [first] = await assertConsistent(order)
    assert.equal(first.received, 2)
  })

  it('receive and cancel, and the first request wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { order, lines } = await placeOrder()
      const responses = await Promise.all([
        member.post(`/api/order/po/${order}/receive/`, { location: shelf, items: [{ line_item: lines[0], quantity: 10 }] }),
        member.post(`/api/order/po/${order}/cancel/`),
        member.delete(`/api/order/po-line/${lines[1]}/`),
        member.delete('/api/order/po-line/', { items: [lines[2]] }),
      ])
      for (const { status } of responses) assert.ok([201, 204, 400].includes(status))
      await assertConsistent(order)
    }
  })
})
