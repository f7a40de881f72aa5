import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { testService } from '../../testing/service.ts'

const { dataDir, write } = createPluginFolder()
write(
  'broken',
  `barcode: { scan() { throw new Error('no scanner') } }, supplierBarcode: { read() { throw new Error('no light') } },`,
)
write('hanging', `barcode: { scan: () => new Promise(() => {}) }, supplierBarcode: { read: () => new Promise(() => {}) },`)
write('busy', `barcode: { scan() { for (;;); } },`)
write('mistaken', `barcode: { scan: () => ({ kind: 'part', pk: 'one' }) }, supplierBarcode: { read: () => ({ quantity: 5 }) },`)
write('elsewhere', `barcode: { scan: () => ({ kind: 'part', pk: 999999 }) },`)
write(
  'finder',
  `barcode: { scan: (text) => text.startsWith('FIND ') ? { kind: 'part', pk: Number(text.slice(5)) } : undefined },`,
)
write(
  'labels',
  `supplierBarcode: { read: (text) => text.startsWith('ACME ') ? { supplier_part_number: text.slice(5), quantity: '7' } : undefined },`,
)
write(
  'twice',
  `supplierBarcode: { read: (text) => {
    const [, sku] = text.match(/^ACME ALSO (.+)$/) ?? []
    return sku && { supplier_part_number: sku, quantity: '3' }
  } },`,
)
const service = await testService({ DATA_DIR: dataDir })
const { superuser, nobody } = service
const make = createPurchaseHelpers(service)
const activate = async (plugin: string, active: boolean) =>
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin, active })).status, 200)
for (const plugin of ['broken', 'hanging', 'busy', 'mistaken', 'elsewhere', 'finder', 'labels', 'twice'])
  await activate(plugin, true)
const scan = (barcode: string, client = superuser) => client.post('/api/barcode/', { barcode })

describe('POST /api/barcode/ with plugins', () => {
  it('returns the object of the first plugin that finds one, whatever the others do', async () => {
    const part = await make.part()
    const { status, body } = await scan(`FIND ${part}`)
    assert.deepEqual([status, body.part?.pk, body.plugin], [201, part, 'Plugin finder'])
    assert.equal((await scan(`FIND ${part}`, nobody)).status, 400)
  })

  it('receives, finds supplier parts to order, and allocates, whatever other plugins do', async () => {
    const [company, part, shelf] = [await make.supplier(), await make.part(), await make.location()]
    const supplierPart = await make.supplierPart(company, { part })
    await service.rows(`update supplier_part set "SKU" = 'X-0' where pk = $1`, [supplierPart])
    const order = (await superuser.post('/api/order/po/', { supplier: company, reference: 'PO-0001' })).body.pk
    await superuser.post('/api/order/po-line/', { order, part: supplierPart, quantity: 10, destination: shelf })
    const match = await superuser.post('/api/barcode/po-allocate/', { barcode: 'ACME X-0', purchase_order: order })
    assert.deepEqual([match.status, match.body.supplierpart?.pk, match.body.plugin], [201, supplierPart, 'Plugin labels'])
    await superuser.post(`/api/order/po/${order}/issue/`, {})
    const received = await superuser.post('/api/barcode/po-receive/', { barcode: 'ACME X-0', purchase_order: order })
    assert.deepEqual([received.status, received.body.lineitem?.quantity, received.body.plugin], [201, '7', 'Plugin labels'])
    const [{ pk: sale }] = await service.rows(
      `insert into sales_order (reference, customer, status, total_price_currency) values ('SO-0001', $1, 10, 'USD') returning pk`,
      [company],
    )
    const errorResponse = await superuser.post('/api/barcode/so-allocate/', { barcode: `FIND ${part}`, sales_order: sale })
    assert.deepEqual([errorResponse.status, errorResponse.body.error], [400, 'Barcode does not match an existing stock item'])
  })

  it("receives by another plugin's reading if the first one does not match", async () => {
    const [company, shelf] = [await make.supplier(), await make.location()]
    const [other, supplierPart] = [await make.supplierPart(company), await make.supplierPart(company)]
    await service.rows(`update supplier_part set "SKU" = 'ALSO Y-0' where pk = $1`, [other])
    await service.rows(`update supplier_part set "SKU" = 'Y-0' where pk = $1`, [supplierPart])
    const order = (await superuser.post('/api/order/po/', { supplier: company, reference: 'PO-0002' })).body.pk
    const line = (await superuser.post('/api/order/po-line/', { order, part: supplierPart, quantity: 3, destination: shelf }))
      .body.pk
    await superuser.post(`/api/order/po/${order}/issue/`, {})
    const receive = () => superuser.post('/api/barcode/po-receive/', { barcode: 'ACME ALSO Y-0', purchase_order: order })
    const { status, body } = await receive()
    assert.deepEqual([status, body.lineitem?.pk, body.plugin], [201, line, 'Plugin twice'])
    assert.equal((await superuser.get(`/api/order/po-line/${line}/`)).body.received, 3)
    assert.equal((await receive()).status, 400)
    assert.equal((await superuser.get(`/api/order/po-line/${line}/`)).body.received, 3)
  })

  it('reads labels through a plugin, and calls no plugin for codes of the service', async () => {
    await activate('hanging', false)
    const { status, body } = await scan('ACME X-1')
    assert.deepEqual([status, body.labels], [400, [{ plugin: 'Plugin labels', supplier_part_number: 'X-1', quantity: '7' }]])
    const pk = await make.supplierPart(await make.supplier())
    await service.rows(`update supplier_part set "SKU" = 'X-1' where pk = $1`, [pk])
    assert.deepEqual((await scan('ACME X-1')).body.supplierpart?.pk, pk)
    const part = await make.part()
    assert.equal((await scan(`{"part": ${part}}`)).body.plugin, 'InvenTreeBarcode')
  })

  it('neither finds nor links while the plugin for codes of the service is inactive, and reports that', async () => {
    const part = await make.part()
    assert.equal((await superuser.post('/api/barcode/link/', { barcode: 'before', part })).status, 201)
    await activate('inventreebarcode', false)
    for (const text of ['before', `{"part": ${part}}`, `INV-PA${part}`]) {
      const { status, body } = await scan(text)
      assert.deepEqual([status, body.part], [400, undefined])
      assert.match(body.error, /InvenTreeBarcode is inactive/)
    }
    for (const [action, requestBody] of Object.entries({ link: { barcode: 'x', part }, unlink: { part } })) {
      const { status, body } = await superuser.post(`/api/barcode/${action}/`, requestBody)
      assert.deepEqual([status, body.plugin], [400, 'InvenTreeBarcode'])
    }
    assert.equal((await scan(`FIND ${part}`)).body.part?.pk, part)
    await activate('inventreebarcode', true)
    assert.equal((await scan('before')).body.part?.pk, part)
  })
})
