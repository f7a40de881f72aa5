import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { member, superuser } = service
const shelf = await make.location()

const GS = '\u001d'
let number = 0

/** Creates a placed order for a hundred of one supplier part, and labels of its deliveries. */
async function createPlacedOrder() {
  const supplier = await make.supplier()
  const part = await make.supplierPart(supplier)
  const [sku, reference] = [`SKU-${++number}`, `PO-${9000 + number}`]
  await service.rows('update supplier_part set "SKU" = $2 where pk = $1', [part, sku])
  const order = (await member.post('/api/order/po/', { reference, supplier })).body.pk
  const line = (await member.post('/api/order/po-line/', { order, part, quantity: 100 })).body.pk
  assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return {
    order,
    line,
    label: (delivery: string, separator = GS) =>
      ['[)>\u001e06', `K${reference}`, `P${sku}`, `11K${delivery}`, 'Q1'].join(separator),
    lcsc: (order: string) => `{on:${order},pc:${sku},qty:1}`,
    product: `[)>\u001e06${GS}P${sku}${GS}Q1`,
    receive: (...barcodes: string[]) =>
      member.post(`/api/order/po/${order}/receive/`, {
        items: barcodes.map((barcode) => ({ line_item: line, quantity: 1, barcode })),
        location: shelf,
      }),
    scan: (barcode: string) => member.post('/api/barcode/po-receive/', { barcode, purchase_order: order, location: shelf }),
    readReceived: async () => (await member.get(`/api/order/po-line/${line}/`)).body.received,
    consumeStock: () => service.rows('delete from stock_item where purchase_order = $1', [order]),
  }
}

describe('a label that was received', () => {
  it("does not count again in the order's receive after a scan, even when its stock is depleted", async () => {
    const { label, scan, receive, consumeStock, readReceived } = await createPlacedOrder()
    assert.equal((await scan(label('1'))).status, 201)
    assert.deepEqual((await receive(label('1', '{GS}'))).body, { items: [{ barcode: ['Barcode is already in use'] }] })
    await consumeStock()
    for (const code of [label('1'), label('1', '{GS}')])
      assert.deepEqual((await receive(label('2'), code)).body, { items: [{}, { barcode: ['Item has already been received'] }] })
    assert.equal(await readReceived(), 1)
    // rejected codes are not recorded
    assert.equal((await scan(label('2'))).status, 201)
  })

  it("does not count again in a scan after the order's receive", async () => {
    const { label, lcsc, scan, receive, consumeStock, readReceived } = await createPlacedOrder()
    for (const code of [label('1'), lcsc('A-1')]) {
      assert.equal((await receive(code)).status, 201)
      assert.equal((await scan(code)).body.error, 'Item has already been received')
      await consumeStock()
      assert.equal((await scan(code)).body.error, 'Item has already been received', code)
    }
    assert.equal(await readReceived(), 2)
  })

  it("does not count again in the order's receive after an earlier one", async () => {
    const { label, lcsc, receive, consumeStock, readReceived } = await createPlacedOrder()
    const tme = `QTY:1 PN:SKU-${number} PO:${number}`
    assert.equal((await receive(label('1'), lcsc('A-2'), tme)).status, 201)
    await consumeStock()
    for (const repeatedCode of [label('1', '\u241d'), lcsc('A-2'), ` ${tme}`])
      assert.deepEqual(
        (await receive(repeatedCode)).body,
        { items: [{ barcode: ['Item has already been received'] }] },
        repeatedCode,
      )
    assert.equal(await readReceived(), 3)
  })

  it('counts again if it names only a product, or is unknown', async () => {
    const { product, scan, receive, consumeStock, readReceived } = await createPlacedOrder()
    for (const code of [product, `TOTE-${number}`])
      for (let time = 0; time < 2; time++) {
        assert.equal((await receive(code)).status, 201)
        await consumeStock()
      }
    assert.equal((await scan(product)).status, 201)
    assert.equal((await scan(product)).status, 201)
    assert.equal(await readReceived(), 6)
  })

  it('counts once under concurrent scans and receives', async () => {
    const { label, scan, receive, readReceived, order } = await createPlacedOrder()
    const [one, other] = [label('1'), label('2')]
    const requests = [
      () => receive(one, other),
      () => receive(other, one),
      () => scan(one),
      () => scan(label('1', '{GS}')),
      () => scan(other),
      () => receive(label('2', '\u241d'), label('3')),
    ]
    const responses = await Promise.all([...requests, ...requests].map((send) => send()))
    for (const { status, text } of responses) assert.ok(status === 201 || status === 400, text)
    const codes = await service.rows('select barcode_data as code from stock_item where purchase_order = $1', [order])
    assert.equal(codes.length, await readReceived())
    assert.equal(new Set(codes.map(({ code }) => code.replace(/\{GS\}|\u241d/g, GS))).size, codes.length)
    for (const code of [one, other]) assert.equal((await scan(code)).status, 400)
  })
})

describe('POST /api/order/po/{id}/receive/ with barcodes', () => {
  it('accepts a code for only one of several orders received concurrently', async () => {
    const [one, other] = [await createPlacedOrder(), await createPlacedOrder()]
    for (const code of [one.label, one.lcsc]) {
      const [first, second] = [code('1'), code('2')]
      const requests = Array.from({ length: 4 }, () => [one.receive(first, second), other.receive(second, first)]).flat()
      const responses = await Promise.all(requests)
      assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(400)])
    }
    assert.equal((await one.readReceived()) + (await other.readReceived()), 4)
  })

  it('preserves their separators', async () => {
    const { receive, order } = await createPlacedOrder()
    const code = `]C1010400638133393110ABC${GS}21${number}`
    assert.equal((await receive(` ${code}`)).body.items[0].barcode, code)
    const otherNotation = `(01)04006381333931(10)ABC(21)${number}`
    const [item] = await service.rows('select pk from stock_item where purchase_order = $1', [order])
    assert.equal((await superuser.post('/api/barcode/', { barcode: otherNotation })).body.stockitem.pk, item.pk)
  })

  it('rejects invisible codes, duplicates, and codes that stand for anything else', async () => {
    const { receive, readReceived } = await createPlacedOrder()
    const part = await make.part()
    assert.equal((await superuser.post('/api/barcode/link/', { barcode: `of a part ${part}`, part })).status, 201)
    assert.deepEqual((await receive(`of a part ${part}`)).body, { items: [{ barcode: ['Barcode is already in use'] }] })
    for (const blank of ['\u200b', '{GS}'])
      assert.deepEqual((await receive(blank)).body, { items: [{ barcode: ['This field may not be blank.'] }] })
    const uniqueError = { non_field_errors: ['Supplied barcode values must be unique'] }
    assert.deepEqual((await receive('a{GS}b', 'a\u241db')).body, uniqueError)
    assert.equal(await readReceived(), 0)
    assert.equal((await receive('', ' ')).status, 201)
  })
})
