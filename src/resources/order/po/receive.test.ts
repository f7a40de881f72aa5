// Over 400 lines: covers every option of receiving, and each rejection.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { scaleTimeout } from '../../../testing/slowness.ts'

const service = await testService()
const { supplier, supplierPart, location, setting } = createPurchaseHelpers(service)
const { member } = service

let number = 0
type Line = {
  pack?: string
  trackable?: boolean
  quantity?: number | string
  price?: string
  part?: number
  destination?: number
}

/** Creates a placed order with these lines; returns the keys of the lines and of their supplier parts. */
async function placeOrder(...requestedLines: Line[]) {
  const company = await supplier()
  const order = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: company })).body.pk as number
  const lines: number[] = []
  const parts: number[] = []
  for (const { quantity = 10, price, destination, ...options } of requestedLines) {
    const part = await supplierPart(company, options)
    const response = await member.post('/api/order/po-line/', { order, part, quantity, purchase_price: price, destination })
    assert.equal(response.status, 201, response.text)
    lines.push(response.body.pk)
    parts.push(part)
  }
  assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return { order, lines, parts, line: lines[0] as number, part: parts[0] as number }
}
const shelf = await location()
const receive = (order: number, body: object) => member.post(`/api/order/po/${order}/receive/`, { location: shelf, ...body })
const readReceived = async (line: number) => (await member.get(`/api/order/po-line/${line}/`)).body.received
const readOrder = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
const listStock = (order: number) =>
  service.rows(
    `select i.*, i.quantity::float as quantity, t.tracking_type, t.deltas, t."user" from stock_item i
     left join stock_tracking t on t.item = i.pk where i.purchase_order = $1 order by i.pk, t.pk`,
    [order],
  )
const readEverything = async () =>
  (
    await service.rows(
      `select (select count(*) from stock_item) as stock, (select count(*) from stock_tracking) as history,
        (select sum(received) from purchase_order_line) as received, (select sum(status) from purchase_order) as states`,
    )
  )[0]

describe('POST /api/order/po/{id}/receive/ with expectations', () => {
  it('receives if the expectation is met, with the same response as without one', async () => {
    const { order, lines } = await placeOrder({ quantity: 10, pack: '2.5' }, { quantity: 4 })
    const items = lines.map((line_item) => ({ line_item, quantity: '1.5', expected_received: 0 }))
    const first = await receive(order, { items })
    assert.equal(first.status, 201, first.text)
    assert.ok(!('expected_received' in first.body.items[0]))
    const second = await receive(order, { items: [{ ...items[0], expected_received: '1.50000' }] })
    assert.equal(second.status, 201, second.text)
    assert.equal(await readReceived(lines[0] as number), 3)
  })

  it('names every entry with a wrong expectation, with the packs received, and receives nothing', async () => {
    const { order, lines } = await placeOrder({ quantity: 10, pack: '2.5' }, { quantity: 4 }, { quantity: 3 })
    await receive(order, { items: [{ line_item: lines[0], quantity: '1.5' }] })
    const before = await readEverything()
    const items = lines.map((line_item, index) => ({ line_item, quantity: 1, expected_received: index === 2 ? 1 : 0 }))
    const response = await member.post(
      `/api/order/po/${order}/receive/`,
      { items, location: shelf },
      { accept: 'application/problem+json' },
    )
    assert.deepEqual([response.status, response.body.code], [412, 'expectation_failed'])
    assert.deepEqual(
      response.body.field_errors.map(({ pointer, code, parameters }: Record<string, unknown>) => [pointer, code, parameters]),
      [
        ['/items/0/expected_received', 'received_not_as_expected', { found: '1.5', expected: '0' }],
        ['/items/2/expected_received', 'received_not_as_expected', { found: '0', expected: '1' }],
      ],
    )
    assert.deepEqual(await readEverything(), before)
  })

  it('accepts one of several concurrent deliveries', async () => {
    const { order, line } = await placeOrder({ quantity: 100 })
    const items = [{ line_item: line, quantity: 2, expected_received: 0 }]
    const responses = await Promise.all(Array.from({ length: 8 }, () => receive(order, { items })))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(412)])
    assert.equal(await readReceived(line), 2)
  })
})

