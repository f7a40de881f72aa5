import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier, supplierPart, priceBreaks, location, part, rate } = createPurchaseHelpers(service)
const { member } = service

const PATH = '/api/order/po-line/'
let number = 0
const makeOrder = async (fields: Record<string, unknown> = {}) => {
  const body = { reference: `PO-${++number}`, supplier: await supplier(), ...fields }
  const response = await member.post('/api/order/po/', body)
  assert.equal(response.status, 201, response.text)
  return response.body
}
/** Creates an order, and a part of its supplier. */
const makeOrderAndPart = async (options: Parameters<typeof supplierPart>[1] = {}) => {
  const order = await makeOrder()
  return { order: order.pk as number, part: await supplierPart(order.supplier, options), supplier: order.supplier as number }
}
const post = async (fields: Record<string, unknown>) => {
  const response = await member.post(PATH, { quantity: 1, ...fields })
  assert.equal(response.status, 201, response.text)
  return response.body
}
const readOrder = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
const countLines = async () => (await service.viewer.get(PATH)).body.count
const listKeys = async (query: string) =>
  (await service.viewer.get(`${PATH}?${query}`)).body.results.map((line: { pk: number }) => line.pk)

describe('POST /api/order/po-line/', () => {
  it('creates a line, responds as GET does, and counts it in the order', async () => {
    const { order, part } = await makeOrderAndPart()
    const body = { order, part, quantity: '2.5', purchase_price: '1.1', reference: 'a', target_date: '2030-01-31' }
    const line = await post(body)
    assert.deepEqual(line, {
      pk: line.pk,
      quantity: 2.5,
      reference: 'a',
      notes: '',
      order,
      overdue: false,
      part,
      received: 0,
      purchase_price: '1.100000',
      purchase_price_currency: 'USD',
      auto_pricing: true,
      destination: null,
      destination_detail: null,
      target_date: '2030-01-31',
      total_price: 2.75,
      link: '',
      merge_items: true,
    })
    assert.deepEqual((await service.viewer.get(`${PATH}${line.pk}/`)).body, line)
    const { line_items, completed_lines, total_price } = await readOrder(order)
    assert.deepEqual([line_items, completed_lines, total_price], [1, 0, '2.750000'])
  })

  it('accepts a line without a part, a quantity of zero and a negative price', async () => {
    const { pk: order } = await makeOrder()
    const line = await post({ order, quantity: 0, purchase_price: '-3.5' })
    assert.deepEqual([line.part, line.quantity, line.purchase_price, line.total_price], [null, 0, '-3.500000', 0])
    assert.notEqual((await post({ order, part: null, quantity: 1 })).pk, line.pk, 'lines without a part are never merged')
  })

  it('rejects invalid values, naming the field, and stores nothing', async () => {
    const { order, part } = await makeOrderAndPart()
    const other = await makeOrderAndPart()
    const cases: [Record<string, unknown>, string[]][] = [
      [{ quantity: undefined }, ['quantity']],
      [{ quantity: -1 }, ['quantity']],
      [{ quantity: 'NaN' }, ['quantity']],
      [{ quantity: '1e30' }, ['quantity']],
      [{ quantity: null }, ['quantity']],
      [{ order: undefined }, ['order']],
      [{ order: null }, ['order']],
      [{ order: 99_999 }, ['order']],
      [{ order: 2 ** 33 }, ['order']],
      [{ part: 99_999 }, ['part']],
      [{ part: other.part }, ['order', 'part']],
      [{ purchase_price: 'x' }, ['purchase_price']],
      [{ purchase_price: '1.1234567' }, ['purchase_price']],
      [{ purchase_price_currency: 'XXX' }, ['purchase_price_currency']],
      [{ purchase_price_currency: 99_999 }, ['purchase_price_currency']],
      [{ destination: 99_999 }, ['destination']],
      [{ target_date: 'soon' }, ['target_date']],
      [{ link: 'javascript:alert(1)' }, ['link']],
      [{ reference: 'x'.repeat(101) }, ['reference']],
      [{ notes: 'x'.repeat(501) }, ['notes']],
      [{ auto_pricing: 'perhaps' }, ['auto_pricing']],
      [{ merge_items: null }, ['merge_items']],
      [{ quantity: '99999999999999', purchase_price: '9999999999999' }, ['total_price']],
    ]
    const before = [await countLines(), await readOrder(order)]
    for (const [fields, errorFields] of cases) {
      const response = await member.post(PATH, { order, part, quantity: 1, ...fields })
      assert.equal(response.status, 400, JSON.stringify(fields))
      assert.deepEqual(Object.keys(response.body).sort(), errorFields, JSON.stringify(fields))
    }
    assert.deepEqual([await countLines(), await readOrder(order)], before)
  })

  it('requires the permission to add purchase orders', async () => {
    const { order, part } = await makeOrderAndPart()
    await assertCallers(service, (client) => client.post(PATH, { order, part, quantity: 1 }), ['member', 'superuser'], countLines)
  })
})

