// Over 400 lines: tests the three steps of an import, every file format and every error, on one set of parts.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { de } from '../../../console/languages/de.ts'
import { createFilesFolder, encodeForm } from '../../../testing/files.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { IMPORT_FIELDS, mapColumns } from './columns.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir, MAX_FILE_BYTES: String(20 * 1024 * 1024) })
const { member } = service
const path = '/api/bom/import/'

const parts: Record<string, number> = {}
before(async () => {
  const created = await service.rows(
    `insert into part (name, "IPN", assembly, component, trackable) values
       ('Board', 'A-1', true, true, false), ('Resistor', 'R-10K', false, true, false), ('Resistor', 'R-22K', false, true, false),
       ('Chip', 'U-1', false, true, true), ('Poster', 'P-1', false, false, false)
     returning "IPN" as ipn, pk`,
  )
  for (const { ipn, pk } of created) parts[ipn] = pk
})
beforeEach(() => service.rows('delete from bom_item'))

const sheetRows = [
  ['Part IPN', 'Quantity', 'reference', 'Remark', null],
  ['R-10K', 4, 'R1, R2', 'small', null],
  ['U-1', 1, null, null, null],
]
const csv = 'Part IPN,Quantity,reference,Remark\nR-10K,4,"R1, R2",small\nU-1,1,,\n'
/** The sheet as a workbook of this type. */
function createWorkbook(bookType: 'xlsx' | 'biff8' | 'xlml'): Buffer {
  const book = spreadsheet.utils.book_new()
  spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet(sheetRows), 'Parts')
  spreadsheet.utils.book_append_sheet(book, spreadsheet.utils.aoa_to_sheet([['other']]), 'Other')
  return spreadsheet.write(book, { type: 'buffer', bookType, compression: true })
}

const upload = (name: string, content: string | Uint8Array, fields: Record<string, string> = {}) => {
  const { body, headers } = encodeForm({
    data_file: { name, content },
    part: String(parts['A-1']),
    clear_existing_bom: 'false',
    ...fields,
  })
  return member.send('POST', `${path}upload/`, body, headers)
}
/** The error for a file. */
const uploadError = async (name: string, content: string | Uint8Array) => {
  const { status, body } = await upload(name, content)
  assert.deepEqual([status, Object.keys(body)], [400, ['data_file']], `${name}: ${JSON.stringify(body)}`)
  return body.data_file[0] as string
}
const countLooseFiles = async () => (await service.rows('select count(*)::int from loose_file'))[0].count

