import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { testService } from '../../testing/service.ts'
import { hashBarcode } from './barcode-hash.ts'
import { samples } from './sample-codes.ts'

/** Barcodes as existing clients expect them: docs/configuration.md#wire-form. */
const service = await testService({ WIRE_FORM: 'inventree' })
const make = createPurchaseHelpers(service)
const { superuser } = service
const post = (path: string, body: object) => superuser.post(`/api/barcode/${path}`, body)

describe('WIRE_FORM=inventree: /api/barcode/', () => {
  it('returns 200 with the objects found, and no fields of the request', async () => {
    const part = await make.part()
    const linked = await post('link/', { barcode: 'QX-1', part })
    const match = { pk: part, api_url: `/api/part/${part}/`, web_url: `/part/${part}/` }
    const scanFields = { barcode_data: 'QX-1', barcode_hash: hashBarcode('QX-1') }
    assert.deepEqual(
      [linked.status, linked.body],
      [200, { success: 'Assigned barcode to part instance', part: match, ...scanFields }],
    )
    const { status, body } = await post('', { barcode: ' QX-1 ' })
    const success = 'Match found for barcode data'
    assert.deepEqual([status, body], [200, { part: match, plugin: 'InvenTreeBarcode', ...scanFields, success }])
    assert.deepEqual((await post('unlink/', { part })).body, { success: 'Barcode unassigned from part instance' })
  })

  it('returns strings for all values in errors', async () => {
    const part = await make.part()
    await post('link/', { barcode: 'QX-2', part })
    const duplicate = await post('link/', { barcode: 'QX-2', part })
    assert.deepEqual([duplicate.status, duplicate.body.part.pk], [400, String(part)])
    const { status, body } = await post('', { barcode: 'QX-3' })
    assert.deepEqual([status, body.plugin, body.barcode_data], [400, 'None', 'QX-3'])
  })

  it('returns the label data of a code that matches nothing, as strings', async () => {
    const company = await make.supplier()
    await service.rows(`update company set name = 'DigiKey' where pk = $1`, [company])
    const { body: order } = await superuser.post('/api/order/po/', { supplier: company })
    for (const [path, body] of [
      ['', {}],
      ['po-receive/', {}],
      ['po-allocate/', { purchase_order: order.pk }],
    ] as const) {
      const response = await post(path, { barcode: samples.digikeyNonsense, ...body })
      assert.deepEqual([response.status, response.body.plugin], [400, 'None'], response.text)
      const label = response.body.labels.find((entry: any) => entry.plugin === 'DigiKeyPlugin')
      const { supplier_part_number, manufacturer_part_number, quantity, supplier_order_number, supplier } = label
      assert.deepEqual(
        [supplier_part_number, manufacturer_part_number, quantity, supplier_order_number, supplier],
        ['nonsense', 'nonsense', '10', '72991337', String(company)],
      )
    }
  })

  it('accepts a number as a string', async () => {
    const part = await make.part()
    assert.equal((await post('link/', { barcode: 42, part })).body.barcode_data, '42')
    assert.equal((await post('', { barcode: '42' })).body.part.pk, part)
  })

  it('reports several matching supplier parts with a success status', async () => {
    const supplier = await make.supplier()
    for (const sku of ['TWICE', 'twice'])
      await service.rows('update supplier_part set "SKU" = $2 where pk = $1', [await make.supplierPart(supplier), sku])
    const { status, body } = await post('', { barcode: '{pc:Twice,qty:2}' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), ['barcode_data', 'barcode_hash', 'error', 'plugin', 'success'])
  })
})
