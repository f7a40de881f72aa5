import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer, staff } = service
const imports = createImportHelpers(service)
const MAPPINGS = '/api/importer/column-mapping/'

type Mapping = { pk: number; field: string; column: string; lookup_field: string | null }

async function uploadParts() {
  const session = await imports.upload('Thing,Number,Group\nKnob,K-1,Kits', 'part')
  const find = (field: string) => session.column_mappings.find((mapping: Mapping) => mapping.field === field) as Mapping
  return { session: session.pk as number, find }
}

describe('GET /api/importer/column-mapping/', () => {
  it('lists the fields of a session', async () => {
    const { session, find } = await uploadParts()
    const { body } = await member.get(`${MAPPINGS}?session=${session}&limit=2`)
    assert.ok(body.count > 20)
    const name = find('name')
    assert.deepEqual((await member.get(`${MAPPINGS}${name.pk}/`)).body, name)
    assert.equal((await viewer.get(`${MAPPINGS}${name.pk}/`)).status, 404)
    assert.equal((await staff.get(`${MAPPINGS}${name.pk}/`)).status, 200)
    assert.equal((await member.get(`${MAPPINGS}?session=99999999`)).status, 400)
  })

  it('guesses fields from headings of ten languages', async () => {
    for (const [heading, field] of [
      ['Description', 'description'],
      ['Beschreibung', 'description'],
      ['Catégorie', 'category'],
      ['Palabras clave', 'keywords'],
      ['Scorta minima', 'minimum_stock'],
      ['Unidade', 'units'],
      ['Trefwoorden', 'keywords'],
      ['Lokalizacja', 'default_location'],
      ['Kategorie', 'category'],
      ['最低库存', 'minimum_stock'],
    ]) {
      const session = await imports.upload(`${heading}\nx`, 'part')
      const mapped = session.column_mappings.filter(({ column }: Mapping) => column)
      assert.deepEqual(
        mapped.map((mapping: Mapping) => mapping.field),
        [field],
        heading,
      )
    }
  })

  it('guesses each column for one field', async () => {
    const session = await imports.upload('Supplier,Part,SKU,MPN,Description\na,b,c,d,e', 'supplierpart')
    const mapped = Object.fromEntries(
      session.column_mappings.flatMap(({ field, column }: Mapping) => (column ? [[field, column]] : [])),
    )
    assert.deepEqual(mapped, {
      supplier: 'Supplier',
      part: 'Part',
      SKU: 'SKU',
      manufacturer_part: 'MPN',
      description: 'Description',
    })
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(MAPPINGS), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('PUT and PATCH /api/importer/column-mapping/{id}/', () => {
  it('map a field to a column, or to none', async () => {
    const { find } = await uploadParts()
    const name = find('name')
    for (const column of ['Thing', '']) {
      const { status, body } = await member.patch(`${MAPPINGS}${name.pk}/`, { column })
      assert.deepEqual([status, body], [200, { ...name, column }])
    }
    const put = await member.put(`${MAPPINGS}${name.pk}/`, { column: 'Number' })
    assert.deepEqual(put.body, { ...name, column: 'Number' })
    const category = find('category')
    const lookup = await member.patch(`${MAPPINGS}${category.pk}/`, { lookup_field: 'name' })
    assert.deepEqual(lookup.body, { ...category, lookup_field: 'name' })
  })

  it('reject a column that the file lacks or another field has, and an unknown way to look up', async () => {
    const { find } = await uploadParts()
    const [name, category, description] = [find('name'), find('category'), find('description')]
    assert.equal(category.column, 'Group')
    for (const [mapping, change, field] of [
      [name, { column: 'Missing' }, 'column'],
      [name, { column: 'Group' }, 'column'],
      [category, { lookup_field: 'IPN' }, 'lookup_field'],
      [description, { lookup_field: 'name' }, 'lookup_field'],
    ] as const) {
      const { status, body } = await member.patch(`${MAPPINGS}${mapping.pk}/`, change)
      assert.deepEqual([status, Object.keys(body)], [400, [field]])
      assert.deepEqual((await member.get(`${MAPPINGS}${mapping.pk}/`)).body, mapping)
    }
  })

  it('have the rows read again, unless one was accepted', async () => {
    const { session, rows } = await imports.read('name,description\nA,b\nB,c', 'partcategory')
    const mappings = (await member.get(`${MAPPINGS}?session=${session}&limit=100`)).body.results
    const keywords = mappings.find(({ field }: Mapping) => field === 'default_keywords')
    assert.equal((await member.patch(`${MAPPINGS}${keywords.pk}/`, { column: '' })).status, 200)
    assert.deepEqual(await imports.listRows(session), [])
    assert.equal((await imports.acceptRows(session, [rows[0]?.pk as number])).status, 400)
    await imports.acceptFields(session)
    const [first] = await imports.listRows(session)
    await imports.acceptRows(session, [first?.pk as number])
    const rejected = await member.patch(`${MAPPINGS}${keywords.pk}/`, { column: '' })
    assert.deepEqual([rejected.status, Object.keys(rejected.body)], [400, ['non_field_errors']])
    assert.equal((await imports.listRows(session)).length, 2)
  })

  it('are for those who see the session', async () => {
    const { find } = await uploadParts()
    const statuses = await Promise.all(
      (['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const).map(
        async (name) => (await service[name].patch(`${MAPPINGS}${find('name').pk}/`, {})).status,
      ),
    )
    assert.deepEqual(statuses, [401, 404, 404, 200, 200, 200])
  })
})
