import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { checks } from '../stock/verification/checks.ts'

const service = await testService()
const { member } = service
const { supplier, supplierPart, part } = createPurchaseHelpers(service)
let number = 0

const createOrder = async (fields: object = {}) => {
  const company = await supplier()
  const { status, body } = await member.post('/api/order/po/?extended=true', {
    reference: `PO-${++number}`,
    supplier: company,
    ...fields,
  })
  return { status, body, pk: body.pk as number, company }
}
const readTotal = async (pk: number): Promise<string> => (await member.get(`/api/order/po/${pk}/`)).body.total_price
const totalsCheck = checks.find(({ name }) => name === 'order_totals')

/** A quantity, a price and a discount in their smallest units: 0.00001, 0.000001 and 0.01 %. */
const lines = fc.array(
  fc.record({
    quantity: fc.bigInt({ min: 0n, max: 10n ** 10n }),
    price: fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }),
    discount: fc.bigInt({ min: 0n, max: 10_000n }),
  }),
  { minLength: 1, maxLength: 6 },
)

/** Writes an integer of units of 10^-places as a decimal. */
function toDecimal(value: bigint, places: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(places + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Rounds units of 10^-15 to units of 10^-6, halves away from zero, as the database does. */
function roundToMoney(value: bigint): bigint {
  const size = (value < 0n ? -value : value) + 5n * 10n ** 8n
  return (value < 0n ? -1n : 1n) * (size / 10n ** 9n)
}

describe('amounts of lines and totals of orders', () => {
  it('reduce 10 times 12.5 by 5 % to 118.75, and other charges in the same way', async () => {
    const { pk, company } = await createOrder()
    const price = { purchase_price: '12.5', purchase_price_currency: 'USD', auto_pricing: false }
    const line = await member.post('/api/order/po-line/?extended=true', {
      order: pk,
      part: await supplierPart(company),
      quantity: 10,
      discount: 5,
      ...price,
    })
    assert.deepEqual([line.body.discount, line.body.total_price], [5, 118.75])
    assert.equal(await readTotal(pk), '118.750000')
    const charge = { order: pk, quantity: 1, price: '30', price_currency: 'USD', discount: 50 }
    assert.equal((await member.post('/api/order/po-extra-line/?extended=true', charge)).body.discount, 50)
    assert.equal(await readTotal(pk), '133.750000')
    await member.patch(`/api/order/po-line/${line.body.pk}/`, { discount: 100 })
    assert.equal(await readTotal(pk), '15.000000')
  })

  it('are exact: they match integers of the smallest units', async () => {
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const { pk } = await createOrder()
        for (const { quantity, price, discount } of all)
          await service.rows(
            `insert into purchase_order_line ("order", quantity, purchase_price, purchase_price_currency, discount)
             values ($1, $2, $3, 'USD', $4)`,
            [pk, toDecimal(quantity, 5), toDecimal(price, 6), toDecimal(discount, 2)],
          )
        // a change of the order computes its total again
        await member.patch(`/api/order/po/${pk}/`, { description: 'changed' })
        const exact = all.reduce((sum, { quantity, price, discount }) => sum + quantity * price * (10_000n - discount), 0n)
        assert.equal(await readTotal(pk), toDecimal(roundToMoney(exact), 6))
      }),
      { numRuns: 40 },
    )
    assert.deepEqual(await service.rows(totalsCheck?.violationsQuery ?? ''), [])
  })

  it('need a discount from 0 to 100 % with up to two decimals', async () => {
    const { pk } = await createOrder()
    for (const discount of [-1, 100.01, 12.345, 'abc', null]) {
      const { status, body } = await member.post('/api/order/po-line/?extended=true', { order: pk, quantity: 1, discount })
      assert.deepEqual([status, Object.keys(body)], [400, ['discount']], String(discount))
    }
    assert.equal((await member.get(`/api/order/po-line/?order=${pk}`)).body.count, 0)
  })
})

