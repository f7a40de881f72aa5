// Over 400 lines: tests everything that a label can state about goods, and each error, on one delivery.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { assertCallers, type TestResponse, testService } from '../../testing/service.ts'
import { computeBarcodeKey } from './barcode-hash.ts'
import { samples } from './sample-codes.ts'

const service = await testService()
const { supplier, supplierPart, part, location } = createPurchaseHelpers(service)
const { member } = service

const GS = '\u001d'
const path = '/api/barcode/po-receive/'
const scan = (barcode: string, body: object = {}) => member.post(path, { barcode, ...body })

let number = 0
const generateName = (kind: string) => `${kind}-${++number}`

/** Returns a label in the envelope that suppliers use. */
const createLabel = (...fields: readonly string[]) => [`[)>\u001e06`, ...fields].join(GS)

type OrderOptions = {
  company?: number
  sku?: string
  mpn?: string
  reference?: string
  supplier_reference?: string
  lines?: readonly { quantity: number; destination?: number }[]
  part?: number
  pack?: string
  isPlaced?: boolean
}

/** Creates an order with lines for one supplier part, placed by default. */
async function createOrder({ lines = [{ quantity: 10 }], isPlaced = true, ...options }: OrderOptions = {}) {
  const company = options.company ?? (await supplier())
  const sku = options.sku ?? generateName('Article')
  const supplierPartPk = await supplierPart(company, { part: options.part, pack: options.pack })
  await service.rows('update supplier_part set "SKU" = $2 where pk = $1', [supplierPartPk, sku])
  if (options.mpn)
    await service.rows(
      `with inserted as (insert into manufacturer_part (part, manufacturer, "MPN")
         select part, $2, $3 from supplier_part where pk = $1 returning pk)
       update supplier_part set manufacturer_part = inserted.pk from inserted where supplier_part.pk = $1`,
      [supplierPartPk, company, options.mpn],
    )
  const reference = options.reference ?? generateName('PO')
  const order = (await member.post('/api/order/po/', { reference: generateName('PO'), supplier: company })).body.pk as number
  await service.rows('update purchase_order set reference = $2, supplier_reference = $3 where pk = $1', [
    order,
    reference,
    options.supplier_reference ?? '',
  ])
  const lineKeys: number[] = []
  for (const line of lines) {
    const response = await member.post('/api/order/po-line/', { order, part: supplierPartPk, merge_items: false, ...line })
    assert.equal(response.status, 201, response.text)
    lineKeys.push(response.body.pk)
  }
  const place = () => member.post(`/api/order/po/${order}/issue/`)
  if (isPlaced) assert.equal((await place()).status, 201)
  return { order, company, sku, supplierPartPk, reference, lines: lineKeys, line: lineKeys[0] as number, place }
}

const readStock = (order: number) =>
  service.rows(
    `select pk, quantity::float, location, batch, serial, expiry_date::text, barcode_hash, barcode_data, supplier_part
     from stock_item where purchase_order = $1 order by pk`,
    [order],
  )
const readReceived = async (line: number) => (await member.get(`/api/order/po-line/${line}/`)).body.received

const assertRejected = (response: TestResponse, error: string | RegExp) => {
  assert.equal(response.status, 400, response.text)
  if (typeof error === 'string') assert.equal(response.body.error, error)
  else assert.match(String(response.body.error), error)
}

