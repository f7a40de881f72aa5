import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { purchasing } from '../../testing/objects/purchasing.ts'
import { selling } from '../../testing/objects/selling.ts'
import { type Answer, testService } from '../../testing/service.ts'

const service = await testService()
const make = purchasing(service)
const sell = selling(service)
const { member, superuser } = service

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
const tellOf = ({ status, body, headers }: Answer) => [status, body, headers['idempotency-replayed']]

/** A placed order for 100 of a supplier part, and a label of it that names only the product: it may be received again and again. */
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

describe('a scan that is sent again with its Idempotency-Key', () => {
  const receive = '/api/barcode/po-receive/'

  it('receives once, and is answered as the first time', async () => {
    const { body, received } = await ordered()
    const once = key()
    const first = await member.post(receive, body, once)
    assert.equal(first.status, 201, first.text)
    for (let again = 0; again < 2; again++)
      assert.deepEqual(tellOf(await member.post(receive, body, once)), [201, first.body, 'true'])
    assert.equal(await received(), 3)
    assert.equal((await member.post(receive, body, key())).status, 201)
    assert.equal(await received(), 6)
  })

  it('receives once when it is sent by several at once', async () => {
    const { body, received } = await ordered()
    const once = key()
    const answers = await Promise.all(Array.from({ length: 8 }, () => member.post(receive, body, once)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 201),
    )
    assert.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1)
    assert.equal(await received(), 3)
  })

  it('is refused with another body; a refusal keeps no key; the key of one account is not that of another', async () => {
    const { body, received } = await ordered()
    const once = key()
    assert.equal((await member.post(receive, { ...body, barcode: 'nothing that is known' }, once)).status, 400)
    assert.equal((await member.post(receive, body, once)).status, 201)
    assert.equal((await member.post(receive, { ...body, location: null }, once)).status, 422)
    assert.equal((await member.post('/api/barcode/link/', { barcode: 'K-1', stocklocation: body.location }, once)).status, 422)
    assert.equal(await received(), 3)
    assert.equal((await superuser.post(receive, body, once)).status, 201)
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
      const once = key()
      const first = await member.post(path, body, once)
      assert.equal(first.status, 201, first.text)
      assert.deepEqual(tellOf(await member.post(path, body, once)), [201, first.body, 'true'])
    }
    assert.equal((await member.get(`/api/order/so-line/${line}/`)).body.allocated, 2)
  })
})