describe('lines of orders', () => {
  it('are sorted by the numbers in their line numbers', async () => {
    const { pk } = await createOrder()
    for (const line of ['10', '9', '', '10a', 'A2'])
      assert.equal((await member.post('/api/order/po-line/?extended=true', { order: pk, quantity: 1, line })).status, 201)
    const { results } = (await member.get(`/api/order/po-line/?order=${pk}&ordering=line&extended=true`)).body
    assert.deepEqual(
      results.map(({ line }: { line: string }) => line),
      ['', 'A2', '9', '10', '10a'],
    )
    const tooLong = await member.post('/api/order/po-line/?extended=true', { order: pk, quantity: 1, line: 'x'.repeat(21) })
    assert.deepEqual([tooLong.status, Object.keys(tooLong.body)], [400, ['line']])
  })

  it('have project codes, discounts and line numbers that a copy keeps', async () => {
    const { pk, company } = await createOrder()
    const [{ pk: project_code }] = await service.rows(`insert into project_code (code) values ('P42') returning pk`)
    const fields = { line: '7', project_code, discount: 2.5 }
    await member.post('/api/order/po-line/?extended=true', {
      order: pk,
      part: await supplierPart(company),
      quantity: 1,
      ...fields,
    })
    await member.post('/api/order/po-extra-line/?extended=true', { order: pk, quantity: 1, ...fields })
    const copy = await createOrder({ duplicate_order: pk, duplicate_line_items: true, duplicate_extra_lines: true })
    for (const path of ['/api/order/po-line/', '/api/order/po-extra-line/']) {
      const [line] = (await member.get(`${path}?order=${copy.pk}&extended=true`)).body.results
      assert.deepEqual(
        [line.line, line.project_code, line.discount, line.project_code_detail.code],
        ['7', project_code, 2.5, 'P42'],
      )
      assert.equal((await member.get(`${path}?project_code=${project_code}`)).body.count, 2)
    }
  })

  it('are not merged if their discounts differ', async () => {
    const { pk, company } = await createOrder()
    const line = { order: pk, part: await supplierPart(company), quantity: 1 }
    const first = (await member.post('/api/order/po-line/?extended=true', line)).body
    const second = (await member.post('/api/order/po-line/?extended=true', { ...line, discount: 5 })).body
    assert.notEqual(second.pk, first.pk)
    assert.equal((await member.post('/api/order/po-line/?extended=true', { ...line, discount: 5 })).body.pk, second.pk)
  })

  it('order what a build order makes', async () => {
    const { pk, company } = await createOrder()
    const [made, other] = [await part(), await part()]
    const [{ pk: build }] = await service.rows(
      `insert into build_order (reference, title, part, quantity) values ('BO-9', 'by the supplier', $1, 3) returning pk`,
      [made],
    )
    const line = { order: pk, quantity: 3, build_order: build }
    const wrong = await member.post('/api/order/po-line/?extended=true', {
      ...line,
      part: await supplierPart(company, { part: other }),
    })
    assert.deepEqual([wrong.status, Object.keys(wrong.body)], [400, ['build_order']])
    const right = await member.post('/api/order/po-line/?extended=true', {
      ...line,
      part: await supplierPart(company, { part: made }),
    })
    assert.deepEqual([right.status, right.body.build_order], [201, build])
    assert.equal((await member.get(`/api/order/po-line/?build_order=${build}`)).body.count, 1)
  })
})

describe('dates of orders', () => {
  it('reject a start after the target, and nothing changes', async () => {
    const dates = { start_date: '2031-02-02', target_date: '2031-02-01' }
    const rejected = await createOrder(dates)
    assert.deepEqual([rejected.status, Object.keys(rejected.body).sort()], [400, ['start_date', 'target_date']])
    const { pk } = await createOrder({ start_date: '2031-02-01', target_date: '2031-02-01' })
    for (const change of [{ start_date: '2031-02-02' }, { target_date: '2031-01-31' }])
      assert.equal((await member.patch(`/api/order/po/${pk}/`, change)).status, 400)
    assert.equal((await member.get(`/api/order/po/${pk}/?extended=true`)).body.start_date, '2031-02-01')
  })

  it('say when the order changed', async () => {
    const { pk, body } = await createOrder()
    assert.ok(body.updated_at)
    await service.rows(`alter table purchase_order disable trigger date_change`)
    await service.rows(`update purchase_order set updated_at = '2020-01-01' where pk = $1`, [pk])
    await service.rows(`alter table purchase_order enable trigger date_change`)
    await member.post('/api/order/po-line/?extended=true', { order: pk, quantity: 1 })
    assert.ok((await member.get(`/api/order/po/${pk}/?extended=true`)).body.updated_at > '2026')
  })
})

describe('the destination of a purchase order', () => {
  it('applies to lines without one', async () => {
    const [dock] = await service.rows(`insert into stock_location (name) values ('Dock') returning pk`)
    const [bin] = await service.rows(`insert into stock_location (name) values ('Bin') returning pk`)
    const { pk, company } = await createOrder({ destination: dock.pk })
    const line = async (fields: object) =>
      (
        await member.post('/api/order/po-line/?extended=true', {
          order: pk,
          part: await supplierPart(company),
          quantity: 1,
          ...fields,
        })
      ).body
    const [plain, own] = [await line({}), await line({ destination: bin.pk })]
    assert.deepEqual([plain.destination_detail.pk, own.destination_detail.pk], [dock.pk, bin.pk])
    await member.post(`/api/order/po/${pk}/issue/`)
    const items = [plain, own].map(({ pk: line_item }) => ({ line_item, quantity: 1, location: null }))
    assert.equal((await member.post(`/api/order/po/${pk}/receive/`, { items, location: null })).status, 201)
    const received = await service.rows('select location from stock_item where purchase_order = $1 order by pk', [pk])
    assert.deepEqual(
      received.map(({ location }) => location),
      [dock.pk, bin.pk],
    )
  })
})
