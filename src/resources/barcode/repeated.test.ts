import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { type TestResponse, testService } from '../../testing/service.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const sell = createSalesHelpers(service)
const { member, superuser } = service

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
const summarize = ({ status, body, headers }: TestResponse) => [status, body, headers['idempotency-replayed']]

/** Creates a placed order for 100 of a supplier part, and a label that names only the product and may be received any number of times. */
async function ordered() {
  const { line, order, sku } = await make.labelledOrder({ quantity: 100 })
  const body = {
    barcode: ['[)>\u001e06', `P${sku}`, 'Q3'].join('\u001d'),
    purchase_order: order,
    location: await make.location(),
  }
  const received = async () => (await member.get(`/api/order/po-line/${line}/`)).body.received as number
  return { body, received }
}

/** The statuses of a code's scans in the history, in order. */
const scansOf = async (code: string): Promise<number[]> =>
  (await superuser.get(`/api/barcode/history/?ordering=pk&data=${encodeURIComponent(code)}`)).body.results.map(
    ({ status }: { status: number }) => status,
  )

describe('a scan that is repeated with its Idempotency-Key', () => {
  const receive = '/api/barcode/po-receive/'

  it('receives once and returns the first response', async () => {
    const { body, received } = await ordered()
    const idempotencyKey = key()
    const first = await member.post(receive, body, idempotencyKey)
    assert.equal(first.status, 201, first.text)
    for (let attempt = 0; attempt < 2; attempt++)
      assert.deepEqual(summarize(await member.post(receive, body, idempotencyKey)), [201, first.body, 'true'])
    assert.equal(await received(), 3)
    assert.equal((await member.post(receive, body, key())).status, 201)
    assert.equal(await received(), 6)
  })

  it('receives once when sent concurrently', async () => {
    const { body, received } = await ordered()
    const idempotencyKey = key()
    const responses = await Promise.all(Array.from({ length: 8 }, () => member.post(receive, body, idempotencyKey)))
    assert.deepEqual(
      responses.map(({ status }) => status),
      responses.map(() => 201),
    )
    assert.equal(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
    assert.equal(await received(), 3)
  })

  it('is rejected with another body; errors do not use up a key, and keys are per account', async () => {
    const { body, received } = await ordered()
    const idempotencyKey = key()
    assert.equal((await member.post(receive, { ...body, barcode: 'nothing that is known' }, idempotencyKey)).status, 400)
    assert.equal((await member.post(receive, body, idempotencyKey)).status, 201)
    assert.equal((await member.post(receive, { ...body, location: null }, idempotencyKey)).status, 422)
    assert.equal(
      (await member.post('/api/barcode/link/', { barcode: 'K-1', stocklocation: body.location }, idempotencyKey)).status,
      422,
    )
    assert.equal(await received(), 3)
    assert.equal((await superuser.post(receive, body, idempotencyKey)).status, 201)
    assert.equal(await received(), 6)
  })

  it('allocates and links once', async () => {
    const part = await sell.part()
    const { order, line } = await sell.sale(part, 9)
    const item = await sell.stock(part, 9)
    const allocate = { barcode: `{"stockitem": ${item}}`, sales_order: order, quantity: 2 }
    const link = { barcode: 'K-2', stocklocation: await make.location() }
    for (const [path, body] of [
      ['/api/barcode/so-allocate/', allocate],
      ['/api/barcode/link/', link],
    ] as const) {
      const idempotencyKey = key()
      const first = await member.post(path, body, idempotencyKey)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(summarize(await member.post(path, body, idempotencyKey)), [201, first.body, 'true'])
    }
    assert.equal((await member.get(`/api/order/so-line/${line}/`)).body.allocated, 2)
  })

  it('returns the first response even if the label would be rejected now, also under concurrent requests', async () => {
    const { order, label } = await make.labelledOrder()
    const body = { barcode: label(2), purchase_order: order, location: await make.location() }
    const idempotencyKey = key()
    const responses = await Promise.all(Array.from({ length: 6 }, () => member.post(receive, body, idempotencyKey)))
    const [first] = responses
    assert.ok(first)
    for (const { status, body } of responses) assert.deepEqual([status, body], [201, first.body])
    assert.deepEqual(summarize(await member.post(receive, body, idempotencyKey)), [201, first.body, 'true'])
    assert.equal((await member.post(receive, body)).status, 400)
    assert.deepEqual(await scansOf(body.barcode), [201, 400])
  })

  it('scans, finds a supplier part to order and unlinks once, with one scan in the history', async () => {
    const location = await make.location()
    const company = await make.supplier()
    const sold = await make.supplierPart(company)
    const order = (await member.post('/api/order/po/', { reference: 'PO-8001', supplier: company })).body.pk
    assert.equal((await member.post('/api/barcode/link/', { barcode: 'K-3', stocklocation: location })).status, 201)
    for (const [path, body, code] of [
      ['/api/barcode/', { barcode: `{"stocklocation": ${location}}` }, `{"stocklocation": ${location}}`],
      ['/api/barcode/po-allocate/', { barcode: `{"supplierpart": ${sold}}`, purchase_order: order }, `{"supplierpart": ${sold}}`],
      ['/api/barcode/unlink/', { stocklocation: location }, undefined],
    ] as const) {
      const idempotencyKey = key()
      const first = await member.post(path, body, idempotencyKey)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(summarize(await member.post(path, body, idempotencyKey)), [201, first.body, 'true'])
      if (code) assert.deepEqual(await scansOf(code), [201])
    }
    assert.deepEqual(await scansOf('K-3'), [201, 201])
  })

  it('is written to the history when rejected, except when rejected for its key', async () => {
    const { body } = await ordered()
    const idempotencyKey = key()
    const unknown = { ...body, barcode: 'UNKNOWN-1' }
    for (let attempt = 0; attempt < 2; attempt++) assert.equal((await member.post(receive, unknown, idempotencyKey)).status, 400)
    assert.deepEqual(await scansOf('UNKNOWN-1'), [400, 400])
    assert.equal((await member.post(receive, body, idempotencyKey)).status, 201)
    assert.equal((await member.post(receive, unknown, idempotencyKey)).status, 422)
    assert.deepEqual(await scansOf('UNKNOWN-1'), [400, 400])
    assert.equal((await member.post(receive, { ...body, location: 999_999 }, key())).status, 400)
    assert.equal((await member.post(receive, { ...body, barcode: 5 }, key())).status, 400)
    assert.deepEqual(await scansOf(body.barcode), [201, 400])
  })
})
