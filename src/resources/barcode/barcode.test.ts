import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { hashBarcode } from './barcode-hash.ts'
import { samples } from './sample-codes.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { superuser, member, viewer, nobody } = service
const scan = (barcode: unknown, client = superuser) => client.post('/api/barcode/', { barcode })
const link = (body: object, client = superuser) => client.post('/api/barcode/link/', body)

/** Creates a supplier part with this SKU, of a supplier with this name and a part of its own. */
async function createSupplierPart(
  name: string,
  sku: string,
  mpn?: string,
): Promise<{ supplier: number; part: number; pk: number }> {
  const supplier = await make.supplier()
  await service.rows('update company set name = $2 where pk = $1', [supplier, name])
  const part = await make.part()
  const pk = await make.supplierPart(supplier, { part })
  await service.rows('update supplier_part set "SKU" = $2 where pk = $1', [pk, sku])
  if (mpn !== undefined) {
    const text = 'insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, $3) returning pk'
    const [manufacturerPart] = await service.rows(text, [part, supplier, mpn])
    await service.rows('update supplier_part set manufacturer_part = $2 where pk = $1', [pk, manufacturerPart.pk])
  }
  return { supplier, part, pk }
}

describe('POST /api/barcode/', () => {
  it('finds an object by its code in JSON, and returns the body together with the object found', async () => {
    const part = await make.part()
    const { status, body } = await scan(` {"part": ${part}}\n`)
    assert.equal(status, 201)
    assert.equal(body.barcode, ` {"part": ${part}}\n`)
    assert.equal(body.part.instance.pk, part)
    const { instance: _, ...match } = body.part
    assert.deepEqual(match, { pk: part, api_url: `/api/part/${part}/`, web_url: `/part/${part}/` })
    const text = `{"part": ${part}}`
    const summary = [body.plugin, body.barcode_data, body.barcode_hash, body.success]
    assert.deepEqual(summary, ['InvenTreeBarcode', text, hashBarcode(text), 'Match found for barcode data'])
  })

  it('reads keys as existing clients write them, and ignores those that match nothing', async () => {
    const location = await make.location()
    const part = await make.part()
    for (const value of [`" ${location} "`, `${location}.9`, location])
      assert.equal((await scan(`{"stocklocation": ${value}}`)).body.stocklocation?.pk, location, String(value))
    assert.equal((await scan(`{"stocklocation": ${location}, "part": ${part}, "other": {}}`)).body.part.pk, part)
    assert.equal((await scan(`{"part": 999999, "stocklocation": ${location}}`)).body.stocklocation.pk, location)
    for (const value of ['null', '[]', '{}', '"x"', '0', '-1', '1e30', '99999999999999999999', 'false'])
      assert.equal((await scan(`{"part": ${value}}`)).status, 400, value)
    for (const text of [
      `{"Part": ${part}}`,
      `["part", ${part}]`,
      '123456789',
      '{"part": ',
      '{"__proto__": {"part": 1}}',
      `{"build": 1}`,
    ])
      assert.equal((await scan(text)).status, 400, text)
  })

  it('finds an object by its short code', async () => {
    const part = await make.part()
    assert.equal((await scan(`INV-PA${part}`)).body.part.pk, part)
    for (const text of [`INV-PA${part}x`, `inv-pa${part}`, 'INV-PA0', 'INV-PA99999999999', 'INV-BO1', 'INV-XX1', 'INV-'])
      assert.equal((await scan(text)).status, 400, text)
  })

  it('uses the short code prefix of the setting', async () => {
    const part = await make.part()
    const url = '/api/plugins/settings/inventreebarcode/SHORT_BARCODE_PREFIX/'
    assert.equal((await superuser.patch(url, { value: '#' })).status, 200)
    assert.deepEqual([(await scan(`#PA${part}`)).body.part?.pk, (await scan(`INV-PA${part}`)).status], [part, 400])
    assert.equal((await superuser.patch(url, { value: 'INV-' })).status, 200)
  })

  it('returns the label data of a code that matches nothing', async () => {
    const { status, body } = await scan(samples.digikeyNonsense)
    assert.equal(status, 400)
    assert.deepEqual(
      [body.error, body.plugin, body.barcode_data, body.barcode_hash],
      ['No match found for barcode data', null, samples.digikeyNonsense, 'a7e4a06f89efe50d9f164df5f6add862'],
    )
    const label = body.labels.find((entry: any) => entry.plugin === 'DigiKeyPlugin')
    assert.deepEqual([label.supplier_part_number, label.quantity, label.supplier_order_number], ['nonsense', '10', '72991337'])
  })

  it('does not find objects that the caller cannot view', async () => {
    const part = await make.part()
    assert.equal((await scan(`{"part": ${part}}`, viewer)).status, 201)
    for (const text of [`{"part": ${part}}`, `INV-PA${part}`]) {
      const { status, body } = await scan(text, nobody)
      assert.deepEqual([status, body.part, body.error], [400, undefined, 'No match found for barcode data'])
    }
  })

  it('rejects a label that matches parts of several suppliers, and names them', async () => {
    // there is no supplier called LCSC yet
    const [one, other] = [await createSupplierPart('Twice & Co', 'TWICE'), await createSupplierPart('Twice & Sons', 'twice')]
    const { status, body } = await scan('{pc:TWICE,qty:2}')
    assert.deepEqual([status, body.error], [400, 'Found multiple matching supplier parts for barcode'])
    assert.deepEqual(
      body.candidates.map(({ kind, pk }: any) => [kind, pk]),
      [one, other].map(({ pk }) => ['supplierpart', pk]),
    )
  })

  it('finds the supplier part of a label, by the plugin of its supplier', async () => {
    const digikey = await createSupplierPart('DigiKey Electronics', '296-lm358biddfrct-nd')
    const mouser = await createSupplierPart('Mouser', 'MOUSER-1', 'MC34063ADR')
    const lcsc = await createSupplierPart('LCSC', 'C312270')
    const tme = await createSupplierPart('TME', 'WBP-302')
    const cases = [
      [samples.digikey, digikey, 'DigiKeyPlugin'],
      [samples.digikeyBy30P, digikey, 'DigiKeyPlugin'],
      [samples.lcsc, lcsc, 'LCSCPlugin'],
      [samples.tme, tme, 'TMEPlugin'],
      [samples.oldTme, tme, 'TMEPlugin'],
    ] as const
    for (const [text, { pk }, plugin] of cases) {
      const { status, body } = await scan(text)
      assert.deepEqual([status, body.supplierpart?.pk, body.plugin], [201, pk, plugin], text)
    }
    // labels of DigiKey have the same envelope, and DigiKey sells another part, too
    await make.supplierPart(digikey.supplier)
    const { body } = await scan(samples.mouser)
    assert.deepEqual([body.supplierpart?.pk, body.plugin], [mouser.pk, 'MouserPlugin'])
    assert.equal((await scan(samples.lcsc, nobody)).status, 400)
  })

  it('finds objects whose number is the GTIN of a GS1 code, in every notation', async () => {
    const notations = [
      '4006381333931',
      '(01)04006381333931(10)ABC',
      ']C10104006381333931',
      'https://id.gs1.org/01/04006381333931',
    ]
    assert.equal((await scan('4006381333931')).status, 400)
    const part = await make.part()
    await service.rows('update part set "IPN" = $2 where pk = $1', [part, '04006381333931'])
    for (const text of notations) assert.equal((await scan(text)).body.part?.pk, part, text)
    const supplierPart = await createSupplierPart('Sells by GTIN', '4006381333931')
    for (const text of notations) assert.equal((await scan(text)).body.supplierpart?.pk, supplierPart.pk, text)
    // a wrong check digit
    assert.equal((await scan('4006381333932')).status, 400)
    const secondPart = await createSupplierPart('Sells by GTIN too', '04006381333931')
    const { status, body } = await scan('4006381333931')
    assert.deepEqual([status, body.candidates?.map(({ pk }: any) => pk)], [400, [supplierPart.pk, secondPart.pk]])
    assert.equal((await scan('4006381333931', nobody)).body.candidates, undefined)
  })

  it('rejects an invalid code', async () => {
    for (const barcode of ['', '  ', '\u001c ', null, 5, true, {}, [], 'a\u0000', '\ud800', 'x'.repeat(4096)])
      assert.deepEqual(
        [(await scan(barcode)).status, Object.keys((await scan(barcode)).body)],
        [400, ['barcode']],
        String(barcode),
      )
    assert.deepEqual((await superuser.post('/api/barcode/', {})).body, { barcode: ['This field is required.'] })
    assert.equal((await scan('🔩'.repeat(4095))).body.error, 'No match found for barcode data')
  })
})

