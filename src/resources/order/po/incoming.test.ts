import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const { supplier, supplierPart, part, location } = createPurchaseHelpers(service)

describe('GET /api/part/ and /api/build/line/ with incoming=true', () => {
  it('counts outstanding quantities of issued orders, in units of the part, but not of pending ones', async () => {
    const [company, component, shelf] = [await supplier(), await part(), await location()]
    await service.rows('update part set component = true, purchaseable = true where pk = $1', [component])
    const [reel, single] = [
      await supplierPart(company, { part: component, pack: '2.5' }),
      await supplierPart(company, { part: component }),
    ]
    let orders = 0
    const createOrder = async (lines: [part: number, quantity: string][]) => {
      const { pk } = (await member.post('/api/order/po/', { reference: `PO-${++orders}`, supplier: company })).body
      const lineKeys: number[] = []
      for (const [supplierPartPk, quantity] of lines) {
        const { status, body, text } = await member.post('/api/order/po-line/', {
          order: pk,
          part: supplierPartPk,
          quantity,
          merge_items: false,
        })
        assert.equal(status, 201, text)
        lineKeys.push(body.pk)
      }
      return { pk, lines: lineKeys }
    }
    const act = async (path: string, body: object = {}) => {
      const { status, text } = await member.post(path, body)
      assert.equal(status, 201, text)
    }
    const readIncoming = async () => {
      const { body } = await member.get(`/api/part/${component}/?incoming=true`)
      return [body.incoming, body.ordering]
    }
    assert.deepEqual(await readIncoming(), [0, 0])
    const first = await createOrder([
      [reel, '10'],
      [single, '3'],
    ])
    assert.deepEqual(await readIncoming(), [0, 28])
    await act(`/api/order/po/${first.pk}/issue/`)
    await createOrder([[single, '100']])
    assert.deepEqual(await readIncoming(), [28, 128])
    const items = [
      { line_item: first.lines[0], quantity: 4 },
      // an excess delivery does not reduce the other line
      { line_item: first.lines[1], quantity: 5 },
    ]
    await act(`/api/order/po/${first.pk}/receive/`, { items, location: shelf, allow_over_receipt: true })
    assert.deepEqual(await readIncoming(), [15, 115])
    const listed = await member.get('/api/part/?incoming=true&ordering=-ordering&limit=1')
    assert.deepEqual([listed.body.results[0].pk, listed.body.results[0].incoming], [component, 15])
    assert.equal((await member.get(`/api/part/${component}/`)).body.incoming, undefined)

    const product = await part()
    await service.rows('update part set assembly = true where pk = $1', [product])
    await act('/api/bom/', { part: product, sub_part: component, quantity: 2 })
    const build = (await member.post('/api/build/', { reference: 'BO-1', part: product, quantity: 1 })).body.pk
    const lines = await member.get(`/api/build/line/?build=${build}&incoming=true`)
    assert.deepEqual([lines.body.results[0].incoming, lines.body.results[0].on_order], [15, 115])

    await act(`/api/order/po/${first.pk}/cancel/`)
    assert.deepEqual(await readIncoming(), [0, 100])
  })
})
