import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import { parse } from 'csv-parse/sync'
import { testService } from '../../testing/service.ts'

const service = await testService()
const { staff, viewer, anonymous } = service
const CODES_PATH = '/api/project-code/'

for (const [code, description] of [
  ['B-1', 'Zwölf, "eins"\tzwei'],
  ['A-1', '=1+1'],
  ['C-1', '-5.00'],
])
  await staff.post(CODES_PATH, { code, description })

/** Downloads the export file of a list. */
async function downloadFile(query: string, client = viewer, path = CODES_PATH) {
  const authorization = `Token ${(await client.get('/api/user/token/?name=files')).body.token}`
  const response = await service.app.inject({ url: `${path}?${query}`, headers: { authorization } })
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload, body: () => response.json() }
}

const readRows = async (format: string, query = '') => {
  const { bytes } = await downloadFile(`export=${format}${query}`)
  if (format === 'csv' || format === 'tsv') return parse(bytes, { delimiter: format === 'csv' ? ',' : '\t' }) as string[][]
  const book = spreadsheet.read(bytes, { type: 'buffer' })
  return spreadsheet.utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0] as string] as spreadsheet.Sheet, { header: 1 })
}

describe('exporting a list with `export`', () => {
  it('writes a table of all matching rows, in their order: a column for each field', async () => {
    for (const format of ['csv', 'tsv', 'xls', 'xlsx']) {
      const [head = [], ...rows] = await readRows(format, '&ordering=code&limit=1&offset=1')
      assert.deepEqual(head, ['pk', 'code', 'description', 'active', 'responsible', 'responsible_detail'], format)
      assert.deepEqual(
        rows.map((row) => row[1]),
        ['A-1', 'B-1', 'C-1'],
        format,
      )
      assert.equal(rows[1]?.[2], 'Zwölf, "eins"zwei', format)
      const [, ...matches] = await readRows(format, '&search=C-1')
      assert.deepEqual(
        matches.map((row) => row[1]),
        ['C-1'],
        format,
      )
    }
  })

  it("states the file's type and its name", async () => {
    const { status, headers } = await downloadFile('export=xlsx')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    assert.match(String(headers['content-disposition']), /^attachment; filename="Stockroom_projectcode_\d{4}-\d\d-\d\d\.xlsx"$/)
    assert.equal((await downloadFile('export=csv')).headers['content-type'], 'text/csv; charset=utf-8')
  })

  it('marks strings that look like a formula as text, but not amounts', async () => {
    for (const format of ['csv', 'tsv']) {
      const descriptions = (await readRows(format, '&ordering=code')).map((row) => row[2])
      assert.deepEqual(descriptions.slice(1), ["'=1+1", 'Zwölf, "eins"zwei', '-5.00'])
    }
    const sheet = spreadsheet.read((await downloadFile('export=xlsx&search=A-1')).bytes, { type: 'buffer' }).Sheets.Sheet1
    assert.deepEqual([sheet?.C2?.t, sheet?.C2?.v, sheet?.C2?.f], ['s', '=1+1', undefined])
  })

  it('writes the headings if no row matches', async () => {
    const rows = await readRows('csv', '&search=nothing')
    assert.equal(rows.length, 1)
    assert.ok(rows[0]?.includes('code'))
  })

  it('has a column for each field of a nested object that a flag adds, even if the first row has none; a list of strings is one string', async () => {
    const { member } = service
    const category = (await member.post('/api/part/category/', { name: 'Bolts' })).body.pk
    const part = (await member.post('/api/part/', { name: 'Bolt', category })).body.pk
    const location = (await member.post('/api/stock/location/', { name: 'Shelf' })).body.pk
    await member.post('/api/stock/', { part, quantity: 1 })
    await member.post('/api/stock/', { part, quantity: 2, location, tags: ['steel', 'M6'] })
    const { bytes } = await downloadFile('export=csv&location_detail=true&ordering=quantity', viewer, '/api/stock/')
    const [itemWithoutLocation, itemWithLocation] = parse(bytes, { columns: true }) as Record<string, string>[]
    assert.deepEqual(
      [itemWithoutLocation?.quantity, itemWithoutLocation?.location, itemWithoutLocation?.['location_detail.name']],
      ['1', '', ''],
    )
    assert.deepEqual(
      [itemWithLocation?.location, itemWithLocation?.['location_detail.name'], itemWithLocation?.tags],
      [String(location), 'Shelf', 'steel, M6'],
    )
    const columns = Object.keys(itemWithLocation ?? {})
    assert.ok(!columns.includes('location_detail'))
    assert.equal(columns.indexOf('location_detail.name') > columns.indexOf('location'), true, columns.join())
  })

  it('writes at most 50,000 rows: more are rejected, never cut off', async () => {
    await service.rows(`insert into project_code (code) select 'X' || n from generate_series(1, 50000) n`)
    const rejection = await downloadFile('export=csv')
    assert.deepEqual([rejection.status, Object.keys(rejection.body())], [400, ['export']])
    assert.equal((await downloadFile('export=csv&search=A-1')).status, 200)
    const largest = await downloadFile('export=csv&search=X')
    assert.equal(parse(largest.bytes).length, 50_001)
  })

  it('rejects any other file type, and whatever the list itself rejects', async () => {
    const rejection = await downloadFile('export=docx')
    assert.deepEqual([rejection.status, Object.keys(rejection.body())], [400, ['export']])
    assert.equal((await downloadFile('export=')).headers['content-type'], 'application/json')
    assert.equal((await downloadFile('export=csv&supplier=99999999', viewer, '/api/order/po/')).status, 400)
    assert.equal((await anonymous.get(`${CODES_PATH}?export=csv`)).status, 401)
  })
})