describe('POST /api/barcode/link/', () => {
  it('links a code to the first named object, which is found whatever characters a scanner sends as separators', async () => {
    const [part, location] = [await make.part(), await make.location()]
    const barcode = '[)>\u001e06\u001dPX-1\u001dQ5\u001e\u0004'
    const { status, body } = await link({ barcode, stocklocation: location, part })
    assert.deepEqual([status, body.part, body.stocklocation, body.barcode], [201, part, location, barcode])
    assert.equal(body.matched.part.instance.barcode_hash, hashBarcode(barcode))
    for (const text of [barcode, '[)>{RS}06{GS}PX-1{GS}Q5{RS}{EOT}', '[)>06PX-1Q5'])
      assert.equal((await scan(text)).body.part?.pk, part, text)
    assert.equal((await service.rows('select barcode_data from part where pk = $1', [part]))[0].barcode_data, barcode)
  })

  it('replaces the existing code', async () => {
    const part = await make.part()
    for (const barcode of ['first', 'second']) assert.equal((await link({ barcode, part })).status, 201)
    assert.deepEqual([(await scan('first')).status, (await scan('second')).body.part.pk], [400, part])
  })

  it('accepts 4,095 characters', async () => {
    const order = await makeOrder()
    for (const target of [{ part: await make.part() }, { stocklocation: await make.location() }, { purchaseorder: order }]) {
      const [kind = ''] = Object.keys(target)
      const longCode = `${kind}${'🔩'.repeat(4095 - kind.length)}`
      assert.equal((await link({ barcode: longCode, ...target })).status, 201)
      assert.equal((await scan(longCode)).status, 201)
    }
  })

  it('rejects a code of this service, and one that is linked to another object', async () => {
    const [part, location] = [await make.part(), await make.location()]
    await link({ barcode: 'taken', part })
    for (const barcode of ['taken', 'ta\u001dken', `{"part": ${part}}`, `INV-PA${part}`]) {
      const { status, body } = await link({ barcode, stocklocation: location })
      assert.deepEqual([status, body.error, body.part?.pk], [400, 'Barcode matches existing item', part], barcode)
    }
  })

  it('rejects a code of this service for a missing object, which could exist later', async () => {
    const part = await make.part()
    for (const barcode of [
      '{"part": 999999}',
      '{"x": 1, "stockitem": "999999"}',
      '{"build": 999999}',
      'INV-PA999999',
      'INV-BO0999999',
    ]) {
      const { status, body } = await link({ barcode, part })
      assert.deepEqual([status, body.error], [400, 'Barcode belongs to an object that does not exist'], barcode)
    }
    // a code that only looks like one is accepted
    for (const barcode of ['{"part": "abc"}', '{"part": -5}', 'INV-XX5', 'INVPA999999'])
      assert.equal((await link({ barcode, part })).status, 201, barcode)
  })

  it('finds the object that is linked now, whatever its type', async () => {
    const [part, location] = [await make.part(), await make.location()]
    const targets = [{ part }, { stocklocation: location }, { part }]
    for (const target of targets) {
      assert.equal((await link({ barcode: 'goes round', ...target })).status, 201)
      for (let time = 0; time < 2; time++) {
        const { body } = await scan('goes round')
        const [[kind, pk] = ['', 0]] = Object.entries(target)
        assert.deepEqual([body[kind]?.pk, body[kind]?.instance.pk], [pk, pk])
      }
      await superuser.post('/api/barcode/unlink/', target)
    }
  })

  it('rejects a body without an object, and one with a missing object', async () => {
    const { status, body } = await link({ barcode: 'free', part: null })
    assert.deepEqual([status, Object.keys(body)], [400, ['error']])
    assert.deepEqual(Object.keys((await link({ barcode: 'free', part: 999999 })).body), ['part'])
    assert.deepEqual((await link({ barcode: 'free', build: 1 })).body, { build: ['Invalid pk "1" - object does not exist.'] })
    assert.deepEqual(Object.keys((await link({ barcode: 'free', build: 'x' })).body), ['build'])
  })

  it('requires the permission to change the object, and names no object that the caller cannot view', async () => {
    const [part, other] = [await make.part(), await make.part()]
    for (const client of [viewer, nobody]) {
      const { status, body } = await link({ barcode: 'no right', part }, client)
      assert.deepEqual([status, Object.keys(body)], [403, ['error']])
    }
    assert.equal((await link({ barcode: 'a right', part }, member)).status, 201)
    const { status, body } = await link({ barcode: 'a right', part: other }, nobody)
    assert.deepEqual([status, body.part], [400, undefined])
  })

  it('links a code once for concurrent requests', async () => {
    const [one, other, location] = [await make.part(), await make.part(), await make.location()]
    const targets = [{ part: one }, { part: other }, { stocklocation: location }]
    const responses = await Promise.all(targets.map((target) => link({ barcode: 'at once', ...target })))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [201, 400, 400])
    const [{ count }] = await service.rows(
      'select (select count(*) from part where barcode_hash = $1) + (select count(*) from stock_location where barcode_hash = $1) as count',
      [hashBarcode('at once')],
    )
    assert.equal(Number(count), 1)
  })
})