describe('POST /api/bom/import/upload/', () => {
  const files: [string, string | Uint8Array][] = [
    ['bom.csv', csv],
    ['bom.CSV', csv.replaceAll('\n', '\r\n')],
    ['semicolons.csv', 'Part IPN;Quantity;reference;Remark\nR-10K;4;"R1, R2";small\nU-1;1\n'],
    ['marked.csv', `\uFEFF${csv}`],
    ['utf16.csv', Buffer.from(`\uFEFF${csv}`, 'utf16le')],
    ['bom.tsv', 'Part IPN\tQuantity\treference\tRemark\nR-10K\t4\tR1, R2\tsmall\nU-1\t1\t\t\n'],
    ['bom.xlsx', createWorkbook('xlsx')],
    ['bom.xls', createWorkbook('biff8')],
    ['bom.xml', createWorkbook('xlml')],
  ]
  for (const [name, content] of files)
    it(`reads ${name}`, async () => {
      const { status, body } = await upload(name, content)
      assert.equal(status, 201, JSON.stringify(body))
      const { model_fields, file_fields, rows, filename } = body
      assert.deepEqual(
        { file_fields, rows, filename },
        {
          file_fields: {
            'Part IPN': { value: 'part_ipn' },
            Quantity: { value: 'quantity' },
            reference: { value: 'reference' },
            Remark: { value: 'note' },
          },
          rows: [
            ['R-10K', '4', 'R1, R2', 'small'],
            ['U-1', '1', null, null],
          ],
          filename: name,
        },
      )
      assert.equal(model_fields.quantity.required, true)
      assert.equal(await countLooseFiles(), 0, 'the file is not stored')
    })

  it('reads all rows of a workbook, wherever they are and whatever range it declares', async () => {
    for (const [name, bookType] of [
      ['far.xlsx', 'xlsx'],
      ['far.xls', 'biff8'],
      ['far.xml', 'xlml'],
    ] as const) {
      const far = spreadsheet.utils.aoa_to_sheet(sheetRows)
      spreadsheet.utils.sheet_add_aoa(far, [['R-22K', 2]], { origin: 'A9000' })
      const book = spreadsheet.utils.book_new(far, 'Parts')
      let content: Uint8Array = spreadsheet.write(book, { type: 'buffer', bookType })
      if (bookType === 'xlsx') {
        const packed = unzipSync(content)
        const sheetPath = 'xl/worksheets/sheet1.xml'
        const outdated = strFromU8(packed[sheetPath] as Uint8Array).replace('ref="A1:E9000"', 'ref="A1:B2"')
        assert.match(outdated, /<dimension ref="A1:B2"/)
        content = zipSync({ ...packed, [sheetPath]: strToU8(outdated) })
      }
      const { status, body } = await upload(name, content)
      assert.equal(status, 201, JSON.stringify(body))
      assert.deepEqual(body.rows, [
        ['R-10K', '4', 'R1, R2', 'small'],
        ['U-1', '1', null, null],
        ['R-22K', '2', null, null],
      ])
      spreadsheet.utils.sheet_add_aoa(far, Array(5_000).fill(['R-22K', 2]), { origin: 'A4' })
      const long = spreadsheet.write(spreadsheet.utils.book_new(far, 'Parts'), { type: 'buffer', bookType })
      assert.equal(await uploadError(name, long), 'It has more than 5000 rows.')
    }
  })

  it('reads a percentage as written, although the workbook stores a fraction', async () => {
    const shares = spreadsheet.utils.aoa_to_sheet([
      ['Part IPN', 'Quantity', 'Overage'],
      ['R-10K', 0.05, 0.05],
      ['R-22K', 2, 0.07],
      ['U-1', 1, 3],
    ])
    for (const [cell, format] of [
      ['B2', '0.00" % of a reel"'],
      ['C2', '0%'],
      ['C3', '0.00%'],
    ] as const)
      shares[cell].z = format
    const book = spreadsheet.utils.book_new(shares, 'Parts')
    for (const [name, bookType] of [
      ['shares.xlsx', 'xlsx'],
      ['shares.xls', 'biff8'],
      ['shares.xml', 'xlml'],
    ] as const)
      assert.deepEqual(
        (await upload(name, spreadsheet.write(book, { type: 'buffer', bookType }))).body.rows,
        [
          ['R-10K', '0.05', '5%'],
          ['R-22K', '2', '7%'],
          ['U-1', '1', '3'],
        ],
        name,
      )
  })

  it('reads the Western European encoding of Windows', async () => {
    const { body } = await upload('old.csv', Buffer.from('Part,Quantity\nK\xf6rper,1\n', 'latin1'))
    assert.equal(body.rows[0][0], 'Körper')
  })

  it('accepts a data: URI too', async () => {
    const data_file = `data:text/csv;name=bom.csv;base64,${Buffer.from(csv).toString('base64')}`
    const { status, body } = await member.post(`${path}upload/`, { data_file, part: parts['A-1'], clear_existing_bom: false })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual([body.filename, body.rows.length], ['bom.csv', 2])
    assert.equal(await countLooseFiles(), 0)
  })

  it('deletes existing lines only on request and once the file is read', async () => {
    await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [parts['A-1'], parts['R-10K']])
    const count = async () => (await service.rows('select count(*)::int from bom_item'))[0].count
    await upload('bom.csv', csv)
    await upload('bom.xlsx', 'no workbook', { clear_existing_bom: 'true' })
    assert.equal(await count(), 1)
    await upload('bom.csv', csv, { clear_existing_bom: 'true' })
    assert.equal(await count(), 0)
  })

  it('deletes no lines for a file without usable rows, and reports that', async () => {
    await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [parts['A-1'], parts['R-10K']])
    const replaceLines = (content: string) => upload('other.csv', content, { clear_existing_bom: 'true' })
    for (const content of [
      'Kunde,Betrag\nMeier,5\n',
      'Note\nhello\n',
      'Part,Note\nR-10K,hello\n',
      'Part,Quantity\n" "," "\n',
      'Part IPN,Quantity\n',
      'Part IPN,Quantity\nnone,4\nP-1,1\nU-1,1.5\nR-10K,0\n',
      'Part IPN,Quantity,Level\nR-10K,4,2\n',
      'Part ID,Quantity\nA-1,4\n'.replace('A-1', String(parts['A-1'])),
    ]) {
      const { status, body } = await replaceLines(content)
      assert.deepEqual([status, Object.keys(body)], [400, ['data_file']], content)
    }
    const [message, ...reasons] = (await replaceLines('Part IPN,Quantity\nnone,"4,5"\n')).body.data_file
    assert.match(message, /is unchanged/)
    assert.deepEqual(reasons, [
      'No matching part.',
      'Write numbers with a decimal point and without thousands separators: 1234.5.',
    ])
    assert.equal((await service.rows('select from bom_item')).length, 1)
    assert.equal((await upload('other.csv', 'Kunde,Betrag\nMeier,5\n')).status, 201, 'its columns can still be chosen by hand')
    assert.equal((await replaceLines('Part IPN,Quantity\nnone,4\nR-22K,1\n')).status, 201, 'one row is enough')
    assert.equal((await service.rows('select from bom_item')).length, 0)
  })

  it('recognizes German column names', async () => {
    const columns = ['Teilenummer', 'Menge', 'Referenz', 'Bemerkung', 'Zuschlag', 'Verbrauchsmaterial', 'Auch Varianten']
    const { body } = await upload('liste.csv', `${columns.join(';')}\nR-10K;4;R1;;;;\n`)
    assert.deepEqual(
      Object.values(body.file_fields).map((field) => (field as { value?: string }).value),
      ['part_ipn', 'quantity', 'reference', 'note', 'overage', 'consumable', 'allow_variants'],
    )
    assert.equal((await upload('liste.csv', 'Teil;MENGE\nR-10K;4\n')).body.file_fields.Teil.value, 'part')
  })

  it('recognizes every German column name of the console, each for one column only', () => {
    const words = de as Record<string, string>
    // keys are read only from the service's own export
    for (const name of Object.keys(IMPORT_FIELDS).filter((name) => name !== 'part_id'))
      for (const word of [words[`field.${name}`], words[`parts.column.${name}`]])
        if (word !== undefined) assert.deepEqual(mapColumns([word]), [name], word)
    assert.deepEqual(mapColumns(['Ref', 'Qty', 'Comment']), ['reference', 'quantity', 'note'])
  })

  it('rejects a file that is not a table, or is too large', async () => {
    for (const [name, content] of [
      ['bom.pdf', '%PDF'],
      ['bom.csv', ''],
      ['bom.csv', '\n\n'],
      ['bom.csv', 'Part,Quantity\n'],
      ['bom.csv', `Part,Quantity\n${'1,2\n'.repeat(5_001)}`],
      ['bom.csv', `${Array.from({ length: 101 }, (_, index) => `c${index}`).join(',')}\n1\n`],
      ['bom.csv', `Part,Quantity\n${'x'.repeat(5_001)},1\n`],
      ['bom.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a')],
      ['bom.xlsx', 'PK\u0003\u0004 but no more'],
      ['bom.xlsx', createWorkbook('biff8').subarray(0, 500)],
      ['bom.xls', createWorkbook('biff8').subarray(0, 900)],
      ['bom.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ] as const)
      assert.ok(await uploadError(name, content), name)
    assert.equal(await countLooseFiles(), 0)
  })

  it('limits the memory that a malicious file can use', async () => {
    const cell = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
    const zipBook = (parts: Record<string, Uint8Array>) =>
      zipSync({
        '[Content_Types].xml': strToU8(
          '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        ),
        'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'),
        ...parts,
      })
    const bomb = zipBook({ 'xl/worksheets/sheet1.xml': new Uint8Array(200 * 1024 * 1024) })
    assert.ok(bomb.length < 1024 * 1024)
    const before = process.memoryUsage().rss
    await uploadError('bomb.xlsx', bomb)
    const wide = zipBook({
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${cell('Part')}</sheetData></worksheet>`,
      ),
    })
    await uploadError('wide.xlsx', wide)
    const entities = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${'a'.repeat(1000)}">${Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY a${index} "${`&a${index ? index - 1 : ''};`.repeat(10)}">`,
    ).join('')}]><Workbook><Worksheet><Table><Row><Cell><Data>&a8;</Data></Cell></Row></Table></Worksheet></Workbook>`
    await uploadError('entities.xml', entities)
    assert.ok(process.memoryUsage().rss - before < 300 * 1024 * 1024)
    assert.equal((await upload('bom.csv', csv)).status, 201)
  })

  it('names the missing and invalid fields', async () => {
    const empty = await member.post(`${path}upload/`, {})
    assert.deepEqual([empty.status, Object.keys(empty.body)], [400, ['data_file', 'part', 'clear_existing_bom']])
    const unknown = await upload('bom.csv', csv, { part: '99999' })
    assert.deepEqual([unknown.status, Object.keys(unknown.body)], [400, ['part']])
    const text = await member.post(`${path}upload/`, { data_file: 'bom.csv', part: parts['A-1'], clear_existing_bom: true })
    assert.deepEqual([text.status, Object.keys(text.body)], [400, ['data_file']])
    assert.equal(await countLooseFiles(), 0)
  })

  it('requires a role that may change parts', () =>
    assertCallers(
      service,
      (client) =>
        client.post(`${path}upload/`, {
          data_file: `data:text/csv;name=bom.csv;base64,${Buffer.from(csv).toString('base64')}`,
          part: parts['A-1'],
          clear_existing_bom: true,
        }),
      ['member', 'superuser'],
      () => service.rows('select * from bom_item'),
    ))
})

describe('POST /api/bom/import/extract/', () => {
  const extract = (columns: unknown, rows: unknown) => member.post(`${path}extract/`, { columns, rows })

  it('finds the components of rows, and reports the errors of each', async () => {
    const rows = [
      ['R-10K', '4', 'R1'],
      ['r-22k', '1.5', null],
      ['none', '1', null],
      ['P-1', '1', null],
      ['U-1', '0', null],
      [null, null, 'R7'],
    ]
    const { status, body } = await extract(['part_ipn', 'quantity', 'reference'], rows)
    assert.equal(status, 201)
    assert.deepEqual(body.columns, ['part_ipn', 'quantity', 'reference'])
    assert.deepEqual(body.rows[0], {
      original: rows[0],
      data: { part_ipn: 'R-10K', quantity: '4', reference: 'R1', part: parts['R-10K'], errors: {} },
      field_errors: [],
      row_numbers: [1],
      part_detail: { pk: parts['R-10K'], name: 'Resistor', full_name: 'R-10K | Resistor', IPN: 'R-10K' },
    })
    assert.deepEqual(
      body.rows.map(({ data }: { data: { part: number; errors: object } }) => [data.part, Object.keys(data.errors)]),
      [
        [parts['R-10K'], []],
        [parts['R-22K'], []],
        [null, ['part']],
        [parts['P-1'], ['part']],
        [parts['U-1'], ['quantity']],
        [null, ['part', 'quantity']],
      ],
    )
  })

  it('reports for each cell the error that its line would have', async () => {
    const columns = ['part_ipn', 'quantity', 'overage', 'optional', 'note']
    const { body } = await extract(columns, [
      ['R-10K', '1', '200%', null, null],
      ['U-1', '1.5', null, '', ' '],
      ['R-22K', '0.0000001', '5 %', 'ja', 'x'.repeat(501)],
    ])
    const errors = body.rows.map(({ data }: { data: { errors: Record<string, string> } }) => data.errors)
    assert.deepEqual(errors.map(Object.keys), [['overage'], ['quantity'], ['note', 'optional', 'quantity']])
    for (const text of errors.flatMap(Object.values)) assert.equal(typeof text, 'string')
  })

  it('returns valid rows unchanged, with their empty cells', async () => {
    const columns = ['part_ipn', 'quantity', 'reference', 'overage', 'optional', 'consumable', 'note']
    const { body } = await extract(columns, [
      ['R-10K', '4', null, null, null, null, null],
      ['U-1', '1', 'U1', '', '', 'yes', ''],
    ])
    const items = body.rows.map(({ data }: { data: { part: number; errors: object } }) => {
      assert.deepEqual(data.errors, {})
      return { ...data, part: parts['A-1'], sub_part: data.part }
    })
    const created = await member.post(`${path}submit/`, { items })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    assert.deepEqual(
      created.body.items.map((line: Record<string, unknown>) => [line.note, line.overage, line.optional, line.consumable]),
      [
        ['', '', false, false],
        ['', '', false, true],
      ],
    )
    await service.rows('update part set trackable = false where pk = $1', [parts['A-1']])
  })

  it('finds a component by its key, by its name, and by name and IPN', async () => {
    const readComponent = async (columns: string[], row: unknown[]) => {
      const { body } = await extract(['quantity', ...columns], [['1', ...row]])
      const [{ data }] = body.rows
      return [data.part, data.errors.part !== undefined]
    }
    assert.deepEqual(await readComponent(['part_id'], [String(parts['R-22K'])]), [parts['R-22K'], false])
    assert.deepEqual(await readComponent(['part'], [String(parts['R-22K'])]), [null, true])
    assert.deepEqual(await readComponent(['part'], ['r-22k']), [parts['R-22K'], false])
    assert.deepEqual(await readComponent(['part'], ['Chip']), [parts['U-1'], false])
    assert.deepEqual(await readComponent(['part_name'], ['Resistor']), [null, true])
    assert.deepEqual(await readComponent(['part_name', 'part_ipn'], ['Resistor', 'R-10K']), [parts['R-10K'], false])
    assert.deepEqual(await readComponent(['part_id'], ['99999999999999999999']), [null, true])
  })

  it('finds a component by any Unicode form of its name or IPN, and prefers the exact form', async () => {
    const created = await service.rows(
      `insert into part (name, "IPN", component) values ('Cap 47µF', 'C-47µ', true), ('Plate 2×3', 'ＰＬ-２', true),
         ('Dübel', 'D-1', true), ('Coil 1u', 'L-1', true), ('Coil 1µ', 'L-2', true)
       returning pk`,
    )
    const [cap, plate, plug, plain, micro] = created.map(({ pk }) => pk)
    for (const [column, text, part] of [
      ['part_name', 'Cap 47uF', cap],
      ['part_name', 'Cap 47μF', cap],
      ['part_name', 'Ｃａｐ　４７ｕＦ', cap],
      ['part_ipn', 'c-47μ', cap],
      ['part_name', 'Plate 2x3', plate],
      ['part_ipn', 'PL-2', plate],
      ['part_name', 'Dübel', plug],
      ['part_name', 'Coil 1u', plain],
      ['part_name', 'Coil 1µ', micro],
      ['part_name', 'Coil 1μ', null],
    ] as const) {
      const { body } = await extract(['quantity', column], [['1', text]])
      assert.equal(body.rows[0].data.part, part, text)
    }
    await service.rows('delete from part where pk = any($1)', [created.map(({ pk }) => pk)])
  })

  it('skips rows below the first level', async () => {
    const { body } = await extract(
      ['part_ipn', 'quantity', 'level'],
      [
        ['R-10K', '1', '1'],
        ['U-1', '1', '2'],
        ['R-22K', '1', ''],
      ],
    )
    assert.deepEqual(
      body.rows.map(({ data }: { data: { part: number } }) => data.part),
      [parts['R-10K'], parts['R-22K']],
    )
  })

  it('rejects columns that cannot become lines', async () => {
    for (const [columns, field] of [
      [['quantity', 'quantity', 'part'], 'columns'],
      [['part', 'note'], 'non_field_errors'],
      [['quantity', 'reference'], 'non_field_errors'],
      [undefined, 'columns'],
      [Array.from({ length: 101 }, String), 'columns'],
    ] as const) {
      const { status, body } = await extract(columns, [['1']])
      assert.deepEqual([status, Object.keys(body)], [400, [field]], JSON.stringify(columns))
    }
    assert.deepEqual(Object.keys((await extract(['part', 'quantity'], 'x')).body), ['rows'])
  })

  it('requires a role that may change parts', () =>
    assertCallers(
      service,
      (client) => client.post(`${path}extract/`, { columns: ['part', 'quantity'], rows: [] }),
      ['member', 'superuser'],
      () => service.rows('select * from bom_item'),
    ))
})

describe('POST /api/bom/import/submit/', () => {
  const submit = (items: unknown) => member.post(`${path}submit/`, { items })
  const readLines = async () =>
    (await service.rows('select sub_part, quantity::float from bom_item order by pk')).map(Object.values)

  it('creates lines, except for components that the assembly has already', async () => {
    const line = (ipn: string, more = {}) => ({ part: parts['A-1'], sub_part: parts[ipn], quantity: 2, ...more })
    await submit([line('R-10K')])
    const { status, body } = await submit([line('R-10K', { quantity: 9 }), line('U-1', { reference: 'U1' }), line('U-1')])
    assert.equal(status, 201)
    assert.deepEqual(
      body.items.map(({ sub_part, reference }: { sub_part: number; reference: string }) => [sub_part, reference]),
      [[parts['U-1'], 'U1']],
    )
    assert.deepEqual(await readLines(), [
      [parts['R-10K'], 2],
      [parts['U-1'], 2],
    ])
  })

  it("deletes the assembly's lines and creates others, or does neither", async () => {
    const line = (ipn: string, more = {}) => ({ part: parts['A-1'], sub_part: parts[ipn], quantity: 2, ...more })
    const replaceLines = (items: unknown) => member.post(`${path}submit/`, { items, clear_existing_bom: true })
    await submit([line('R-10K'), line('R-22K')])
    for (const items of [[], [line('U-1'), line('P-1')], [line('A-1')]]) assert.equal((await replaceLines(items)).status, 400)
    assert.equal((await readLines()).length, 2)
    const { status, body } = await replaceLines([line('R-22K', { quantity: 9 }), line('U-1')])
    assert.deepEqual([status, body.items.length], [201, 2])
    assert.deepEqual(await readLines(), [
      [parts['R-22K'], 9],
      [parts['U-1'], 2],
    ])
    await service.rows('update part set trackable = false where pk = $1', [parts['A-1']])
  })

  it('creates all lines or none, and reports each error at its position', async () => {
    const good = { part: parts['A-1'], sub_part: parts['R-10K'], quantity: 1 }
    for (const [bad, field] of [
      [{ ...good, sub_part: 99_999 }, 'sub_part'],
      [{ ...good, sub_part: parts['P-1'] }, 'sub_part'],
      [{ ...good, sub_part: parts['U-1'], quantity: 1.5 }, 'quantity'],
      [{ ...good, sub_part: parts['A-1'] }, 'sub_part'],
      [{ ...good, overage: 'x' }, 'overage'],
    ] as const) {
      const { status, body } = await submit([good, bad])
      assert.equal(status, 400, JSON.stringify(bad))
      assert.deepEqual(Object.keys(body.items[0]), [])
      assert.deepEqual(Object.keys(body.items[1]), [field])
    }
    assert.deepEqual(await readLines(), [])
    for (const items of [undefined, null, 'x', [1]]) assert.deepEqual(Object.keys((await submit(items)).body), ['items'])
    assert.deepEqual(Object.keys((await submit([])).body), ['non_field_errors'])
    assert.deepEqual((await submit([{ ...good, quantity: undefined }])).body, {
      items: [{ quantity: ['This field is required.'] }],
    })
  })

  it('requires a role that may change parts', () =>
    assertCallers(
      service,
      (client) => client.post(`${path}submit/`, { items: [{ part: parts['A-1'], sub_part: parts['R-10K'], quantity: 1 }] }),
      ['member', 'superuser'],
      () => service.rows('select * from bom_item'),
    ))
})
