import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pluginFolder } from '../../testing/plugin-folder.ts'
import { purchasing } from '../../testing/purchasing.ts'
import { testService } from '../../testing/service.ts'

const { dataDir, write } = pluginFolder()
write(
  'broken',
  `barcode: { scan() { throw new Error('no scanner') } }, supplierBarcode: { read() { throw new Error('no light') } },`,
)
write('hanging', `barcode: { scan: () => new Promise(() => {}) },`)
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
const service = await testService({ DATA_DIR: dataDir })
const { superuser, nobody } = service
const make = purchasing(service)
const activate = async (plugin: string, active: boolean) =>
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin, active })).status, 200)
for (const plugin of ['broken', 'hanging', 'mistaken', 'elsewhere', 'finder', 'labels']) await activate(plugin, true)
const scan = (barcode: string, client = superuser) => client.post('/api/barcode/', { barcode })

describe('POST /api/barcode/ with plugins', () => {
  it('finds what a plugin finds, whatever others do', async () => {
    const part = await make.part()
    const { status, body } = await scan(`FIND ${part}`)
    assert.deepEqual([status, body.part?.pk, body.plugin], [201, part, 'Plugin finder'])
    assert.equal((await scan(`FIND ${part}`, nobody)).status, 400)
  })

  it('reads the labels that a plugin reads, and asks nobody about codes of the service', async () => {
    await activate('hanging', false)
    const { status, body } = await scan('ACME X-1')
    assert.deepEqual([status, body.labels], [400, [{ plugin: 'Plugin labels', supplier_part_number: 'X-1', quantity: '7' }]])
    const pk = await make.supplierPart(await make.supplier())
    await service.rows(`update supplier_part set "SKU" = 'X-1' where pk = $1`, [pk])
    assert.deepEqual((await scan('ACME X-1')).body.supplierpart?.pk, pk)
    const part = await make.part()
    assert.equal((await scan(`{"part": ${part}}`)).body.plugin, 'InvenTreeBarcode')
  })

  it('neither finds nor links while the plugin of its own codes is off, and says so', async () => {
    const part = await make.part()
    assert.equal((await superuser.post('/api/barcode/link/', { barcode: 'before', part })).status, 201)
    await activate('inventreebarcode', false)
    for (const text of ['before', `{"part": ${part}}`, `INV-PA${part}`]) {
      const { status, body } = await scan(text)
      assert.deepEqual([status, body.part], [400, undefined])
      assert.match(body.error, /InvenTreeBarcode is switched off/)
    }
    for (const [at, sent] of Object.entries({ link: { barcode: 'x', part }, unlink: { part } })) {
      const { status, body } = await superuser.post(`/api/barcode/${at}/`, sent)
      assert.deepEqual([status, body.plugin], [400, 'InvenTreeBarcode'])
    }
    assert.equal((await scan(`FIND ${part}`)).body.part?.pk, part)
    await activate('inventreebarcode', true)
    assert.equal((await scan('before')).body.part?.pk, part)
  })
})