describe('POST /api/barcode/po-receive/', () => {
  it('rejects a missing order and a missing location', async () => {
    const { status, body } = await scan('any code', { purchase_order: 999_999, location: 888_888 })
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          purchase_order: ['Invalid pk "999999" - object does not exist.'],
          location: ['Invalid pk "888888" - object does not exist.'],
        },
      ],
    )
    assert.deepEqual(Object.keys((await scan('any code', { purchase_order: 'x', location: -1 })).body), [
      'purchase_order',
      'location',
    ])
  })

  it('receives a DigiKey label without a location if there is none, once its order is placed', async () => {
    const { order, line, place, supplierPartPk } = await createOrder({
      sku: '296-LM358BIDDFRCT-ND',
      supplier_reference: '72991337',
      isPlaced: false,
    })
    assertRejected(await scan(samples.digikey), "No matching purchase order for '72991337'")
    await place()
    const { status, body } = await scan(samples.digikey)
    const hash = '9a599c571f304b44fe32c466c5142a1e'
    assert.equal(status, 201)
    assert.deepEqual(body, {
      barcode: samples.digikey,
      barcode_data: samples.digikey,
      barcode_hash: hash,
      plugin: 'DigiKeyPlugin',
      lineitem: { pk: line, purchase_order: order, quantity: '10' },
      success: 'Received purchase order line item',
    })
    const [item, ...otherItems] = await readStock(order)
    assert.deepEqual(otherItems, [])
    assert.deepEqual(
      [item.quantity, item.location, item.barcode_hash, item.barcode_data, item.supplier_part],
      [10, null, hash, samples.digikey, supplierPartPk],
    )
    const { results } = (await member.get(`/api/stock/track/?item=${item.pk}`)).body
    assert.deepEqual([results.length, results[0].deltas.purchaseorder, results[0].deltas.quantity], [1, order, 10])
    assertRejected(await scan(samples.digikey), 'Item has already been received')
  })

  it('asks for a location if there are several, and uses the only one otherwise', async () => {
    const only = await location()
    const { order, sku, reference } = await createOrder({ lines: [{ quantity: 10 }, { quantity: 20 }] })
    const responseBody = (await scan(createLabel(`K${reference}`, `P${sku}`, 'Q10'))).body
    assert.equal(responseBody.lineitem.location, only)
    await location()
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q5')
    const { status, body } = await scan(code)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.action_required, 'Further information required to receive line item')
    assert.deepEqual([body.success, body.lineitem.location, body.lineitem.quantity], [undefined, undefined, '5'])
    assert.equal((await readStock(order)).length, 1)
    const receipt = await scan(code, { location: only })
    assert.deepEqual([receipt.status, receipt.body.location, receipt.body.lineitem.location], [201, only, only])
  })

  it('only finds the line, its quantity and its location with auto_allocate=false, and receives it then', async () => {
    const shelf = await location()
    const { order, line, sku, reference } = await createOrder({ lines: [{ quantity: 6, destination: shelf }] })
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q6', '11KPACKING-1')
    const { status, body } = await scan(code, { auto_allocate: false })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      [body.lineitem, body.action_required, body.success],
      [
        { pk: line, purchase_order: order, quantity: '6', location: shelf },
        'Further information required to receive line item',
        undefined,
      ],
    )
    assert.deepEqual([await readStock(order), await readReceived(line)], [[], 0])
    assert.equal((await scan(code, { auto_allocate: true })).status, 201)
    assert.equal(await readReceived(line), 6)
  })

  it('receives for the stated line, without an order on the label', async () => {
    const shelf = await location()
    const { order, sku, lines } = await createOrder({ lines: [{ quantity: 10 }, { quantity: 10 }] })
    const [first, second] = lines as [number, number]
    const { status, body } = await scan(createLabel(`P${sku}`, 'Q4'), { line_item: second, location: shelf })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual([body.lineitem.pk, body.lineitem.purchase_order, body.line_item], [second, order, second])
    assert.deepEqual([await readReceived(first), await readReceived(second)], [0, 4])
  })

  it('rejects a line that is unknown, of another order, of another supplier part, or complete', async () => {
    const shelf = await location()
    const { order, sku, lines, company } = await createOrder({ lines: [{ quantity: 2 }, { quantity: 3 }] })
    const [first, second] = lines as [number, number]
    const other = await createOrder({ company, lines: [{ quantity: 5 }] })
    const code = createLabel(`P${sku}`, 'Q2')
    const unknown = await scan(code, { line_item: 999_999 })
    assert.deepEqual(unknown.body, { line_item: ['Invalid pk "999999" - object does not exist.'] })
    const { status, body } = await scan(code, { line_item: other.line, purchase_order: order, location: shelf })
    assert.deepEqual([status, body], [400, { line_item: ['Line item does not match purchase order'] }])
    assertRejected(await scan(code, { line_item: other.line, location: shelf }), 'Supplier part does not match line item')
    assert.equal((await scan(code, { line_item: first, location: shelf })).status, 201)
    assertRejected(await scan(code, { line_item: first, location: shelf }), 'Failed to find pending line item for supplier part')
    assert.deepEqual([await readReceived(first), await readReceived(second), await readReceived(other.line)], [2, 0, 0])
  })

  it('looks for the supplier part of the stated supplier', async () => {
    const shelf = await location()
    const sku = generateName('Shared')
    const one = await createOrder({ sku })
    const two = await createOrder({ sku })
    const code = createLabel(`P${sku}`, 'Q1')
    const { status, body } = await scan(code, { supplier: two.company, purchase_order: two.order, location: shelf })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.lineitem.pk, two.line)
    assertRejected(
      await scan(code, { supplier: one.company, purchase_order: two.order, location: shelf }),
      /^The label is from .+, but the order is with /,
    )
    assert.equal(await readReceived(one.line), 0)
  })

  it('puts goods in the location of the line, otherwise in the default location of the part or its category', async () => {
    const [atLine, atPart, parentLocation] = [await location(), await location(), await location()]
    const [category] = await service.rows(
      `insert into part_category (name, default_location) values ('Goods', $1) returning pk`,
      [parentLocation],
    )
    const [childCategory] = await service.rows(
      `insert into part_category (name, parent) values ('Small goods', $1) returning pk`,
      [category.pk],
    )
    const categorized = await part()
    await service.rows('update part set category = $2 where pk = $1', [categorized, childCategory.pk])
    const receiveAndGetLocation = async (options: OrderOptions) => {
      const { sku, reference, order } = await createOrder(options)
      assert.equal((await scan(createLabel(`K${reference}`, `P${sku}`, 'Q10'))).status, 201)
      return (await readStock(order))[0].location
    }
    assert.equal(await receiveAndGetLocation({ lines: [{ quantity: 10, destination: atLine }] }), atLine)
    assert.equal(await receiveAndGetLocation({ part: categorized }), parentLocation)
    await service.rows('update part set default_location = $2 where pk = $1', [categorized, atPart])
    assert.equal(await receiveAndGetLocation({ part: categorized }), atPart)
    assert.equal(await receiveAndGetLocation({ part: categorized, lines: [{ quantity: 10, destination: atLine }] }), atLine)
  })

  it('reads the labels of every supplier', async () => {
    const shelf = await location()
    const lines = [{ quantity: 40, destination: shelf }]
    const mouser = await supplier()
    await service.rows(`update company set name = 'Mouser Electronics' where pk = $1`, [mouser])
    const cases: [string, OrderOptions, number][] = [
      [samples.mouser, { company: mouser, mpn: 'MC34063ADR', reference: 'p0-1337' }, 3],
      [samples.oldMouser, { company: mouser, mpn: 'LDK320ADU33R', supplier_reference: '21421337' }, 32],
      [samples.lcsc, { sku: 'c312270', supplier_reference: 'SO2009291337' }, 2],
      [samples.tme, { sku: 'WBP-302', reference: 'PO-2023-06-08-001337', supplier_reference: '19361337' }, 1],
    ]
    const orders: number[] = []
    for (const [code, options, quantity] of cases) {
      const { order, line } = await createOrder({ lines, ...options })
      const response = await scan(code)
      assert.equal(response.status, 201, `${code} ${response.text}`)
      assert.equal(response.body.lineitem.pk, line)
      orders.push(order)
      assert.equal((await readStock(order))[0].quantity, quantity)
      assertRejected(await scan(code), 'Item has already been received')
    }
    // without the order number and without the quantity
    const request = { purchase_order: orders[0], location: shelf }
    assert.equal((await scan(samples.mouser.replace('KP0-1337', 'K'), request)).body.lineitem?.quantity, '3')
    const uncounted = await scan(samples.mouser.replace(`${GS}Q3`, ''), request)
    assert.deepEqual([uncounted.status, 'quantity' in uncounted.body.lineitem], [200, false])
    const { order } = await createOrder({ lines, sku: 'WBP-302 again', reference: 'other' })
    await service.rows(`update supplier_part set "SKU" = 'gone' where "SKU" = 'WBP-302'`)
    await service.rows(`update supplier_part set "SKU" = 'WBP-302' where "SKU" = 'WBP-302 again'`)
    assertRejected(await scan(samples.oldTme), "No matching purchase order for '19361337/1'")
    assert.equal((await scan(samples.oldTme, { purchase_order: order })).status, 201)
    assert.equal((await readStock(order))[0].quantity, 1)
  })

  it('asks for the quantity if the label has none that can be counted', async () => {
    const { order, sku, reference, line } = await createOrder()
    for (const quantity of [[], ['Q'], ['Q0'], ['Qmany'], ['Q-1'], ['QNaN'], ['Q1e999'], [`Q${'9'.repeat(3000)}`]]) {
      const { status, body } = await scan(createLabel(`K${reference}`, `P${sku}`, ...quantity), { location: await location() })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.action_required !== undefined, body.lineitem.quantity], [true, undefined])
    }
    assert.deepEqual([await readStock(order), await readReceived(line)], [[], 0])
  })

  it('rejects labels that do not match the order, and receives nothing', async () => {
    const shelf = await location()
    const { order, sku, reference, line } = await createOrder()
    const validLabel = createLabel(`K${reference}`, `P${sku}`, 'Q1')
    const structural = await location({ structural: true })
    const { order: pending } = await createOrder({ isPlaced: false })
    assert.deepEqual((await scan(validLabel, { purchase_order: pending })).body, {
      purchase_order: ['Purchase order has not been placed'],
    })
    assert.deepEqual((await scan(validLabel, { location: structural })).body, {
      location: ['Cannot select a structural location'],
    })
    assert.deepEqual(Object.keys((await scan(validLabel, { purchase_order: 999_999 })).body), ['purchase_order'])
    for (const barcode of [undefined, null, '', ' \t', 'a\u0000b', 5, {}, 'x'.repeat(4096)])
      assert.deepEqual(Object.keys((await member.post(path, { barcode })).body), ['barcode'])

    const unknown = await scan(createLabel('Pnobody has this', 'Q1'))
    assertRejected(unknown, 'No match for supplier barcode')
    assert.equal(unknown.body.plugin, null)
    assert.equal(unknown.body.labels[0].supplier_part_number, 'nobody has this')
    const ownCode = await scan('{"part": 1}')
    assertRejected(ownCode, 'No match for supplier barcode')
    assert.equal(ownCode.body.labels, undefined)
    assertRejected(await scan(samples.digikeyNonsense), 'No match for supplier barcode')
    assertRejected(await scan(createLabel(`P${sku}`, 'Q1')), 'The barcode has no purchase order')
    assertRejected(await scan(createLabel('Kgone', `P${sku}`, 'Q1')), "No matching purchase order for 'gone'")
    const { order: another } = await createOrder()
    assertRejected(await scan(validLabel, { purchase_order: another }), 'Failed to find pending line item for supplier part')
    assertRejected(
      await scan(createLabel(`K${reference}`, `P${sku}`, 'Q1', `1T${'x'.repeat(101)}`), { location: shelf }),
      /lot code/,
    )

    const twice = generateName('Twice')
    await createOrder({ sku: twice })
    await createOrder({ sku: twice })
    const ambiguousResponse = await scan(createLabel(`P${twice}`, 'Q1'))
    assertRejected(ambiguousResponse, 'Found multiple matching supplier parts for barcode')
    assert.equal(ambiguousResponse.body.candidates.length, 2)
    await createOrder({ supplier_reference: 'two' })
    await createOrder({ supplier_reference: 'TWO' })
    assertRejected(await scan(createLabel('1Ktwo', `P${sku}`, 'Q1')), "Found multiple purchase orders matching 'two'")

    const lcsc = await supplier()
    await service.rows(`update company set name = 'LCSC' where pk = $1`, [lcsc])
    const text = `{on:x,pc:${sku},qty:1}`
    assertRejected(await scan(text, { purchase_order: order }), /^The label is from LCSC, but the order is with Supplier \d+$/)
    assert.deepEqual([await readStock(order), await readReceived(line)], [[], 0])
    assert.deepEqual(await service.rows(`select * from received_code where key = any($1)`, [[computeBarcodeKey(validLabel)]]), [])
  })

  it("does not receive another part of the label's supplier, and names both", async () => {
    const shelf = await location()
    const text = '>[)>06{GS}KPO-0019{GS}14K007{GS}1PLDK320ADU33R{GS}Q4{GS}11K060931337{GS}4LCN{GS}1VSTMicro'
    const mouser = await supplier()
    await service.rows(`update company set name = 'older' where name ilike '%mouser%'`)
    await service.rows(`update manufacturer_part set "MPN" = 'older' where "MPN" = 'LDK320ADU33R'`)
    await service.rows(`update company set name = 'Mouser UK' where pk = $1`, [mouser])
    const lines = [{ quantity: 40, destination: shelf }]
    const only = await createOrder({ company: mouser, sku: '511-OTHER', mpn: 'OTHER', lines })
    const request = { purchase_order: only.order }
    assertRejected(await scan(text, request), 'The label says MPN LDK320ADU33R, but supplier part 511-OTHER has MPN OTHER')
    const withSku = text.replace('{GS}Q4', '{GS}30P511-OTHER{GS}Q4')
    assertRejected(await scan(withSku, request), 'The label says MPN LDK320ADU33R, but supplier part 511-OTHER has MPN OTHER')
    const scanned = await member.post('/api/barcode/', { barcode: withSku })
    assertRejected(scanned, 'The label says MPN LDK320ADU33R, but supplier part 511-OTHER has MPN OTHER')
    const otherOrder = await createOrder({ mpn: 'LDK320ADU33R', lines })
    assertRejected(await scan(text, { purchase_order: otherOrder.order }), /^The label is from Mouser UK, but the order is with /)
    assert.deepEqual([await readStock(only.order), await readStock(otherOrder.order)], [[], []])
    const matchingOrder = await createOrder({ company: mouser, mpn: 'LDK320ADU33R', lines })
    // the buyer's number does not prevent receiving
    const { status, body } = await scan(text.replace('{GS}Q4', '{GS}PIPN 1{GS}Q4'), { purchase_order: matchingOrder.order })
    assert.deepEqual([status, body.plugin, body.lineitem?.pk], [201, 'MouserPlugin', matchingOrder.line], JSON.stringify(body))
  })

  it('matches a label of an unknown supplier to the only supplier part of the order with its MPN or SKU', async () => {
    const shelf = await location()
    const lines = [{ quantity: 40, destination: shelf }]
    const mpn = generateName('MPN')
    const [one, another] = [await createOrder({ mpn, lines }), await createOrder({ mpn, lines })]
    const scanBox = (order: number, box: string) => scan(createLabel(`1P${mpn}`, 'Q4', `S${box}`), { purchase_order: order })
    for (const { order, line } of [one, another])
      assert.equal((await scanBox(order, generateName('box'))).body.lineitem?.pk, line)
    const third = await createOrder({ lines })
    assertRejected(await scanBox(third.order, 'box 3'), 'Found multiple matching supplier parts for barcode')
    assert.deepEqual(await readStock(third.order), [])
  })

  it('receives more than ordered only when the request allows it', async () => {
    const shelf = await location()
    const { order, sku, reference, line } = await createOrder({ lines: [{ quantity: 8, destination: shelf }] })
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q10')
    const errorResponse = await scan(code)
    assertRejected(errorResponse, /^Only 8 are outstanding/)
    assert.deepEqual([errorResponse.body.plugin, await readStock(order)], ['InvenTreeBarcode', []])
    assert.equal((await scan(code, { allow_over_receipt: true })).status, 201)
    assert.equal(await readReceived(line), 10)
    assertRejected(await scan(createLabel(`K${reference}`, `P${sku}`, 'Q1')), `No matching purchase order for '${reference}'`)
  })

  it('chooses the line with the same ordered quantity, otherwise one with more, and skips completed lines', async () => {
    const shelf = await location()
    const quantities = [5, 10, 20, 10].map((quantity) => ({ quantity, destination: shelf }))
    const { sku, reference, lines } = await createOrder({ lines: quantities })
    const findReceivedLine = async (quantity: number) =>
      lines.indexOf(
        (await scan(createLabel(`K${reference}`, `P${sku}`, `Q${quantity}`, `S${generateName('box')}`))).body.lineitem?.pk,
      )
    assert.equal(await findReceivedLine(10), 1)
    assert.equal(await findReceivedLine(10), 3)
    assert.equal(await findReceivedLine(7), 2)
    assert.equal(await findReceivedLine(2), 0)
    assert.equal(await findReceivedLine(4), 2)
  })

  it('stores the lot code, and the serial number of a single unit', async () => {
    const shelf = await location()
    const { order, sku, reference } = await createOrder({ lines: [{ quantity: 10, destination: shelf }], pack: '2.5' })
    assert.equal((await scan(createLabel(`K${reference}`, `P${sku}`, 'Q2', '1TLOT 7', 'S3-5', '14D20310527'))).status, 201)
    assert.equal((await scan(createLabel(`K${reference}`, `P${sku}`, 'Q0.4', 'S3-5'))).status, 201)
    const items = await readStock(order)
    assert.deepEqual(
      items.map(({ quantity, batch, serial, expiry_date }) => [quantity, batch, serial, expiry_date]),
      [
        [5, 'LOT 7', null, '2031-05-27'],
        [1, '', '3-5', null],
      ],
    )
  })

  it('recognizes a received delivery in every notation of its label, even after its stock is gone', async () => {
    const shelf = await location()
    const { order, sku, reference, line } = await createOrder({ lines: [{ quantity: 10, destination: shelf }] })
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q2')
    assert.equal((await scan(code)).status, 201)
    const otherNotation = code.replaceAll(GS, '{GS}').replace('\u001e', '{RS}')
    assertRejected(await scan(` ${otherNotation} `), 'Item has already been received')
    const [item] = await readStock(order)
    assert.equal((await member.delete(`/api/stock/${item.pk}/`)).status, 204)
    for (const secondCode of [code, otherNotation]) assertRejected(await scan(secondCode), 'Item has already been received')
    assert.equal(await readReceived(line), 2)
  })

  it('receives a code that names only a product any number of times', async () => {
    const shelf = await location()
    const { order, sku, line } = await createOrder({ lines: [{ quantity: 5, destination: shelf }] })
    const code = createLabel(`P${sku}`, 'Q2')
    for (const _ of [1, 2]) assert.equal((await scan(code, { purchase_order: order })).status, 201)
    assertRejected(await scan(code, { purchase_order: order }), /^Only 1 are outstanding/)
    assert.deepEqual(
      (await readStock(order)).map(({ quantity, barcode_hash }) => [quantity, barcode_hash]),
      [
        [2, ''],
        [2, ''],
      ],
    )
    assert.equal(await readReceived(line), 4)
  })

  it('receives a label that is linked to a part, and keeps the link', async () => {
    const shelf = await location()
    const { order, sku, reference } = await createOrder({ lines: [{ quantity: 5, destination: shelf }] })
    const linked = await part()
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q2')
    assert.equal((await member.post('/api/barcode/link/', { barcode: code, part: linked })).status, 201)
    assert.equal((await scan(code)).status, 201)
    assert.equal((await readStock(order))[0].barcode_hash, '')
    assert.equal((await member.post('/api/barcode/', { barcode: code })).body.part.pk, linked)
    assertRejected(await scan(code), 'Item has already been received')
  })

  it('rejects the code of a stock item', async () => {
    const { order } = await createOrder()
    const { reference, sku } = await createOrder({ lines: [{ quantity: 5, destination: await location() }] })
    await scan(createLabel(`K${reference}`, `P${sku}`, 'Q2'))
    const [item] = await service.rows('select pk from stock_item limit 1')
    assertRejected(
      await scan(`{"part": 1, "stockitem": ${item.pk}}`, { purchase_order: order }),
      'Item has already been received',
    )
  })

  it('counts one label once under concurrent scans', async () => {
    const shelf = await location()
    const { order, sku, reference, line } = await createOrder({ lines: [{ quantity: 100, destination: shelf }] })
    const code = createLabel(`K${reference}`, `P${sku}`, 'Q2')
    const responses = await Promise.all(Array.from({ length: 16 }, () => scan(code)))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(15).fill(400)])
    for (const response of responses.filter(({ status }) => status === 400))
      assertRejected(response, 'Item has already been received')
    assert.deepEqual([(await readStock(order)).length, await readReceived(line)], [1, 2])
  })

  it('counts one label once when scanned for two orders at the same time', async () => {
    const shelf = await location()
    const { order, sku, company, supplierPartPk } = await createOrder({ lines: [{ quantity: 100, destination: shelf }] })
    const other = await createOrder({ company, lines: [{ quantity: 100, destination: shelf }] })
    await service.rows('update purchase_order_line set part = $2 where pk = $1', [other.line, supplierPartPk])
    const code = createLabel(`P${sku}`, 'Q2', `11K${generateName('list')}`)
    const orders = Array.from({ length: 16 }, (_, index) => (index % 2 ? order : other.order))
    const responses = await Promise.all(orders.map((purchase_order) => scan(code, { purchase_order })))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(15).fill(400)])
    assert.equal((await readStock(order)).length + (await readStock(other.order)).length, 1)
  })

  it('never receives more than ordered under concurrent scans', async () => {
    const shelf = await location()
    const { order, sku, reference, line } = await createOrder({ lines: [{ quantity: 10, destination: shelf }] })
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, index) => scan(createLabel(`K${reference}`, `P${sku}`, 'Q2', `S${index}`))),
    )
    assert.equal(responses.filter(({ status }) => status === 201).length, 5)
    assert.deepEqual([(await readStock(order)).length, await readReceived(line)], [5, 10])
  })

  it('requires the permission to receive goods for the order', () =>
    assertCallers(service, (client) => client.post(path, {}), ['member', 'superuser']))
})