describe('merge_items', () => {
  it('adds to the first line with the same part, target date and destination, and leaves the rest of it unchanged', async () => {
    const { order, part } = await makeOrderAndPart()
    const first = await post({ order, part, quantity: 2, reference: 'first', purchase_price: '3' })
    const merged = await post({ order, part, quantity: 3, reference: 'second', purchase_price: '9', notes: 'n' })
    assert.deepEqual(merged, { ...first, quantity: 5, total_price: 15 })
    const separateLines = [
      await post({ order, part, merge_items: false }),
      await post({ order, part, target_date: '2030-01-01' }),
      await post({ order, part, destination: await location() }),
    ]
    assert.equal(new Set([first.pk, ...separateLines.map(({ pk }) => pk)]).size, 4)
    assert.equal((await post({ order, part, target_date: '2030-01-01' })).pk, separateLines[1].pk)
    assert.equal((await readOrder(order)).line_items, 4)
  })

  it('merges concurrent lines for the same part into one, with every quantity', async () => {
    const { order, part } = await makeOrderAndPart()
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, index) => member.post(PATH, { order, part, quantity: index + 1 })),
    )
    assert.equal(new Set(responses.map(({ body }) => body.pk)).size, 1)
    assert.deepEqual(
      (await member.get(`${PATH}?order=${order}`)).body.results.map((line: any) => line.quantity),
      [136],
    )
  })

  it('property: quantities add up exactly, in one line per target date', async () => {
    const quantity = fc.integer({ min: 1, max: 10 ** 9 }).map((value) => value / 1000)
    const entries = fc.array(fc.record({ quantity, target: fc.constantFrom(null, '2030-01-01', '2030-01-02') }), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(entries, async (newLines) => {
        const { order, part } = await makeOrderAndPart()
        for (const { quantity, target } of newLines) await post({ order, part, quantity, target_date: target })
        const rows = await service.rows('select sum(quantity)::text, count(*)::int from purchase_order_line where "order" = $1', [
          order,
        ])
        const thousandths = newLines.reduce((sum, entry) => sum + Math.round(entry.quantity * 1000), 0)
        assert.equal(Math.round(Number(rows[0].sum) * 1000), thousandths)
        assert.equal(rows[0].count, new Set(newLines.map(({ target }) => target)).size)
      }),
      { numRuns: 15 },
    )
  })
})

