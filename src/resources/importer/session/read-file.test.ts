import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import { createFilesFolder } from '../../../testing/files.ts'
import { createImportHelpers } from '../../../testing/objects/imports.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member, viewer } = service
const imports = createImportHelpers(service)

const listColumns = (session: { column_mappings: { field: string; column: string }[] }) =>
  Object.fromEntries(session.column_mappings.flatMap(({ field, column }) => (column ? [[field, column]] : [])))

const reread = (pk: number, body: object, client = member) => client.post(`${imports.sessions}${pk}/read_file/`, body)

before(async () => {
  await member.post('/api/part/category/', { name: 'Kits' })
})

describe('POST /api/importer/session/{id}/read_file/', () => {
  it('reads another sheet, and maps its columns', async () => {
    const book = spreadsheet.utils.book_new()
    spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([['Notes'], ['Draft']]), 'About')
    spreadsheet.utils.book_append_sheet(
      book,
      spreadsheet.utils.aoa_to_sheet([
        ['Name', 'Category'],
        ['Knob', 'Kits'],
        ['Dial', 'Kits'],
      ]),
      'Parts',
    )
    const { pk } = await imports.upload(spreadsheet.write(book, { type: 'buffer', bookType: 'xlsx' }), 'part', {
      name: 'parts.xlsx',
    })
    const other = (await reread(pk, { sheet: 'About' })).body
    assert.deepEqual([other.sheet, other.file_row_count, other.columns], ['About', 1, ['Notes']])
    const { status, body } = await reread(pk, { sheet: 'Parts' })
    assert.deepEqual(
      [status, body.sheet, body.sheets, body.heading_row, body.file_row_count, listColumns(body)],
      [200, 'Parts', ['About', 'Parts'], 1, 2, { name: 'Name', category: 'Category' }],
    )
    assert.deepEqual(Object.keys((await reread(pk, { sheet: 'Missing' })).body), ['sheet'])
    await imports.acceptFields(pk)
    assert.equal((await imports.listRows(pk)).length, 2)
  })

  it('reads a text with another separator, encoding, heading row and decimal separator', async () => {
    const text = Buffer.from('Name;Minimum Stock;Category\nGr\u00f6\u00dfe;1,500;Kits\n', 'latin1')
    const { pk } = await imports.upload(text, 'part', { decimal_separator: '.' })
    const session = (await reread(pk, { separator: ';', encoding: 'windows-1250', heading_row: 1, decimal_separator: ',' })).body
    assert.deepEqual([session.separator, session.encoding, session.decimal_separator], [';', 'windows-1250', ','])
    await imports.acceptFields(pk)
    const [row] = await imports.listRows(pk)
    assert.deepEqual([row?.data.name, row?.data.minimum_stock], ['Größe', '1.500'])
    const wrong = (await reread(pk, { separator: ',' })).body
    assert.deepEqual([wrong.columns, wrong.row_count, wrong.status], [['Name;Minimum Stock;Category', 'Column 2'], 0, 10])
  })

  it('rejects unknown values and rows that were accepted, and changes nothing', async () => {
    const { session } = await imports.load('Name\nRead', 'partcategory')
    const stored = (await member.get(`${imports.sessions}${session}/`)).body
    for (const [body, field] of [
      [{ separator: 'x' }, 'separator'],
      [{ encoding: 'x' }, 'encoding'],
      [{ decimal_separator: 'x' }, 'decimal_separator'],
      [{ heading_row: -1 }, 'heading_row'],
      [{ heading_row: 1 }, 'non_field_errors'],
    ] as const)
      assert.deepEqual(Object.keys((await reread(session, body)).body), [field], JSON.stringify(body))
    assert.deepEqual((await member.get(`${imports.sessions}${session}/`)).body, stored)
    const { pk } = await imports.upload('Name\nOpen', 'partcategory')
    assert.deepEqual(Object.keys((await reread(pk, { heading_row: 9 })).body), ['heading_row'])
    assert.equal((await member.post(`${imports.sessions}${pk}/read_file/`, {}, { 'if-match': '"0"' })).status, 412)
    assert.equal((await reread(99_999_999, {})).status, 404)
    assert.equal((await reread(pk, {}, viewer)).status, 404)
  })

  it('is for those who see the session and may add objects', async () => {
    const { pk } = await imports.upload('name,category\nKnob,Kits', 'part')
    const statuses: number[] = []
    for (const name of ['anonymous', 'nobody', 'viewer', 'member', 'staff', 'superuser'] as const)
      statuses.push((await reread(pk, { heading_row: 1 }, service[name])).status)
    assert.deepEqual(statuses, [401, 404, 404, 200, 403, 200])
  })
})

describe('headings', () => {
  it('keep the field that an account gave them, and one that it does not import', async () => {
    const csv = 'Name,Category,Thing,Description\nKnob,Kits,K-1,x'
    const { pk, column_mappings } = await imports.upload(csv, 'part')
    const find = (field: string) => column_mappings.find((mapping: { field: string }) => mapping.field === field).pk
    for (const [field, column] of [
      ['description', ''],
      ['IPN', 'Thing'],
    ] as const)
      assert.equal((await member.patch(`/api/importer/column-mapping/${find(field)}/`, { column })).status, 200)
    await imports.acceptFields(pk)
    const next = await imports.upload(csv, 'part')
    assert.deepEqual(listColumns(next), { name: 'Name', category: 'Category', IPN: 'Thing' })
    // those of others are their own
    const other = await createImportHelpers(service, service.superuser).upload(csv, 'part')
    assert.deepEqual(listColumns(other), { name: 'Name', category: 'Category', description: 'Description' })
    // until they are mapped as they are by themselves again
    const mapping = next.column_mappings.find(({ field }: { field: string }) => field === 'description').pk
    await member.patch(`/api/importer/column-mapping/${mapping}/`, { column: 'Description' })
    await imports.acceptFields(next.pk)
    assert.equal(listColumns(await imports.upload(csv, 'part')).description, 'Description')
  })
})

describe('lists of the importer', () => {
  it('can be searched and ordered', async () => {
    const first = await imports.upload('Name,Category\nSearched knob,Kits', 'part', { name: 'first-of-two.csv' })
    await imports.upload('Name,Category\nOther,Kits', 'part', { name: 'second-of-two.csv' })
    const list = async (path: string) => (await member.get(`/api/importer/${path}&limit=1000`)).body.results
    assert.deepEqual(
      (await list('session/?search=first-of-two')).map(({ pk }: { pk: number }) => pk),
      [first.pk],
    )
    assert.equal((await list('session/?search=first-of-two member')).length, 1)
    await imports.acceptFields(first.pk)
    assert.equal((await list(`row/?session=${first.pk}&search=searched`)).length, 1)
    assert.equal((await list(`row/?session=${first.pk}&search=nothing`)).length, 0)
    const mappings = await list(`column-mapping/?session=${first.pk}&search=category&ordering=-field`)
    const fields = mappings.map(({ field }: { field: string }) => field)
    assert.ok(fields.includes('category'))
    assert.deepEqual(fields, fields.toSorted().toReversed())
  })

  it('show each account its own', () =>
    assertCallers(service, (client) => client.get('/api/importer/session/?search=x'), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ]))
})
