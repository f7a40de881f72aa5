import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { fillStock, insertItem, parts } from '../stock/fixture.ts'

const service = await testService()
const { nobody } = service
const { setting } = createPurchaseHelpers(service)
const ACCOUNTS = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const
before(() => fillStock(service))

describe('POST /api/generate/batch-code/', () => {
  const generate = (body: object = {}) => nobody.post('/api/generate/batch-code/', body)

  it('returns the code of the setting', async () => {
    await setting('STOCK_BATCH_CODE_TEMPLATE', 'B-{{ year }}')
    for (const body of [
      {},
      { part: parts.screw, quantity: 3, location: null, item: null, build_order: null, purchase_order: '' },
    ]) {
      const response = await generate(body)
      assert.deepEqual([response.status, response.body], [201, { batch_code: `B-${new Date().getFullYear()}` }])
    }
    await setting('STOCK_BATCH_CODE_TEMPLATE', '')
    assert.deepEqual((await generate()).body, { batch_code: '' })
  })

  it('rejects unknown objects', async () => {
    for (const field of ['part', 'item', 'location', 'build_order', 'purchase_order']) {
      const { status, body } = await generate({ [field]: 999_999 })
      assert.deepEqual([status, Object.keys(body)], [400, [field]])
    }
    assert.deepEqual(Object.keys((await generate({ quantity: 'many' })).body), ['quantity'])
  })

  it('requires an account', () => assertCallers(service, (client) => client.post('/api/generate/batch-code/'), ACCOUNTS))
})

describe('POST /api/generate/serial-number/', () => {
  const generate = async (body: object) => (await nobody.post('/api/generate/serial-number/', body)).body

  it('continues from the last number of the template and its variants', async () => {
    assert.deepEqual(await generate({ part: parts.board }), { serial_number: '1' })
    await insertItem(service, { part: parts.redBoard, serial: 'X-9', quantity: '1' })
    assert.deepEqual(await generate({ part: parts.blueBoard, quantity: 3 }), { serial_number: 'X-10,X-11,X-12' })
    assert.deepEqual(await generate({ part: parts.board, quantity: 0 }), { serial_number: 'X-10' })
    const [{ count }] = await service.rows('select count(*)::integer from stock_item')
    assert.equal(count, 1)
  })

  it('returns none without a part, or if the last one does not end in a digit', async () => {
    assert.deepEqual(await generate({}), { serial_number: null })
    await insertItem(service, { part: parts.lamp, serial: 'last', quantity: '1' })
    assert.deepEqual(await generate({ part: parts.lamp }), { serial_number: null })
  })

  it('rejects unknown parts and other numbers', async () => {
    for (const body of [{ part: 'x' }, { part: 999_999 }]) assert.deepEqual(Object.keys(await generate(body)), ['part'])
    for (const quantity of [-1, 5001, 1.5, null]) assert.deepEqual(Object.keys(await generate({ quantity })), ['quantity'])
  })

  it('requires an account', () => assertCallers(service, (client) => client.post('/api/generate/serial-number/'), ACCOUNTS))
})
