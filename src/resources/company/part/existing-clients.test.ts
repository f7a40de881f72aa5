import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'

/** Responses with supplier parts, which differ for clients of InvenTree (see WIRE_FORM). */
const path = '/api/company/part/'

/** Creates a supplier part with a manufacturer part and one without, and reads every response that shows the latter. */
async function readSupplierParts(service: Awaited<ReturnType<typeof testService>>) {
  const { superuser } = service
  const helpers = createPurchaseHelpers(service)
  const supplier = await helpers.supplier()
  const pk = await helpers.supplierPart(supplier)
  const note = 'says "manufacturer_detail":null, itself'
  const changed = await superuser.patch(`${path}${pk}/`, { note })
  assert.equal(changed.body.note, note, changed.text)
  const { body: order } = await superuser.post('/api/order/po/', { reference: 'PO-0001', supplier })
  const line = await superuser.post('/api/order/po-line/', { order: order.pk, part: pk, quantity: 1 })
  assert.equal(line.status, 201, line.text)
  const { body: maker } = await superuser.post('/api/company/', { name: 'Maker', is_manufacturer: true, currency: 'EUR' })
  const { body: manufacturerPart } = await superuser.post(`${path}manufacturer/`, {
    part: changed.body.part,
    manufacturer: maker.pk,
    MPN: 'M-1',
  })
  const { body: other } = await superuser.post(path, {
    part: changed.body.part,
    supplier,
    SKU: 'With a maker',
    manufacturer_part: manufacturerPart.pk,
  })
  assert.equal(other.manufacturer_detail.name, 'Maker')
  const get = async (url: string) => (await superuser.get(url)).body
  const list = (await get(`${path}?manufacturer_detail=true&limit=10`)).results
  assert.equal(list.find((one: any) => one.pk === other.pk).manufacturer_detail.name, 'Maker')
  const withoutManufacturer = list.find((one: any) => one.pk === pk)
  assert.equal(withoutManufacturer.note, note)
  return {
    changed: changed.body,
    detail: await get(`${path}${pk}/`),
    list: withoutManufacturer,
    withoutDetail: await get(`${path}${pk}/?manufacturer_detail=false`),
    line: (await get(`/api/order/po-line/${line.body.pk}/?part_detail=true`)).supplier_part_detail,
  }
}

describe('a supplier part without a manufacturer part', () => {
  it('has null as its manufacturer', async () => {
    const { withoutDetail, ...all } = await readSupplierParts(await testService())
    for (const [responseName, one] of Object.entries(all)) assert.equal(one.manufacturer_detail, null, responseName)
    assert.ok(!('manufacturer_detail' in withoutDetail))
  })

  it('WIRE_FORM=inventree: omits that key from every response', async () => {
    for (const [responseName, one] of Object.entries(await readSupplierParts(await testService({ WIRE_FORM: 'inventree' })))) {
      assert.ok(!('manufacturer_detail' in one), responseName)
      assert.ok('supplier' in one, responseName)
    }
  })
})