describe('POST /api/barcode/unlink/', () => {
  const unlink = (body: object, client = superuser) => client.post('/api/barcode/unlink/', body)

  it('removes the code from an object, also when repeated', async () => {
    const part = await make.part()
    await link({ barcode: 'for a while', part })
    for (let time = 0; time < 2; time++)
      assert.deepEqual([(await unlink({ part })).status, (await scan('for a while')).status], [201, 400])
    const [row] = await service.rows('select barcode_data, barcode_hash from part where pk = $1', [part])
    assert.deepEqual(row, { barcode_data: '', barcode_hash: '' })
  })

  it('rejects a body that does not name exactly one object', async () => {
    const part = await make.part()
    for (const body of [{}, { part: null }, { part, stockitem: null }, { build: null }])
      assert.deepEqual(
        [(await unlink(body)).status, Object.keys((await unlink(body)).body)],
        [400, ['error']],
        JSON.stringify(body),
      )
    assert.deepEqual(Object.keys((await unlink({ part: 999999 })).body), ['part'])
    assert.deepEqual(Object.keys((await unlink({ build: 1 })).body), ['build'])
  })

  it('requires the permission to change the object', async () => {
    const part = await make.part()
    for (const client of [viewer, nobody]) assert.equal((await unlink({ part }, client)).status, 403)
    assert.equal((await unlink({ part }, member)).status, 201)
  })
})

