import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createSalesHelpers } from '../../testing/objects/selling.ts'
import { type TestResponse, testService } from '../../testing/service.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const sell = createSalesHelpers(service)
const { member, superuser } = service

const createKeyHeaders = () => ({ 'idempotency-key': crypto.randomUUID() })
const summarize = ({ status, body, headers }: TestResponse) => [status, body, headers['idempotency-replayed']]

/** Creates a placed order for 100 of a supplier part, and a label that names only the product and may be received any number of times. */
async function createPlacedOrder() {
  const { line, order, sku } = await make.labelledOrder({ quantity: 100 })
  const body = {
    barcode: ['[)>\u001e06', `P${sku}`, 'Q3'].join('\u001d'),
    purchase_order: order,
    location: await make.location(),
  }
  const readReceived = async () => (await member.get(`/api/order/po-line/${line}/`)).body.received as number
  return { body, readReceived }
}

/** Reads the statuses of a code's scans from the history, in order. */
const readScanStatuses = async (code: string): Promise<number[]> =>
  (await superuser.get(`/api/barcode/history/?ordering=pk&data=${encodeURIComponent(code)}`)).body.results.map(
    ({ status }: { status: number }) => status,
  )

describe('a scan that is repeated with its Idempotency-Key', () => {
  const receivePath = '/api/barcode/po-receive/'

  it('receives once and returns the first response', async () => {
    const { body, readReceived } = await createPlacedOrder()
    const keyHeaders = createKeyHeaders()
    const first = await member.post(receivePath, body, keyHeaders)
    assert.equal(first.status, 201, first.text)
    for (let attempt = 0; attempt < 2; attempt++)
      assert.deepEqual(summarize(await member.post(receivePath, body, keyHeaders)), [201, first.body, 'true'])
    assert.equal(await readReceived(), 3)
    assert.equal((await member.post(receivePath, body, createKeyHeaders())).status, 201)
    assert.equal(await readReceived(), 6)
  })

  it('receives once when sent concurrently', async () => {
    const { body, readReceived } = await createPlacedOrder()
    const keyHeaders = createKeyHeaders()
    const responses = await Promise.all(Array.from({ length: 8 }, () => member.post(receivePath, body, keyHeaders)))
    assert.deepEqual(
      responses.map(({ status }) => status),
      responses.map(() => 201),
    )
    assert.equal(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
    assert.equal(await readReceived(), 3)
  })

  it('is rejected with another body; errors do not use up a key, and keys are per account', async () => {
    const { body, readReceived } = await createPlacedOrder()
    const keyHeaders = createKeyHeaders()
    assert.equal((await member.post(receivePath, { ...body, barcode: 'nothing that is known' }, keyHeaders)).status, 400)
    assert.equal((await member.post(receivePath, body, keyHeaders)).status, 201)
    assert.equal((await member.post(receivePath, { ...body, location: null }, keyHeaders)).status, 422)
    assert.equal(
      (await member.post('/api/barcode/link/', { barcode: 'K-1', stocklocation: body.location }, keyHeaders)).status,
      422,
    )
    assert.equal(await readReceived(), 3)
    assert.equal((await superuser.post(receivePath, body, keyHeaders)).status, 201)
    assert.equal(await readReceived(), 6)
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
      const keyHeaders = createKeyHeaders()
      const first = await member.post(path, body, keyHeaders)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(summarize(await member.post(path, body, keyHeaders)), [201, first.body, 'true'])
    }
    assert.equal((await member.get(`/api/order/so-line/${line}/`)).body.allocated, 2)
  })

  it('returns the first response even if the label would be rejected now, also under concurrent requests', async () => {
    const { order, label } = await make.labelledOrder()
    const body = { barcode: label(2), purchase_order: order, location: await make.location() }
    const keyHeaders = createKeyHeaders()
    const responses = await Promise.all(Array.from({ length: 6 }, () => member.post(receivePath, body, keyHeaders)))
    const [first] = responses
    assert.ok(first)
    for (const { status, body } of responses) assert.deepEqual([status, body], [201, first.body])
    assert.deepEqual(summarize(await member.post(receivePath, body, keyHeaders)), [201, first.body, 'true'])
    assert.equal((await member.post(receivePath, body)).status, 400)
    assert.deepEqual(await readScanStatuses(body.barcode), [201, 400])
  })

  it('scans, finds a supplier part to order and unlinks once, with one scan in the history', async () => {
    const location = await make.location()
    const company = await make.supplier()
    const supplierPart = await make.supplierPart(company)
    const order = (await member.post('/api/order/po/', { reference: 'PO-8001', supplier: company })).body.pk
    assert.equal((await member.post('/api/barcode/link/', { barcode: 'K-3', stocklocation: location })).status, 201)
    for (const [path, body, code] of [
      ['/api/barcode/', { barcode: `{"stocklocation": ${location}}` }, `{"stocklocation": ${location}}`],
      [
        '/api/barcode/po-allocate/',
        { barcode: `{"supplierpart": ${supplierPart}}`, purchase_order: order },
        `{"supplierpart": ${supplierPart}}`,
      ],
      ['/api/barcode/unlink/', { stocklocation: location }, undefined],
    ] as const) {
      const keyHeaders = createKeyHeaders()
      const first = await member.post(path, body, keyHeaders)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(summarize(await member.post(path, body, keyHeaders)), [201, first.body, 'true'])
      if (code) assert.deepEqual(await readScanStatuses(code), [201])
    }
    assert.deepEqual(await readScanStatuses('K-3'), [201, 201])
  })

  it('is written to the history when rejected, except when rejected for its key', async () => {
    const { body } = await createPlacedOrder()
    const keyHeaders = createKeyHeaders()
    const unknown = { ...body, barcode: 'UNKNOWN-1' }
    for (let attempt = 0; attempt < 2; attempt++) assert.equal((await member.post(receivePath, unknown, keyHeaders)).status, 400)
    assert.deepEqual(await readScanStatuses('UNKNOWN-1'), [400, 400])
    assert.equal((await member.post(receivePath, body, keyHeaders)).status, 201)
    assert.equal((await member.post(receivePath, unknown, keyHeaders)).status, 422)
    assert.deepEqual(await readScanStatuses('UNKNOWN-1'), [400, 400])
    assert.equal((await member.post(receivePath, { ...body, location: 999_999 }, createKeyHeaders())).status, 400)
    assert.equal((await member.post(receivePath, { ...body, barcode: 5 }, createKeyHeaders())).status, 400)
    assert.deepEqual(await readScanStatuses(body.barcode), [201, 400])
  })
})
