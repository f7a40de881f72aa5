import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createFilesFolder } from '../../testing/files.ts'
import { createImportHelpers } from '../../testing/objects/imports.ts'
import { testService } from '../../testing/service.ts'
import { getImportModel } from './import-models.ts'

/** The fields that an export of each type has a column for, at least: those that people fill in. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  part: ['id', 'name', 'IPN', 'description', 'category', 'keywords', 'minimum_stock', 'units', 'active', 'tags'],
  stockitem: ['id', 'part', 'quantity', 'location', 'batch', 'status', 'packaging', 'link'],
  company: ['id', 'name', 'description', 'website', 'currency', 'is_supplier', 'email'],
  supplierpart: ['id', 'part', 'supplier', 'SKU', 'pack_quantity', 'note'],
  stocklocation: ['id', 'name', 'description', 'parent', 'structural', 'tags'],
  partcategory: ['id', 'name', 'description', 'parent', 'default_keywords'],
  parameter: ['id', 'template', 'data'],
  bomitem: ['id', 'part', 'sub_part', 'quantity', 'reference', 'note', 'optional'],
}

for (const form of ['specification', 'inventree'] as const) {
  const service = await testService({ WIRE_FORM: form, DATA_DIR: createFilesFolder().dataDir })
  const { superuser } = service
  const imports = createImportHelpers(service, superuser)
  const create = async (path: string, body: object): Promise<number> => {
    const response = await superuser.post(path, body)
    assert.equal(response.status, 201, `${path} ${response.text}`)
    return (Array.isArray(response.body) ? response.body[0] : response.body).pk
  }

  describe(`an exported list that is imported, with WIRE_FORM=${form}`, () => {
    before(async () => {
      const top = await create('/api/part/category/', { name: 'Electronics', description: 'All, of it; "quoted"' })
      const category = await create('/api/part/category/', { name: 'Resistors', parent: top, default_keywords: 'ohm, 0603' })
      const hall = await create('/api/stock/location/', { name: 'Hall', structural: true })
      const shelf = await create('/api/stock/location/', { name: 'Shelf 1', parent: hall, tags: ['dry', 'cold'] })
      const part = (name: string, more = {}) => create('/api/part/', { name, category, ...more })
      const resistor = await part('Resistor 10 kΩ', {
        IPN: '0100',
        description: '=not a formula',
        keywords: 'ohm',
        minimum_stock: 0.001,
        component: true,
        purchaseable: true,
        default_location: shelf,
        tags: ['smd', 'x1'],
        link: 'https://example.com/r',
      })
      const board = await part('Board', { IPN: 'B-1', assembly: true, units: 'm', notes: '# Notes\n\nof two lines' })
      const supplier = await create('/api/company/', {
        name: 'Bolts & Co',
        is_supplier: true,
        currency: 'EUR',
        email: 'a@example.com',
        website: 'https://example.com',
      })
      await create('/api/company/part/', { part: resistor, supplier, SKU: '00123', pack_quantity: '5000', note: 'reel' })
      await create('/api/stock/', { part: resistor, quantity: 1234.5, location: shelf, batch: '007', status: 50 })
      await create('/api/stock/', { part: board, quantity: 3, purchase_price: '1.25', purchase_price_currency: 'EUR' })
      await create('/api/bom/', { part: board, sub_part: resistor, quantity: 2.5, reference: 'R1, R2', optional: true })
      const template = await create('/api/parameter/template/', { name: 'Resistance', units: 'ohm' })
      await create('/api/parameter/', { model_type: 'part.part', model_id: resistor, template, data: '10k' })
    })

    for (const [type, expected] of Object.entries(EXPECTED))
      for (const kind of ['csv', 'xlsx'] as const)
        it(`changes nothing: ${type}, ${kind}`, async () => {
          const { path } = getImportModel(type).resource
          const { token } = (await superuser.get('/api/user/token/')).body
          const file = await service.app.inject({
            method: 'GET',
            url: `${path}?export=${kind}`,
            headers: { authorization: `Token ${token}` },
          })
          assert.equal(file.statusCode, 200, file.payload)
          const session = await imports.upload(file.rawPayload, type, { name: `export.${kind}`, update_records: true })
          const mapped = session.column_mappings.flatMap(({ field, column }: Record<string, string>) => (column ? [field] : []))
          assert.deepEqual(
            expected.filter((field) => !mapped.includes(field)),
            [],
            session.columns.join(),
          )
          await imports.acceptFields(session.pk)
          const rows = (await superuser.get(`/api/importer/row/?session=${session.pk}&limit=100`)).body.results
          assert.ok(rows.length > 0)
          for (const { errors, action, previous } of rows) assert.deepEqual([errors, action, previous], [null, 'update', {}])
        })
  })
}