let orderCount = 7000

/** Creates a pending order. */
async function makeOrder(supplier?: number): Promise<number> {
  const reference = `PO-${++orderCount}`
  const { body } = await superuser.post('/api/order/po/', { supplier: supplier ?? (await make.supplier()), reference })
  return body.pk
}

describe('POST /api/barcode/po-allocate/', () => {
  const allocate = (barcode: string, purchase_order: number, client = superuser) =>
    client.post('/api/barcode/po-allocate/', { barcode, purchase_order })

  it('returns the supplier part of a code, and changes nothing', async () => {
    const { supplier, part, pk } = await createSupplierPart('Sells one', 'ONE', 'MPN-ONE')
    const order = await makeOrder(supplier)
    const [maker] = await service.rows('select manufacturer_part as pk from supplier_part where pk = $1', [pk])
    for (const partKeys of [{ supplierpart: pk }, { part }, { manufacturerpart: maker.pk }]) {
      const { status, body } = await allocate(JSON.stringify(partKeys), order)
      assert.deepEqual(
        [status, body.supplierpart?.pk, body.purchase_order, body.success],
        [201, pk, order, 'Matched supplier part'],
      )
      for (const [kind, key] of Object.entries(partKeys)) assert.equal(body[kind].pk, key)
    }
    assert.deepEqual(await service.rows('select from purchase_order_line where "order" = $1', [order]), [])
  })

  it("rejects parts that the order's supplier does not sell, or sells under several SKUs", async () => {
    const { supplier, part } = await createSupplierPart('Sells two', 'TWO')
    const other = await createSupplierPart('Sells others', 'OTHER')
    const order = await makeOrder(supplier)
    const location = await make.location()
    const readError = async (code: string) => {
      const { status, body } = await allocate(code, order)
      assert.equal(status, 400)
      return body.error
    }
    assert.equal(await readError(`{"stocklocation": ${location}}`), 'No matching part data found')
    assert.equal(await readError(`{"supplierpart": ${other.pk}}`), 'No matching supplier parts found')
    assert.equal(await readError('nothing at all'), 'No match found for barcode data')
    await make.supplierPart(supplier, { part })
    assert.equal(await readError(`{"part": ${part}}`), 'Multiple matching supplier parts found')
  })

  it('returns the label data of a code that matches nothing', async () => {
    const { status, body } = await allocate(samples.digikeyNonsense, await makeOrder())
    assert.deepEqual([status, body.error, body.plugin], [400, 'No match found for barcode data', null])
    const label = body.labels.find((entry: any) => entry.plugin === 'DigiKeyPlugin')
    assert.deepEqual([label.supplier_part_number, label.manufacturer_part_number, label.quantity], ['nonsense', 'nonsense', '10'])
  })

  it('accepts only pending orders, from callers with the permission to add to them', async () => {
    const { supplier, pk } = await createSupplierPart('Sells late', 'LATE')
    const order = await makeOrder(supplier)
    for (const client of [viewer, nobody]) assert.equal((await allocate(`{"supplierpart": ${pk}}`, order, client)).status, 403)
    await superuser.post(`/api/order/po/${order}/issue/`, {})
    const { status, body } = await allocate(`{"supplierpart": ${pk}}`, order)
    assert.deepEqual([status, body], [400, { purchase_order: ['Purchase order is not pending'] }])
  })
})