describe('POST /api/barcode/po-receive/ with WIRE_FORM=inventree', async () => {
  const inventreeService = await testService({ WIRE_FORM: 'inventree' })

  it('returns only the objects found, and errors as strings', async () => {
    const { member } = inventreeService
    const { supplier, supplierPart } = createPurchaseHelpers(inventreeService)
    const company = await supplier()
    const supplierPartPk = await supplierPart(company)
    await inventreeService.rows(`update supplier_part set "SKU" = 'C312270' where pk = $1`, [supplierPartPk])
    const order = (await member.post('/api/order/po/', { reference: 'PO-1', supplier: company })).body.pk
    const line = (await member.post('/api/order/po-line/', { order, part: supplierPartPk, quantity: 10 })).body.pk
    await member.post(`/api/order/po/${order}/issue/`)
    const codeFields = { barcode_data: samples.lcsc, barcode_hash: '373ebd42854d7fa105b56dd561d91805' }
    const received = await member.post(path, { barcode: samples.lcsc, purchase_order: order })
    assert.equal(received.status, 200)
    assert.deepEqual(received.body, {
      ...codeFields,
      plugin: 'LCSCPlugin',
      lineitem: { pk: line, purchase_order: order, quantity: '2' },
      success: 'Received purchase order line item',
    })
    const secondResponse = await member.post(path, { barcode: samples.lcsc })
    assert.deepEqual(
      [secondResponse.status, secondResponse.body],
      [400, { ...codeFields, error: 'Item has already been received' }],
    )
    const unknownResponse = await member.post(path, { barcode: 12345 })
    assert.deepEqual(
      [unknownResponse.status, unknownResponse.body.plugin, unknownResponse.body.error],
      [400, 'None', 'No match for supplier barcode'],
    )
  })
})