describe('auto_pricing', () => {
  it('uses the price break that the merged quantity reaches', async () => {
    const { order, part } = await makeOrderAndPart()
    await priceBreaks(part, { 1: '1', 10: '0.5' })
    const getPrice = async (fields: object) => (await post({ order, part, ...fields })).purchase_price
    assert.equal(await getPrice({ quantity: 1, merge_items: false, purchase_price: '77' }), '1.000000')
    assert.equal(await getPrice({ quantity: 10, merge_items: false }), '0.500000')
    assert.equal(await getPrice({ quantity: 9 }), '0.500000', 'merged into the first line: ten')
    assert.equal(await getPrice({ quantity: 1, merge_items: false, auto_pricing: false, purchase_price: '77' }), '77.000000')
    assert.equal(await getPrice({ quantity: 1, merge_items: false, auto_pricing: false }), null)
  })

  it('prices a changed line when its part or quantity is sent, and otherwise keeps the agreed price', async () => {
    const { order, part } = await makeOrderAndPart()
    await priceBreaks(part, { 1: '1', 10: '0.5' })
    const { pk } = await post({ order, part, quantity: 1, auto_pricing: false, purchase_price: '0.7' })
    const getPrice = async (fields: object) => (await member.patch(`${PATH}${pk}/`, fields)).body.purchase_price
    assert.equal(await getPrice({ notes: 'x' }), '0.700000')
    assert.equal(await getPrice({ purchase_price: '0.8' }), '0.800000')
    assert.equal(await getPrice({ quantity: 5, auto_pricing: false }), '0.800000')
    assert.equal(await getPrice({ auto_pricing: true }), '1.000000')
    assert.equal(await getPrice({ quantity: 12 }), '0.500000')
  })

  it('converts the price to the currency of the line', async () => {
    const { order, part } = await makeOrderAndPart()
    await rate('GBP', '0.8')
    await priceBreaks(part, { 1: '10' }, 'USD')
    assert.equal((await post({ order, part, purchase_price_currency: 'GBP' })).purchase_price, '8.000000')
  })
})

describe('GET /api/order/po-line/', () => {
  it('filters, sorts and searches', async () => {
    const { order, part, supplier } = await makeOrderAndPart()
    const other = await supplierPart(supplier)
    const a = await post({ order, part, quantity: 3, purchase_price: '5', reference: 'alpha' })
    const b = await post({ order, part: other, quantity: 2, reference: 'beta' })
    await service.rows('update purchase_order_line set received = quantity where pk = $1', [a.pk])
    const [{ part: base }] = await service.rows('select part from supplier_part where pk = $1', [part])
    const cases: [string, number[]][] = [
      ['', [a.pk, b.pk]],
      [`part=${part}`, [a.pk]],
      [`base_part=${base}`, [a.pk]],
      ['has_pricing=true', [a.pk]],
      ['has_pricing=false', [b.pk]],
      ['received=true', [a.pk]],
      ['received=false', [b.pk]],
      ['pending=true', [a.pk, b.pk]],
      ['pending=false', []],
      ['order_complete=false', [a.pk, b.pk]],
      ['order_status=10', [a.pk, b.pk]],
      ['order_status=20', []],
      ['search=ALPHA', [a.pk]],
      ['search=of+tests+beta', [b.pk]],
      ['ordering=-reference', [b.pk, a.pk]],
      ['ordering=quantity', [b.pk, a.pk]],
      ['ordering=-SKU', [b.pk, a.pk]],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await listKeys(`order=${order}&${query}`), expected, query)
    await service.rows('update purchase_order set status = 30 where pk = $1', [order])
    assert.deepEqual(await listKeys(`order=${order}&received=false`), [], 'a closed order receives nothing more')
    assert.deepEqual(await listKeys(`order=${order}&order_complete=true&received=true`), [a.pk])
  })

  it('rejects invalid values, naming the parameter', async () => {
    await service.rows('update part set purchaseable = false where pk = $1', [await part()])
    const [{ pk }] = await service.rows('select pk from part where not purchaseable')
    for (const query of [
      'order=abc',
      'order=99999',
      'part=99999',
      'base_part=99999',
      `base_part=${pk}`,
      'order_status=x',
      'pending=x',
    ]) {
      const response = await service.viewer.get(`${PATH}?${query}`)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [query.split('=')[0]]], query)
    }
  })

  it('includes the order, the part and the supplier part on request', async () => {
    const { order, part } = await makeOrderAndPart()
    const { pk } = await post({ order, part })
    const plain = (await member.get(`${PATH}${pk}/`)).body
    const full = (await member.get(`${PATH}${pk}/?part_detail=true&order_detail=1`)).body
    assert.equal('part_detail' in plain || 'order_detail' in plain || 'supplier_part_detail' in plain, false)
    assert.equal(full.order_detail.pk, order)
    assert.equal('line_items' in full.order_detail, false)
    assert.equal(full.supplier_part_detail.pk, part)
    assert.equal(full.supplier_part_detail.part_detail.pk, full.part_detail.pk)
  })

  it('is overdue after the line’s target date, otherwise after the order’s', async () => {
    const order = await makeOrder({ target_date: '2020-01-01' })
    const supplierPartPk = await supplierPart(order.supplier)
    const line = await post({ order: order.pk, part: supplierPartPk })
    assert.equal(line.overdue, true)
    const url = `${PATH}${line.pk}/`
    assert.equal((await member.patch(url, { target_date: '2999-01-01' })).body.overdue, false)
    assert.equal((await member.patch(url, { target_date: '2020-01-01' })).body.overdue, true)
    await service.rows('update purchase_order_line set received = quantity where pk = $1', [line.pk])
    assert.equal((await member.get(url)).body.overdue, false, 'it was received in full')
  })

  it('uses the location of goods received earlier, otherwise the line’s destination, otherwise the part’s default location', async () => {
    const [first, second, third] = [await location(), await location(), await location()]
    const { order, part } = await makeOrderAndPart()
    const line = await post({ order, part })
    const readDestination = async () => (await member.get(`${PATH}${line.pk}/`)).body.destination_detail?.pk ?? null
    assert.equal(await readDestination(), null)
    await service.rows('update part set default_location = $1 where pk = (select part from supplier_part where pk = $2)', [
      third,
      part,
    ])
    assert.equal(await readDestination(), third)
    await member.patch(`${PATH}${line.pk}/`, { destination: second })
    assert.equal(await readDestination(), second)
    await service.rows(
      `insert into stock_item (part, supplier_part, purchase_order, location, purchase_price_currency)
       select part, pk, $2, $3, 'USD' from supplier_part where pk = $1`,
      [part, order, first],
    )
    assert.equal(await readDestination(), first)
  })

  it('requires the permission to view purchase orders', () =>
    assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser']))
})

