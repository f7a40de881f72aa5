import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { member } = service
const shelf = await make.location()
const path = '/api/barcode/po-receive/'
const scan = (barcode: string, body: object = {}) => member.post(path, { barcode, ...body })

let number = 0

/** Returns a GTIN that no object has yet. */
function generateGtin(): string {
  const digits = `0950600013${String(++number).padStart(3, '0')}`
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Creates a placed order for one supplier part, after `identify` has set the GTIN of an object. */
async function createPlacedOrder(
  identify: (keys: { supplierPart: number; part: number; company: number }) => Promise<unknown>,
  quantity = 10,
) {
  const company = await make.supplier()
  const part = await make.part()
  const supplierPart = await make.supplierPart(company, { part })
  await identify({ supplierPart, part, company })
  const reference = `PO-${++number}`
  const order = (await member.post('/api/order/po/', { reference: `PO-0${++number}`, supplier: company })).body.pk as number
  await service.rows('update purchase_order set reference = $2 where pk = $1', [order, reference])
  const line = (await member.post('/api/order/po-line/', { order, part: supplierPart, quantity, destination: shelf })).body.pk
  assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
  return { order, line, company, part, supplierPart, reference }
}

const setSku = (sku: string) => (keys: { supplierPart: number }) =>
  service.rows('update supplier_part set "SKU" = $2 where pk = $1', [keys.supplierPart, sku])
const setIpn = (ipn: string) => (keys: { part: number }) =>
  service.rows('update part set "IPN" = $2 where pk = $1', [keys.part, ipn])
const setMpn = (mpn: string) => (keys: { supplierPart: number; part: number; company: number }) =>
  service.rows(
    `with inserted as (insert into manufacturer_part (part, manufacturer, "MPN") values ($2, $3, $4) returning pk)
     update supplier_part set manufacturer_part = inserted.pk from inserted where supplier_part.pk = $1`,
    [keys.supplierPart, keys.part, keys.company, mpn],
  )

const readStock = (order: number) =>
  service.rows(
    'select quantity::float, batch, serial, expiry_date::text, barcode_data from stock_item where purchase_order = $1 order by pk',
    [order],
  )

describe('POST /api/barcode/po-receive/ with a GS1 code', () => {
  it('receives the net measure if the part is counted in a matching unit, with the best-before date', async () => {
    const cases: [units: string, pack: string, element: string, quantity: number | undefined][] = [
      ['kg', '', '3103001250', 1.25],
      ['g', '', '3103001250', 1250],
      ['g', '250', '3103001250', 1250],
      ['m', '', '3111000125', 12.5],
      // a part counted in pieces or metres has no weight, and no number of packs of 300 kg amounts to this
      ['', '', '3103001250', undefined],
      ['m', '', '3103001250', undefined],
      ['kg', '300 kg', '3103001250', undefined],
      ['kg', '0.7 kg', '3103001250', 1.25],
      // the count is the number of packages
      ['kg', '', '3103001250\u001d304', 1.25],
      ['', '', '3103001250304', 4],
    ]
    for (const [units, pack, element, quantity] of cases) {
      const gtin = generateGtin()
      const { order } = await createPlacedOrder(async (keys) => {
        await setSku(gtin.slice(1))(keys)
        assert.equal((await member.patch(`/api/part/${keys.part}/`, { units })).status, 200)
        if (pack)
          assert.equal((await member.patch(`/api/company/part/${keys.supplierPart}/`, { pack_quantity: pack })).status, 200)
      }, 5000)
      const { status, body } = await scan(`]C101${gtin}15311200${element}`, { purchase_order: order })
      assert.equal(status, quantity === undefined ? 200 : 201, JSON.stringify([units, element, body]))
      assert.deepEqual(
        (await readStock(order)).map((item) => [item.quantity, item.expiry_date]),
        quantity === undefined ? [] : [[quantity, '2031-12-31']],
        `${units} ${pack} ${element}`,
      )
    }
  })

  it('receives parts with the GTIN as SKU, MPN or IPN, with batch, expiry date and count', async () => {
    for (const identify of [setSku, setMpn, setIpn]) {
      const gtin = generateGtin()
      const { order, line, company } = await createPlacedOrder(identify(gtin.slice(1)))
      const codes = [
        `]C101${gtin}1731123110LOT-7\u001d3004`,
        `01${gtin}1731123110LOT-7{GS}3004`,
        `(01)${gtin}(17)311231(10)LOT-7(30)4`,
        `https://id.gs1.org/01/${gtin.slice(1)}/10/LOT-7?17=311231&30=4`,
      ]
      const { status, body } = await scan(codes[number % codes.length] as string, { purchase_order: order })
      assert.equal(status, 201, JSON.stringify(body))
      assert.deepEqual(
        [body.plugin, body.lineitem],
        ['InvenTreeBarcode', { pk: line, purchase_order: order, quantity: '4', location: shelf }],
      )
      assert.deepEqual(await readStock(order), [
        { quantity: 4, batch: 'LOT-7', serial: null, expiry_date: '2031-12-31', barcode_data: '' },
      ])
      // the code stands for this part only, whatever else its supplier sells
      await make.supplierPart(company)
      for (const code of codes.slice(0, 2)) {
        const repeatedScan = await scan(code, { purchase_order: order, location: shelf })
        const isFull = code === codes[1]
        assert.equal(repeatedScan.status, isFull ? 400 : 201, JSON.stringify(repeatedScan.body))
        if (isFull) assert.match(repeatedScan.body.error, /^Only 2 are outstanding/)
      }
      assert.equal((await scan(codes[1] as string, { purchase_order: order, allow_over_receipt: true })).status, 201)
      assert.equal((await readStock(order)).length, 3)
    }
  })

  it('receives a part or supplier part that any code with the GTIN is linked to', async () => {
    for (const kind of ['supplierpart', 'part'] as const) {
      const gtin = generateGtin()
      const { order, line, part, supplierPart } = await createPlacedOrder(async () => {})
      const target = kind === 'part' ? part : supplierPart
      const linked = await member.post('/api/barcode/link/', { barcode: `(01)${gtin}(10)OLD`, [kind]: target })
      assert.equal(linked.status, 201, linked.text)
      // a code that has the digits only in the middle of others
      await member.post('/api/barcode/link/', { barcode: `X${gtin}`, part: await make.part() })
      const match = await member.post('/api/barcode/', { barcode: `01${gtin}10NEW` })
      assert.deepEqual([match.status, match.body[kind]?.pk], [201, target])
      const { status, body } = await scan(`]C101${gtin}10NEW\u001d3002`, { purchase_order: order })
      assert.deepEqual([status, body.lineitem?.pk], [201, line])
      assert.deepEqual(
        (await readStock(order)).map(({ quantity, batch }) => [quantity, batch]),
        [[2, 'NEW']],
      )
      assert.equal((await member.post('/api/barcode/', { barcode: `(01)${gtin}(10)OLD` })).body[kind]?.pk, target)
    }
  })

  it('accepts a serial number for one item, and receives it once', async () => {
    const gtin = generateGtin()
    const { order } = await createPlacedOrder(setSku(gtin))
    const code = `01${gtin}21S-${number}`
    assert.equal((await scan(code, { purchase_order: order })).status, 201)
    const [item] = await readStock(order)
    assert.deepEqual([item.quantity, item.serial, item.barcode_data], [1, `S-${number}`, code])
    for (const repeatedScan of [code, `(01)${gtin}(21)S-${number}`, `]d2${code}`]) {
      const errorResponse = await scan(repeatedScan, { purchase_order: order })
      assert.deepEqual([errorResponse.status, errorResponse.body.error], [400, 'Item has already been received'], repeatedScan)
    }
    assert.equal((await scan(`01${gtin}21other`, { purchase_order: order })).status, 201)
  })

  it('finds the order by its number, and receives a logistic unit once', async () => {
    const gtin = generateGtin()
    const { order, reference } = await createPlacedOrder(setSku(gtin))
    const code = `]C102${gtin}3702\u001d400${reference}`
    assert.equal((await scan(code)).status, 201)
    assert.equal((await scan(code)).body.error, 'Item has already been received')
    const unit = `]C10010614141234567890802${gtin}3703`
    assert.equal((await scan(unit, { purchase_order: order })).status, 201)
    assert.equal((await scan(unit, { purchase_order: order })).body.error, 'Item has already been received')
    assert.deepEqual(
      (await readStock(order)).map(({ quantity }) => quantity),
      [2, 3],
    )
  })

  it('uses the supplier of the order when other suppliers sell the part too', async () => {
    const gtin = generateGtin()
    const first = await createPlacedOrder(setSku(gtin))
    const second = await createPlacedOrder(setSku(gtin.slice(1)))
    const code = `01${gtin}3002`
    const { status, body } = await scan(code)
    assert.deepEqual([status, body.error], [400, 'Found multiple matching supplier parts for barcode'])
    assert.deepEqual(
      body.candidates.map(({ pk }: any) => pk),
      [first.supplierPart, second.supplierPart],
    )
    for (const { order, line } of [first, second])
      assert.equal((await scan(code, { purchase_order: order })).body.lineitem?.pk, line)
    assert.equal((await scan(`${code}\u001d400${second.reference}`)).body.lineitem?.pk, second.line)
  })

  it('asks for a missing count, and shows the contents of a code that no object has', async () => {
    const gtin = generateGtin()
    const { order, line } = await createPlacedOrder(setSku(gtin))
    for (const code of [gtin, gtin.slice(1), `01${gtin}10LOT`, `01${gtin}3000`]) {
      const { status, body } = await scan(code, { purchase_order: order })
      assert.deepEqual([status, body.lineitem], [200, { pk: line, purchase_order: order, location: shelf }])
      assert.ok(body.action_required)
    }
    const unknown = generateGtin()
    const label = { plugin: 'InvenTreeBarcode', gtin: unknown, lot_code: 'A', quantity: '5', customer_order_number: 'X-1' }
    for (const [action, body] of [
      ['po-receive/', { purchase_order: order }],
      ['', {}],
    ] as const) {
      const response = await member.post(`/api/barcode/${action}`, { barcode: `01${unknown}10A\u001d3005\u001d400X-1`, ...body })
      assert.deepEqual([response.status, response.body.labels], [400, [label]])
    }
    assert.deepEqual(await readStock(order), [])
  })
})
