import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanImage } from '../../testing/barcode.ts'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { insertItem } from '../stock/fixture.ts'
import { kinds } from './kinds.ts'

const service = await testService()
const make = createPurchaseHelpers(service)
const { superuser, member, viewer, nobody, anonymous } = service
const path = '/api/barcode/generate/'
const generate = (body: object, client = member) => client.post(path, body)
const changeSetting = async (name: string, value: string) =>
  assert.equal((await superuser.patch(`/api/plugins/settings/inventreebarcode/${name}/`, { value })).status, 200)

/** Creates one object of each kind. */
async function createObjects(): Promise<Record<string, number>> {
  const [company, part, stocklocation] = [await make.supplier(), await make.part(), await make.location()]
  const create = async (text: string, values: unknown[]): Promise<number> =>
    (await service.rows(`insert into ${text} returning pk`, values))[0].pk
  const order = (table: string, partner: string) =>
    create(`${table} (reference, ${partner}, status, total_price_currency) values ('X-0001', $1, 10, 'USD')`, [company])
  const salesorder = await order('sales_order', 'customer')
  return {
    build: await create(`build_order (reference, title, part) values ('BO-0001', 'Build', $1)`, [part]),
    supplierpart: await make.supplierPart(company, { part }),
    manufacturerpart: await create(`manufacturer_part (part, manufacturer, "MPN") values ($1, $2, 'MPN')`, [part, company]),
    purchaseorder: await order('purchase_order', 'supplier'),
    salesorder,
    salesordershipment: await create(`sales_order_shipment ("order") values ($1)`, [salesorder]),
    returnorder: await order('return_order', 'customer'),
    transferorder: await create(`transfer_order (reference) values ('TO-0001')`, []),
    part,
    stockitem: await insertItem(service, { part, quantity: '5', location: stocklocation }),
    stocklocation,
  }
}

describe('POST /api/barcode/generate/', () => {
  it('returns a code for an object of every type, in the format of the setting, which a scan finds', async () => {
    const fixtures = await createObjects()
    assert.deepEqual(
      Object.keys(fixtures),
      kinds.map(({ key }) => key),
    )
    for (const form of ['json', 'short']) {
      await changeSetting('INTERNAL_BARCODE_FORMAT', form)
      for (const [model, pk] of Object.entries(fixtures)) {
        const { status, body } = await generate({ model, pk })
        assert.equal(status, 201, JSON.stringify(body))
        assert.match(body.barcode, form === 'json' ? /^\{"[a-z]+": \d+\}$/ : /^INV-[A-Z]{2}\d+$/)
        assert.deepEqual(body, { model, pk, barcode: body.barcode })
        const match = (await member.post('/api/barcode/', { barcode: body.barcode })).body
        assert.deepEqual([match[model]?.pk, match.plugin], [pk, 'InvenTreeBarcode'], body.barcode)
      }
    }
    await changeSetting('SHORT_BARCODE_PREFIX', '')
    assert.equal((await generate({ model: 'part', pk: fixtures.part })).body.barcode, `{"part": ${fixtures.part}}`)
    await changeSetting('SHORT_BARCODE_PREFIX', 'INV-')
    await changeSetting('INTERNAL_BARCODE_FORMAT', 'json')
  })

  it('rejects an unknown kind, and a missing object', async () => {
    const hostile = await superuser.post('/api/barcode/generate/', { model: { toString: false }, pk: 1 })
    assert.deepEqual(hostile.body, { model: ['"{"toString":false}" is not a valid choice.'] })
    const part = await make.part()
    for (const model of ['Part', 'bom', '', 5, null, undefined, '__proto__'])
      assert.deepEqual(Object.keys((await generate({ model, pk: part })).body), ['model'], String(model))
    for (const pk of [999_999, 0, -1, 1.5, 'x', null, undefined, 2 ** 31])
      assert.deepEqual(Object.keys((await generate({ model: 'part', pk })).body), ['pk'], String(pk))
    assert.deepEqual((await generate({ model: 'part', pk: String(part), barcode: 5 })).body, {
      model: 'part',
      pk: String(part),
      barcode: `{"part": ${part}}`,
    })
  })

  it('requires the permission to view the object', async () => {
    const body = { model: 'part', pk: await make.part() }
    assert.equal((await generate(body, viewer)).status, 201)
    for (const requestBody of [body, { model: 'part', pk: 999_999 }]) {
      const errorResponse = await generate(requestBody, nobody)
      assert.deepEqual([errorResponse.status, Object.keys(errorResponse.body)], [403, ['error']])
    }
    assert.equal((await generate(body, anonymous)).status, 401)
    const partQuery = `?model=part&pk=${body.pk}`
    assert.deepEqual(
      [
        (await viewer.get(path + partQuery)).status,
        (await nobody.get(path + partQuery)).status,
        (await anonymous.get(path + partQuery)).status,
      ],
      [200, 403, 401],
    )
  })

  it('returns an error while the plugin for codes of the service is inactive', async () => {
    const body = { model: 'part', pk: await make.part() }
    const activate = (active: boolean) => superuser.patch('/api/plugins/activate/', { plugin: 'inventreebarcode', active })
    await activate(false)
    for (const inactiveResponse of [await generate(body), await member.get(`${path}?model=part&pk=${body.pk}`)]) {
      assert.equal(inactiveResponse.status, 400)
      assert.match(inactiveResponse.body.error, /InvenTreeBarcode is inactive/)
    }
    await activate(true)
    assert.equal((await generate(body)).status, 201)
  })
})