describe('POST /api/order/po/{id}/receive/', () => {
  it('completes the order once the last of its lines is received in full, and not before', async () => {
    const { order, lines } = await placeOrder({ quantity: 2 }, { quantity: 3 }, { quantity: 1 })
    const [one, two, three] = lines as [number, number, number]
    const readStatus = async () => (await readOrder(order)).status
    await receive(order, {
      items: [
        { line_item: one, quantity: 2 },
        { line_item: two, quantity: 1 },
      ],
    })
    await receive(order, { items: [{ line_item: one, quantity: 5 }], allow_over_receipt: true })
    assert.equal(await readStatus(), 20)
    await receive(order, {
      items: [
        { line_item: two, quantity: 1 },
        { line_item: two, quantity: 1 },
      ],
    })
    assert.equal(await readStatus(), 20)
    await receive(order, { items: [{ line_item: three, quantity: 1 }] })
    assert.equal(await readStatus(), 30)
  })

  it('creates stock from packs, with its price and its history, and counts it on the line', async () => {
    const { order, line, part } = await placeOrder({ pack: '10', quantity: 3, price: '1000' })
    const body = { items: [{ line_item: line, quantity: 1, batch_code: 'B1', status: 55, barcode: 'code 1' }] }
    const response = await receive(order, body)
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(response.body, {
      items: [
        {
          line_item: line,
          location: shelf,
          quantity: '1.00000',
          batch_code: 'B1',
          serial_numbers: '',
          status: 55,
          barcode: 'code 1',
        },
      ],
      location: shelf,
      allow_over_receipt: false,
    })
    const [item, ...rest] = await listStock(order)
    assert.deepEqual(rest, [])
    assert.deepEqual(
      [item.supplier_part, item.location, item.quantity, item.batch, item.status, item.serial, item.barcode_data],
      [part, shelf, 10, 'B1', 55, null, 'code 1'],
    )
    assert.deepEqual([item.purchase_price, item.purchase_price_currency], ['100.000000', 'USD'])
    assert.deepEqual(
      [item.tracking_type, item.deltas, item.user],
      [70, { status: 55, location: shelf, purchaseorder: order, quantity: 1 }, service.getPk('member')],
    )
    assert.equal(await readReceived(line), 1)
    assert.equal((await readOrder(order)).status, 20)
  })

  it('never gives stock a negative price', async () => {
    const { order, line } = await placeOrder({ quantity: 2, price: '-5' })
    await receive(order, { items: [{ line_item: line, quantity: 2 }] })
    const [item] = await listStock(order)
    assert.deepEqual([item.quantity, item.purchase_price], [2, null])
  })

  it('stores fractions of packs exactly', async () => {
    const { order, line } = await placeOrder({ pack: '0.1', quantity: 13, price: '10' })
    await receive(order, { items: [{ line_item: line, quantity: 5 }] })
    const [item] = await listStock(order)
    assert.deepEqual([item.quantity, item.purchase_price, await readReceived(line)], [0.5, '100.000000', 5])
  })

  it('adds up entries for the same line in one request', async () => {
    const { order, line } = await placeOrder({ quantity: 10 })
    const items = [
      { line_item: line, quantity: 4 },
      { line_item: line, quantity: '2.5' },
    ]
    assert.equal((await receive(order, { items })).status, 201)
    assert.deepEqual(
      (await listStock(order)).map(({ quantity }) => quantity),
      [4, 2.5],
    )
    assert.equal(await readReceived(line), 6.5)
    const more = [items[0], { line_item: line, quantity: 0.5 }]
    const rejection = await receive(order, { items: more })
    assert.equal(rejection.status, 400)
    assert.deepEqual(Object.keys(rejection.body.items[0]), ['quantity'])
  })

  it('uses the location of the request, otherwise the item’s, otherwise the line’s', async () => {
    const [own, planned] = [await location(), await location()]
    const { order, line } = await placeOrder({ destination: planned })
    const receiveAt = async (location: number | null, item: object) => {
      const response = await receive(order, { location, items: [{ line_item: line, quantity: 1, ...item }] })
      assert.equal(response.status, 201, response.text)
      return [(await listStock(order)).at(-1).location, response.body.items[0].location]
    }
    assert.deepEqual(await receiveAt(null, {}), [planned, planned])
    assert.deepEqual(await receiveAt(null, { location: own }), [own, own])
    assert.deepEqual(await receiveAt(shelf, { location: own }), [shelf, own])
    const nowhere = await placeOrder({})
    const response = await receive(nowhere.order, { location: null, items: [{ line_item: nowhere.line, quantity: 1 }] })
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['location']])
  })

  it('creates one item per serial number', async () => {
    const { order, lines } = await placeOrder({ trackable: true }, { trackable: true })
    const items = [
      { line_item: lines[0], quantity: 10, serial_numbers: '100+', batch_code: 'S' },
      { line_item: lines[1], quantity: 10 },
    ]
    const response = await receive(order, { items })
    assert.equal(response.status, 201, response.text)
    const stock = await listStock(order)
    assert.deepEqual(
      stock.map(({ serial, quantity }) => [serial, quantity]),
      [...Array.from({ length: 10 }, (_, index) => [String(100 + index), 1]), [null, 10]],
    )
    assert.deepEqual(
      [stock[0].deltas.quantity, stock[0].delete_on_deplete, stock[0].batch, stock[10].delete_on_deplete],
      [10, false, 'S', true],
      'the history records the packs of the whole entry',
    )
  })

  it('returns the stock items created for each entry, on request', async () => {
    const { order, lines } = await placeOrder({ trackable: true }, { quantity: 4 })
    const items = [
      { line_item: lines[0], quantity: 3, serial_numbers: 'T1+' },
      { line_item: lines[1], quantity: 4 },
    ]
    const response = await member.post(`/api/order/po/${order}/receive/?stock_items=true`, { items, location: shelf })
    assert.equal(response.status, 201, response.text)
    const createdItems = response.body.items.map((entry: { stock_items: number[] }) => entry.stock_items)
    const rows = await service.rows('select pk, serial from stock_item where purchase_order = $1', [order])
    const serialsByPk = new Map(rows.map(({ pk, serial }) => [pk, serial]))
    assert.deepEqual(
      createdItems.map((pks: number[]) => pks.map((pk) => serialsByPk.get(pk))),
      [['T1', 'T2', 'T3'], [null]],
    )
    const another = await placeOrder({})
    const plain = await receive(another.order, { items: [{ line_item: another.line, quantity: 1 }] })
    assert.equal('stock_items' in plain.body.items[0], false)
  })

  it('continues serial numbers with ~, also across items', async () => {
    const { order, line } = await placeOrder({ quantity: 9 })
    await receive(order, { items: [{ line_item: line, quantity: 2, serial_numbers: '7, 8' }] })
    const items = [
      { line_item: line, quantity: 2, serial_numbers: '~,~' },
      { line_item: line, quantity: 3, serial_numbers: '~+' },
    ]
    assert.equal((await receive(order, { items })).status, 201)
    assert.deepEqual(
      (await listStock(order)).map(({ serial }) => serial),
      ['7', '8', '9', '10', '11', '12', '13'],
    )
  })

  it('completes the order with its last goods, unless the setting disables that', async () => {
    const today = await waitForStableDay()
    const both = await placeOrder({ quantity: 1 }, { quantity: 2 })
    const items = both.lines.map((line_item) => ({ line_item, quantity: 1 }))
    await receive(both.order, { items })
    assert.equal((await readOrder(both.order)).status, 20)
    await receive(both.order, { items: [{ line_item: both.lines[1], quantity: 1 }] })
    const { status, complete_date, completed_lines } = await readOrder(both.order)
    assert.deepEqual([status, complete_date, completed_lines], [30, today, 2])
    const [row] = await service.rows('select received_by from purchase_order where pk = $1', [both.order])
    assert.equal(row.received_by, service.getPk('member'))

    await setting('PURCHASEORDER_AUTO_COMPLETE', 'False')
    const open = await placeOrder({ quantity: 1 })
    await receive(open.order, { items: [{ line_item: open.line, quantity: 1 }] })
    assert.equal((await readOrder(open.order)).status, 20)
    await setting('PURCHASEORDER_AUTO_COMPLETE', 'True')
  })

  it('rejects more than was ordered, unless allowed', async () => {
    const { order, line } = await placeOrder({ quantity: 10 })
    const before = await readEverything()
    const items = [{ line_item: line, quantity: 11 }]
    const rejection = await receive(order, { items })
    assert.deepEqual([rejection.status, Object.keys(rejection.body.items[0])], [400, ['quantity']])
    assert.deepEqual(await readEverything(), before)
    assert.equal((await receive(order, { items, allow_over_receipt: true })).status, 201)
    assert.equal(await readReceived(line), 11)
  })

  it('rejects invalid values at their index, and receives nothing', async () => {
    const { order, lines } = await placeOrder({}, { trackable: true, pack: '0.5' }, { pack: '0.1' })
    const [line, trackable, tiny] = lines as [number, number, number]
    const other = await placeOrder({})
    await receive(other.order, { items: [{ line_item: other.line, quantity: 1, barcode: 'taken', serial_numbers: '5' }] })
    await service.rows(
      'update purchase_order_line set part = (select part from purchase_order_line where pk = $1) where pk = $2',
      [other.line, line],
    )
    const deleted = await placeOrder({})
    await service.rows('delete from supplier_part where pk = $1', [deleted.part])
    const fine = { line_item: line, quantity: 1 }
    const cases: [object, unknown][] = [
      [{ items: [{ ...fine, quantity: 0 }] }, [['quantity']]],
      [{ items: [fine, { ...fine, quantity: -4 }] }, [[], ['quantity']]],
      [{ items: [{ ...fine, quantity: '1.123456' }] }, [['quantity']]],
      [{ items: [{ ...fine, quantity: 'NaN' }] }, [['quantity']]],
      [{ items: [{ ...fine, quantity: 1e15 }] }, [['quantity']]],
      [{ items: [{ line_item: tiny, quantity: '0.00001' }] }, [['quantity']]],
      [{ items: [{ line_item: line }] }, [['quantity']]],
      [{ items: [{ quantity: 1 }] }, [['line_item']]],
      [{ items: [fine, { ...fine, line_item: 99_999 }, { ...fine, line_item: 99_998 }] }, [[], ['line_item'], ['line_item']]],
      [{ items: [{ ...fine, line_item: 'abc' }] }, [['line_item']]],
      [{ items: [{ ...fine, line_item: other.line }] }, [['line_item']]],
      [{ items: [{ ...fine, location: 99_999 }] }, [['location']]],
      [{ items: [{ ...fine, status: 999 }] }, [['status']]],
      [{ items: [{ ...fine, batch_code: 'x'.repeat(101) }] }, [['batch_code']]],
      [{ items: [{ ...fine, barcode: 'x'.repeat(4096) }] }, [['barcode']]],
      [{ items: [{ ...fine, barcode: 'taken' }] }, [['barcode']]],
      [{ items: [{ ...fine, quantity: 2, serial_numbers: '1,2,3' }] }, [['serial_numbers']]],
      [{ items: [{ ...fine, quantity: 1.5, serial_numbers: '1' }] }, [['serial_numbers']]],
      [{ items: [{ line_item: trackable, quantity: 1 }] }, [['quantity']]],
      [{ items: [fine, 'x'] }, [[], ['non_field_errors']]],
    ]
    const before = await readEverything()
    for (const [body, expected] of cases) {
      const response = await receive(order, body)
      assert.equal(response.status, 400, JSON.stringify(body))
      assert.deepEqual(
        response.body.items?.map((entry: object) => Object.keys(entry)),
        expected,
        JSON.stringify(body),
      )
    }
    const requestCases: [object, string][] = [
      [{ items: [] }, 'non_field_errors'],
      [{ items: 'x' }, 'items'],
      [{ items: Array.from({ length: 10_001 }, () => fine) }, 'items'],
      [{ items: [fine], location: undefined }, 'location'],
      [{ items: [fine], location: 99_999 }, 'location'],
      [{ items: [fine], location: await location({ structural: true }) }, 'location'],
      [{ items: [fine], allow_over_receipt: 'x' }, 'allow_over_receipt'],
      [
        {
          items: [
            { ...fine, barcode: 'X1' },
            { ...fine, barcode: 'X1' },
          ],
        },
        'non_field_errors',
      ],
      [{ items: [{ ...fine, quantity: 2, serial_numbers: '1,2', barcode: 'X1' }] }, 'non_field_errors'],
      [{ items: [{ ...fine, serial_numbers: '5' }] }, 'serial'],
      [
        {
          items: [
            { ...fine, serial_numbers: '6' },
            { ...fine, serial_numbers: '6' },
          ],
        },
        'serial',
      ],
    ]
    for (const [body, field] of requestCases) {
      const response = await receive(order, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body).slice(0, 200))
    }
    const unknownLineResponse = await receive(deleted.order, { items: [{ line_item: deleted.line, quantity: 1 }] })
    assert.deepEqual([unknownLineResponse.status, Object.keys(unknownLineResponse.body.items[0])], [400, ['line_item']])
    assert.deepEqual(await readEverything(), before)
  })

  it('rejects any status but placed, and an unknown order', async () => {
    const { order, line } = await placeOrder({})
    const items = [{ line_item: line, quantity: 1 }]
    for (const status of [10, 30, 40, 50, 60]) {
      await service.rows('update purchase_order set status = $2 where pk = $1', [order, status])
      const response = await receive(order, { items })
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['non_field_errors']])
    }
    assert.equal(await readReceived(line), 0)
    assert.equal((await receive(999_999, { items })).status, 404)
  })

  it('leaves no gap in the keys of stock after a rejection', async () => {
    const { order, line } = await placeOrder({ trackable: true })
    const pending = (await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier() })).body.pk
    const { order: other, line: plain } = await placeOrder({})
    const sent = [
      [order, { items: [{ line_item: line, quantity: 1, serial_numbers: '1' }] }, 201],
      [order, { items: [{ line_item: line, quantity: 1, serial_numbers: '1' }] }, 400],
      [order, { items: [{ line_item: line, quantity: 11 }] }, 400],
      [order, { items: [{ line_item: line, quantity: '1.5' }] }, 400],
      [pending, { items: [{ line_item: plain, quantity: 1 }] }, 400],
      [other, { items: [{ line_item: plain, quantity: 11, barcode: 'one too many' }] }, 400],
      [other, { items: [{ line_item: plain, quantity: 1 }], location: await location({ structural: true }) }, 400],
      [other, { items: [{ line_item: plain, quantity: 1, barcode: 'one' }] }, 201],
    ] as const
    for (const [pk, body, status] of sent) assert.equal((await receive(pk, body)).status, status)
    const [first, second] = [...(await listStock(order)), ...(await listStock(other))]
    assert.equal(second.pk, first.pk + 1)
  })

  it('accepts a barcode only once, also in concurrent requests', async () => {
    const { order, line } = await placeOrder({ quantity: 100 })
    const items = [{ line_item: line, quantity: 1, barcode: 'only once' }]
    const responses = await Promise.all(Array.from({ length: 6 }, () => receive(order, { items })))
    assert.equal(responses.filter(({ status }) => status === 201).length, 1)
    assert.equal(await readReceived(line), 1)
  })

  it('receives ten thousand lines in one request', { timeout: scaleTimeout(60_000) }, async () => {
    const { order, part } = await placeOrder({})
    await service.rows(
      `insert into purchase_order_line ("order", part, quantity, purchase_price_currency) select $1, $2, 2, 'USD' from generate_series(1, 9999)`,
      [order, part],
    )
    const lines = await service.rows('select pk, quantity::float from purchase_order_line where "order" = $1 order by pk', [
      order,
    ])
    const started = performance.now()
    const response = await receive(order, { items: lines.map(({ pk, quantity }) => ({ line_item: pk, quantity })) })
    assert.equal(response.status, 201, response.text.slice(0, 300))
    assert.ok(performance.now() - started < scaleTimeout(15_000), `it took ${performance.now() - started} ms`)
    const { status, completed_lines } = await readOrder(order)
    assert.deepEqual([status, completed_lines], [30, 10_000])
    const [{ count }] = await service.rows('select count(*)::int from stock_item where purchase_order = $1', [order])
    assert.equal(count, 10_000)
  })

  it('requires the permission to add purchase orders', async () => {
    const { order, line } = await placeOrder({})
    const body = { items: [{ line_item: line, quantity: 1 }], location: shelf }
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${order}/receive/`, body),
      ['member', 'superuser'],
      readEverything,
    )
  })

  it('property: the created stock is the packs received times the pack quantity', async () => {
    const deliveries = fc.array(
      fc.record({ line: fc.nat(2), packs: fc.integer({ min: 1, max: 900_000 }), serials: fc.boolean() }),
      { minLength: 1, maxLength: 8 },
    )
    const packs = fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom('1', '10', '0.1', '2.5', '12.125')))
    await fc.assert(
      fc.asyncProperty(packs, deliveries, async (sizes, requestedLines) => {
        const { order, lines } = await placeOrder(...sizes.map((pack) => ({ pack, quantity: 100_000 })))
        for (const { line, packs, serials } of requestedLines) {
          const whole = serials && ['1', '10'].includes(sizes[line] as string)
          const item = whole
            ? { quantity: (packs % 5) + 1, serial_numbers: `${++number * 1000}+` }
            : { quantity: (packs / 100).toFixed(2) }
          const response = await receive(order, { items: [{ line_item: lines[line], ...item }] })
          assert.equal(response.status, 201, response.text)
        }
        const rows = await service.rows(
          `select line.received * s.pack_quantity_native - coalesce(sum(i.quantity), 0) as difference
           from purchase_order_line line join supplier_part s on s.pk = line.part
           left join stock_item i on i.purchase_order = line."order" and i.supplier_part = line.part
           where line."order" = $1 group by line.pk, s.pk`,
          [order],
        )
        for (const { difference } of rows) assert.equal(Number(difference), 0)
      }),
      { numRuns: 12 },
    )
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    assert.deepEqual(await service.rows('select * from verify_line_counts()'), [])
  })
})