describe('PUT, PATCH and DELETE /api/order/po-line/{id}/', () => {
  it('PATCH requires no field, and ignores read-only fields', async () => {
    const { order, part } = await makeOrderAndPart()
    const line = await post({ order, part, quantity: 2 })
    assert.deepEqual((await member.patch(`${PATH}${line.pk}/`, {})).body, line)
    const changed = await member.patch(`${PATH}${line.pk}/`, { received: 2, total_price: 9, notes: 'n' })
    assert.deepEqual(changed.body, { ...line, notes: 'n' })
  })

  it('PUT resets omitted fields to their defaults', async () => {
    const { order, part } = await makeOrderAndPart()
    const line = await post({ order, part, quantity: 2, notes: 'n', purchase_price: '2', purchase_price_currency: 'EUR' })
    const replaced = await member.put(`${PATH}${line.pk}/`, { order, quantity: 3 })
    const defaults = { notes: '', part: null, purchase_price: null, purchase_price_currency: 'USD', total_price: 0 }
    assert.deepEqual(replaced.body, { ...line, ...defaults, quantity: 3 })
    assert.deepEqual(Object.keys((await member.put(`${PATH}${line.pk}/`, {})).body).sort(), ['order', 'quantity'])
  })

  it('moves a line to another order of the same supplier, and updates both totals', async () => {
    const one = await makeOrderAndPart()
    const two = await makeOrder({ supplier: one.supplier })
    const line = await post({ order: one.order, part: one.part, purchase_price: '5' })
    assert.equal((await member.patch(`${PATH}${line.pk}/`, { order: two.pk })).status, 200)
    assert.deepEqual([(await readOrder(one.order)).total_price, (await readOrder(two.pk)).total_price], ['0.000000', '5.000000'])
    const response = await member.patch(`${PATH}${line.pk}/`, { order: (await makeOrder()).pk })
    assert.deepEqual([response.status, Object.keys(response.body).sort()], [400, ['order', 'part']])
  })

  it('allows edits of a line whose order changed its supplier', async () => {
    const { order, part } = await makeOrderAndPart()
    const line = await post({ order, part })
    await member.patch(`/api/order/po/${order}/`, { supplier: await supplier() })
    assert.equal((await member.patch(`${PATH}${line.pk}/`, { order, part, quantity: 4 })).status, 200)
  })

  it('DELETE removes one line or many, and updates the order’s total', async () => {
    const { order, part } = await makeOrderAndPart()
    const lines = []
    for (const price of ['1', '2', '4', '8'])
      lines.push((await post({ order, part, purchase_price: price, merge_items: false })).pk)
    assert.equal((await member.delete(`${PATH}${lines[0]}/`)).status, 204)
    assert.equal((await readOrder(order)).total_price, '14.000000')
    assert.equal((await member.delete(PATH, { items: [lines[1], lines[2], 99_999] })).status, 204)
    const { total_price, line_items } = await readOrder(order)
    assert.deepEqual([total_price, line_items], ['8.000000', 1])
    for (const body of [{}, { items: 5 }, { filters: 'x' }]) assert.equal((await member.delete(PATH, body)).status, 400)
    assert.equal(await listKeys(`order=${order}`).then((pks) => pks.length), 1)
  })

  it('requires the matching right', async () => {
    const { order, part } = await makeOrderAndPart()
    const { pk } = await post({ order, part })
    await assertCallers(service, (client) => client.patch(`${PATH}${pk}/`, { notes: 'x' }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.put(`${PATH}${pk}/`, { order, quantity: 1 }), ['member', 'superuser'])
    await assertCallers(service, (client) => client.get(`${PATH}${pk}/metadata/`), ['viewer', 'member', 'superuser'])
    await assertCallers(service, (client) => client.delete(`${PATH}${pk}/`), ['member', 'superuser'], countLines)
    await assertCallers(service, (client) => client.delete(PATH, { items: [] }), ['member', 'superuser'])
  })
})

describe('the total of an order', () => {
  it('property: does not depend on the sequence in which lines are added, changed and deleted', async () => {
    const price = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((value) => (value / 1e6).toFixed(6))
    const quantity = fc.integer({ min: 0, max: 10 ** 7 }).map((value) => (value / 1e5).toFixed(5))
    const lines = fc.array(fc.record({ price, quantity, extra: fc.boolean() }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(lines, async (newLines) => {
        const totals = []
        for (const sequence of [newLines, newLines.toReversed()]) {
          const { pk: order } = await makeOrder()
          const temporaryLine = await post({ order, quantity: 7, purchase_price: '123.456789' })
          for (const { price, quantity, extra } of sequence) {
            if (extra) await member.post('/api/order/po-extra-line/', { order, quantity, price })
            else await post({ order, quantity, purchase_price: price })
          }
          await member.delete(`${PATH}${temporaryLine.pk}/`)
          totals.push((await readOrder(order)).total_price)
        }
        const [{ sum }] = await service.rows(
          `select round(coalesce(sum(q * p), 0), 6)::text as sum from unnest($1::numeric[], $2::numeric[]) line (q, p)`,
          [newLines.map((line) => line.quantity), newLines.map((line) => line.price)],
        )
        assert.equal(totals[0], totals[1])
        // compared as whole millionths: as floats, the difference may slightly exceed one
        assert.ok(Math.abs(Math.round(Number(totals[0]) * 1e6) - Math.round(Number(sum) * 1e6)) <= 1)
      }),
      { numRuns: 10 },
    )
  })
})