describe('GET /api/barcode/generate/', () => {
  const fetchPicture = async (query: string) => {
    const response = await service.app.inject({
      url: `${path}?${query}`,
      headers: { authorization: `Basic ${btoa('member:a password of tests')}` },
    })
    return { status: response.statusCode, type: response.headers['content-type'], bytes: response.rawPayload }
  }

  it('draws the code in each symbology, readable by a scanner', async () => {
    const pk = await make.part()
    for (const [symbology, format] of [
      ['qrcode', 'QRCode'],
      ['datamatrix', 'DataMatrix'],
      ['code128', 'Code128'],
    ])
      for (const scale of [2, 16]) {
        const { status, type, bytes } = await fetchPicture(`model=part&pk=${pk}&symbology=${symbology}&format=png&scale=${scale}`)
        assert.deepEqual([status, type], [200, 'image/png'])
        assert.deepEqual(await scanImage(bytes), [{ format, text: `{"part": ${pk}}` }])
      }
    const { status, type, bytes } = await fetchPicture(`model=part&pk=${pk}`)
    assert.deepEqual([status, type], [200, 'image/svg+xml'])
    const { default: sharp } = await import('sharp')
    assert.deepEqual(await scanImage(await sharp(bytes).png().toBuffer()), [{ format: 'QRCode', text: `{"part": ${pk}}` }])
  })

  it('is as wide as its modules at the requested scale', async () => {
    const pk = await make.part()
    for (const scale of [1, 5])
      assert.match(
        (await fetchPicture(`model=part&pk=${pk}&scale=${scale}`)).bytes.toString(),
        new RegExp(`width="${29 * scale}"`),
      )
  })

  it('rejects invalid parameters, and a code that does not fit', async () => {
    const pk = await make.part()
    const partQuery = `model=part&pk=${pk}`
    const cases = {
      model: `pk=${pk}`,
      pk: 'model=part&pk=x',
      scale: `${partQuery}&scale=17`,
      symbology: `${partQuery}&symbology=aztec`,
      format: `${partQuery}&format=pdf`,
    }
    for (const [name, query] of Object.entries(cases)) {
      const { status, body } = await member.get(`${path}?${query}`)
      assert.deepEqual([status, Object.keys(body)], [400, [name]])
    }
    await changeSetting('INTERNAL_BARCODE_FORMAT', 'short')
    await changeSetting('SHORT_BARCODE_PREFIX', 'Ω')
    const { status, body } = await member.get(`${path}?${partQuery}&symbology=code128`)
    assert.deepEqual([status, body.error], [400, 'A Code 128 can only contain ASCII.'])
    assert.equal((await member.get(`${path}?${partQuery}`)).status, 200)
  })
})
