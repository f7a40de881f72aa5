// Over 400 lines: tables as programs and people write them, each with the lines expected from it.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import * as spreadsheet from '@e965/xlsx'
import fc from 'fast-check'
import { createFilesFolder, encodeForm } from '../../../testing/files.ts'
import { testService } from '../../../testing/service.ts'
import { mapColumns } from './columns.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member } = service
const path = '/api/bom/import/'

const parts: Record<string, number> = {}
before(async () => {
  // the keys of the first parts equal the running numbers of the tables
  const created = await service.rows(
    `insert into part (name, "IPN", assembly, component, trackable) values
       ('Wrong one', 'X-1', false, true, false), ('Wrong two', 'X-2', false, true, false), ('Wrong three', 'X-3', false, true, false),
       ('Board', 'A-1', true, true, false), ('Resistor 10k', 'R-10K', false, true, false), ('Capacitor', 'C-100N', false, true, false),
       ('LED warm', 'D-WARM', false, true, false), ('Resistor 470', 'R-470', false, true, false), ('Frame', 'CA45654', true, true, false),
       ('Washer', '00123', false, true, false), ('Nut', '123', false, true, false), ('Tube', '6932169358293', false, true, false),
       ('Seal', 'R-0123', false, true, false), ('Bolt M3', null, false, true, false), ('Twin', 'T-1', false, true, false),
       ('Twin', 'T-2', false, true, false)
     returning coalesce("IPN", name) as ipn, pk`,
  )
  for (const { ipn, pk } of created) parts[ipn] = pk
  const [{ pk: company }] = await service.rows(
    `insert into company (name, currency, is_supplier, is_manufacturer) values ('Maker', 'EUR', true, true) returning pk`,
  )
  await service.rows('insert into manufacturer_part (part, manufacturer, "MPN") values ($1, $2, $3)', [
    parts['R-10K'],
    company,
    'RC0603FR-0710KL',
  ])
  await service.rows('insert into supplier_part (part, supplier, "SKU") values ($1, $2, $3)', [
    parts['C-100N'],
    company,
    'C14663',
  ])
  await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [parts.CA45654, parts['A-1']])
})
beforeEach(() => service.rows('delete from bom_item where part = $1', [parts['A-1']]))

type UploadedTable = { file_fields: Record<string, { value?: string }>; rows: (string | null)[][] } & Record<string, any>
const upload = async (
  name: string,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
): Promise<UploadedTable> => {
  const form = encodeForm({ data_file: { name, content }, part: String(parts['A-1']), clear_existing_bom: 'false', ...fields })
  const { status, body } = await member.send('POST', `${path}upload/`, form.body, form.headers)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const extract = async (columns: readonly string[], rows: unknown, more: object = {}): Promise<any> => {
  const { status, body } = await member.post(`${path}extract/`, { columns, rows, part: parts['A-1'], ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
/** Reads a file with all its columns mapped by their headings. */
async function readTable(name: string, content: string | Uint8Array, more: object = {}) {
  const table = await upload(name, content)
  const columnNames = Object.values(table.file_fields).map(({ value }) => value ?? '')
  const extracted = await extract(columnNames, table.rows, { row_numbers: table.row_numbers, ...more })
  const rows = extracted.rows.map(({ data, part_detail, row_numbers }: any) => ({
    name: part_detail?.name,
    quantity: data.quantity,
    reference: data.reference ?? null,
    errors: data.errors,
    row_numbers,
  }))
  return { table, rows, skipped: extracted.skipped, extracted }
}
/** The name, quantity and reference of each row's component, followed by the fields with errors. */
const summarizeRows = ({ rows }: Awaited<ReturnType<typeof readTable>>) =>
  rows.map(({ name, quantity, reference, errors }: any) => [name, quantity, reference, ...Object.keys(errors)])

const createWorkbook = (
  sheets: Record<string, unknown[][]>,
  change: (sheet: spreadsheet.WorkSheet) => void = () => undefined,
) => {
  const book = spreadsheet.utils.book_new()
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = spreadsheet.utils.aoa_to_sheet(rows)
    change(sheet)
    spreadsheet.utils.book_append_sheet(book, sheet, name)
  }
  return spreadsheet.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer
}

describe('a table exported by a program', () => {
  it('is read without its running numbers, counts and sums (KiBoM)', async () => {
    const result = await readTable(
      'kibom.csv',
      `Component,Description,Part,References,Value,Footprint,Quantity Per PCB,Build Quantity,Datasheet,Part_IPN
1,Resistor,R,R1 R2,10k,0603,2,20,,R-10K
2,Cap,C,C1,100n,0603,1,10,,C-100N
3,LED,D,D1,warm,0603,1,10,,D-WARM

Component Groups:,3
Component Count:,4
Number of PCBs:,10
`,
    )
    assert.deepEqual(summarizeRows(result), [
      ['Resistor 10k', '2', 'R1 R2'],
      ['Capacitor', '1', 'C1'],
      ['LED warm', '1', 'D1'],
    ])
    assert.deepEqual(
      result.skipped.map(({ row_number, reason }: any) => [row_number, reason]),
      [
        [6, 'no_component'],
        [7, 'no_component'],
        [8, 'no_component'],
      ],
    )
    assert.equal(result.table.file_fields.Component?.value, undefined)
  })

  for (const heading of ['Component', 'Part', 'Part ID', 'Teil', '#', 'Item', 'Pos', 'Bauteil', 'No.', '序号', 'Položka'])
    for (const [other, text] of [
      ['IPN', 'R-10K'],
      ['MPN', 'RC0603FR-0710KL'],
      ['Name', 'Resistor 10k'],
    ] as const)
      it(`does not mistake running numbers called ${heading} for parts next to ${other}`, async () => {
        const table = `${heading},${other},Qty\n1,${text},2\n2,C-100N,1\n`
        assert.deepEqual(summarizeRows(await readTable('list.csv', table))[0], ['Resistor 10k', '2', null])
      })

  it('is read below a preamble and a title (KiCad)', async () => {
    const result = await readTable(
      'kicad.csv',
      `"Source:","/home/x/board.sch"
"Date:","Tue 03 May 2022"
"Tool:","Eeschema 6.0.4"
"Generator:","bom_csv_grouped_by_value.py"
"Component Count:","4"

"Individual Components:"

"Item","Qty","Reference(s)","Value","LibPart","Footprint","Datasheet","IPN"
"1","2","R1, R2","10k","Device:R","R_0603","~","R-10K"
`,
    )
    assert.equal(result.table.heading_row, 9)
    assert.deepEqual(summarizeRows(result), [['Resistor 10k', '2', 'R1, R2']])
    assert.deepEqual(result.rows[0].row_numbers, [10])
  })

  const headings: Record<string, [string, (string | undefined)[]]> = {
    KiCad: [
      'Reference,Value,Footprint,Datasheet,Qty,DNP,MPN',
      ['reference', undefined, undefined, undefined, 'quantity', 'dnp', 'part_mpn'],
    ],
    'KiCad, older': ['Ref,Qnty,Value,Cmp name,Footprint,Description', ['reference', 'quantity']],
    Altium: [
      'Comment,Description,Designator,Footprint,LibRef,Quantity,Manufacturer Part Number 1,Supplier Part Number 1,Fitted',
      ['note', undefined, 'reference', undefined, undefined, 'quantity', 'part_mpn', 'part_sku', 'fitted'],
    ],
    Eagle: [
      'Qty;Value;Device;Package;Parts;Description;MPN',
      ['quantity', undefined, undefined, undefined, 'reference', undefined, 'part_mpn'],
    ],
    JLCPCB: ['Comment,Designator,Footprint,JLCPCB Part #（optional）', ['note', 'reference', undefined, 'part_sku']],
    LCSC: [
      'LCSC Part Number,Manufacture Part Number,Manufacturer,Customer NO.,Package,Description,RoHS,Order Qty.,Unit Price($)',
      ['part_sku', 'part_mpn', undefined, undefined, undefined, undefined, undefined, 'quantity'],
    ],
    DigiKey: [
      'Index,Quantity,Part Number,Manufacturer Part Number,Description,Customer Reference,Backorder,Unit Price,Extended Price',
      [undefined, 'quantity', 'part', 'part_mpn'],
    ],
    'DigiKey, list': ['Digi-Key Part Number,Requested Quantity 1,Unit Price 1', ['part_sku', undefined]],
    Mouser: [
      'Mouser #:,Mfr. #:,Manufacturer:,Customer #:,Description:,Order Qty.,Price (EUR)',
      ['part_sku', 'part_mpn', undefined, undefined, undefined, 'quantity'],
    ],
    German: [
      'Teilenummer,Hersteller-Nr.,Bestell-Nr.,Menge [Stk],Referenz,Bemerkung',
      ['part_ipn', 'part_mpn', 'part_sku', 'quantity', 'reference', 'note'],
    ],
    French: [
      'Référence interne,Réf. fabricant,Référence fournisseur,Quantité,Repère',
      ['part_ipn', 'part_mpn', 'part_sku', 'quantity', 'reference'],
    ],
    Spanish: [
      'Nombre,Referencia del fabricante,Cantidad,Designador,Notas',
      ['part_name', 'part_mpn', 'quantity', 'reference', 'note'],
    ],
    Italian: ['Codice produttore,Codice fornitore,Quantità,Riferimento', ['part_mpn', 'part_sku', 'quantity', 'reference']],
    Portuguese: ['Código do fabricante,Quantidade,Referência,Observações', ['part_mpn', 'quantity', 'reference', 'note']],
    Dutch: [
      'Onderdeelnummer,Fabrikantnummer,Bestelcode,Aantal,Referentie',
      ['part', 'part_mpn', 'part_sku', 'quantity', 'reference'],
    ],
    Polish: [
      'Nazwa,Numer producenta,Kod zamówienia,ILOŚĆ,Oznaczenie,Uwagi',
      ['part_name', 'part_mpn', 'part_sku', 'quantity', 'reference', 'note'],
    ],
    Czech: [
      'Název,Číslo výrobce,Objednací číslo,Množství,Označení',
      ['part_name', 'part_mpn', 'part_sku', 'quantity', 'reference'],
    ],
    Chinese: [
      '物料编码,名称,制造商型号,商品编号,数量,位号,备注',
      ['part_ipn', 'part_name', 'part_mpn', 'part_sku', 'quantity', 'reference', 'note'],
    ],
    Russian: ['Наименование,Артикул производителя,Количество,Примечание', ['part_name', 'part_mpn', 'quantity', 'note']],
  }
  for (const [program, [names, fields]] of Object.entries(headings))
    it(`is recognized by its headings: ${program}`, () => {
      const headingFields = mapColumns(names.split(/[,;]/))
      assert.deepEqual(headingFields.slice(0, fields.length), fields)
    })

  it('gets its quantities by counting designators if it has none (Eagle, JLCPCB)', async () => {
    const eagle = await readTable(
      'parts.csv',
      'Part;Value;Device;MPN\nR1;10k;R-0603;RC0603FR-0710KL\nR2;10k;R-0603;RC0603FR-0710KL\n',
    )
    assert.deepEqual(summarizeRows(eagle), [['Resistor 10k', '2', 'R1, R2']])
    assert.equal(eagle.extracted.quantity_counted, true)
    const jlc = await readTable(
      'jlc.csv',
      'Comment,Designator,Footprint,LCSC Part #\n100n,"C1,C3-C5",0603,C14663\nx,any,0603,R-10K\n',
    )
    assert.deepEqual(summarizeRows(jlc), [
      ['Capacitor', '4', 'C1,C3-C5'],
      [undefined, null, 'any', 'part', 'quantity'],
    ])
  })

  it('can be an export of Stockroom, whose keys are used unless other columns contradict them', async () => {
    const readExport = (key: unknown, name: string) =>
      readTable('own.csv', `pk,part,sub_part,sub_part_detail.name,quantity\n7,${parts['A-1']},${key},${name},2\n`)
    assert.deepEqual(summarizeRows(await readExport(parts['R-10K'], 'Resistor 10k')), [['Resistor 10k', '2', null]])
    assert.deepEqual(summarizeRows(await readExport(parts['R-10K'], 'Screw')), [['Resistor 10k', '2', null, 'part']])
    const { rows } = await readExport(parts['R-10K'], 'Capacitor')
    assert.match(String(rows[0].errors.part), /Resistor 10k.*but “Capacitor” is/)
  })
})

describe('a row of a table', () => {
  const readComponent = async (columns: string[], cells: unknown[]) => {
    const [{ data, part_detail }] = (await extract(['quantity', ...columns], [['1', ...cells]])).rows
    return [part_detail?.name ?? null, data.errors.part === undefined ? null : String(data.errors.part)]
  }
  it('names its component by MPN and SKU, regardless of case', async () => {
    assert.deepEqual(await readComponent(['part_mpn'], ['rc0603fr-0710kl']), ['Resistor 10k', null])
    assert.deepEqual(await readComponent(['part_sku'], ['C14663']), ['Capacitor', null])
    for (const text of ['RC0603FR-0710KL', 'r-10k', 'Resistor 10k'])
      assert.deepEqual(await readComponent(['part'], [text]), ['Resistor 10k', null])
    assert.equal((await readComponent(['part'], [String(parts['R-10K'])]))[0], null)
  })

  it('is invalid if any of its columns name different parts', async () => {
    const texts = {
      part_id: parts['C-100N'],
      part_ipn: 'D-WARM',
      part_mpn: 'RC0603FR-0710KL',
      part_sku: 'C14663',
      part_name: 'Bolt M3',
      part: 'R-470',
    }
    const columns = Object.keys(texts) as (keyof typeof texts)[]
    for (const one of columns)
      for (const other of columns) {
        if (one === other || [one, other].sort().join() === 'part_id,part_sku') continue
        const [, error] = await readComponent([one, other], [String(texts[one]), String(texts[other])])
        assert.match(error ?? '', /but “/, `${one} and ${other}`)
      }
    assert.deepEqual(await readComponent(['part_sku', 'part_id'], ['C14663', String(parts['C-100N'])]), ['Capacitor', null])
  })

  it('is invalid if its part has another IPN, while an unknown name, MPN or SKU is accepted', async () => {
    assert.match((await readComponent(['part_mpn', 'part_ipn'], ['RC0603FR-0710KL', 'NEW-1']))[1] ?? '', /does not match “NEW-1”/)
    assert.match(
      (await readComponent(['part_id', 'part_mpn'], [String(parts['R-10K']), 'OTHER']))[1] ?? '',
      /does not match “OTHER”/,
    )
    for (const column of ['part_name', 'part_mpn', 'part_sku', 'part', 'part_id'])
      assert.deepEqual(await readComponent(['part_ipn', column], ['R-10K', '98765']), ['Resistor 10k', null], column)
  })

  it('is resolved by a second column if one fits several parts', async () => {
    assert.match((await readComponent(['part_name'], ['Twin']))[1] ?? '', /More than one/)
    assert.deepEqual(await readComponent(['part_name', 'part_ipn'], ['Twin', 'T-2']), ['Twin', null])
  })

  it('is invalid in the preview if it closes a loop, as when submitted', async () => {
    const { rows, extracted } = await readTable('circ.csv', 'IPN,Qty,Ref\nR-10K,2,R1 R2\nCA45654,1,A1\nA-1,1,A2\nC-100N,1,C1\n')
    assert.deepEqual(
      rows.map(({ errors }: any) => Object.keys(errors)),
      [[], ['part'], ['part'], []],
    )
    for (const index of [1, 2]) {
      const { data } = extracted.rows[index]
      const { status, body } = await member.post(`${path}submit/`, {
        items: [{ part: parts['A-1'], sub_part: data.part, quantity: data.quantity }],
      })
      assert.deepEqual([status, body.items[0].sub_part], [400, [data.errors.part]])
    }
    const variant = await service.rows(
      `insert into part (name, variant_of, assembly, component) values ('Board, small', $1, true, true) returning pk`,
      [parts['A-1']],
    )
    const [row] = (await extract(['part_name', 'quantity'], [['Board, small', '1']])).rows
    assert.deepEqual(Object.keys(row.data.errors), ['part'])
    await service.rows('delete from part where pk = $1', [variant[0].pk])
  })
})

describe('rows of one component', () => {
  it('become one line, without the rows that are not populated', async () => {
    const result = await readTable(
      'ungrouped.csv',
      `Reference,Value,Footprint,Qty,DNP,IPN
R1,10k,0603,1,,R-10K
R2,10k,0603,1,,R-10K
R3,10k,0603,1,,R-10K
C1,100n,0603,1,,C-100N
R9,0R,0603,1,DNP,R-470
`,
    )
    assert.deepEqual(summarizeRows(result), [
      ['Resistor 10k', '3', 'R1, R2, R3'],
      ['Capacitor', '1', 'C1'],
    ])
    assert.deepEqual(result.rows[0].row_numbers, [2, 3, 4])
    assert.deepEqual(result.skipped, [
      { row_number: 6, reason: 'not_populated', original: ['R9', '0R', '0603', '1', 'DNP', 'R-470'] },
    ])
  })

  it('have their quantities added exactly, and are merged in whichever way they name their part', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('R-10K', 'RC0603FR-0710KL', 'Resistor 10k', 'C14663'),
            fc.integer({ min: 1, max: 99_999_999 }),
          ),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        async (entries) => {
          const rows = entries.map(([text, n], index) => [
            text,
            `${Math.floor(n / 100_000)}.${String(n % 100_000).padStart(5, '0')}`,
            `R${index}`,
          ])
          const { rows: extractedRows } = await extract(['part', 'quantity', 'reference'], rows)
          for (const name of ['R-10K', 'C-100N']) {
            const own = entries.flatMap(([text, n], index) => ((text === 'C14663') === (name === 'C-100N') ? [{ n, index }] : []))
            const row = extractedRows.find(({ data }: any) => data.part === parts[name])
            if (own.length === 0) {
              assert.equal(row, undefined)
              continue
            }
            const sum = own.reduce((total, { n }) => total + n, 0)
            assert.equal(Math.round(Number(row.data.quantity) * 100_000), sum)
            assert.ok(!/\.\d{6}/.test(row.data.quantity), row.data.quantity)
            assert.deepEqual(
              row.data.reference.split(', '),
              own.map(({ index }) => `R${index}`),
            )
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('are invalid together if one has no quantity, or contradicts another', async () => {
    const readErrors = async (columns: string[], rows: unknown[][]) =>
      (await extract(columns, rows)).rows.map(({ data }: any) => Object.keys(data.errors))
    assert.deepEqual(
      await readErrors(
        ['part', 'quantity'],
        [
          ['R-10K', '2'],
          ['R-10K', 'x'],
          ['C-100N', '1'],
        ],
      ),
      [['quantity'], []],
    )
    assert.deepEqual(
      await readErrors(
        ['part', 'quantity'],
        [
          ['R-10K', '2'],
          ['R-10K', '-1'],
        ],
      ),
      [['quantity']],
    )
    assert.deepEqual(
      await readErrors(
        ['part', 'quantity', 'optional'],
        [
          ['R-10K', '2', 'true'],
          ['R-10K', '1', 'false'],
        ],
      ),
      [['optional']],
    )
    assert.deepEqual(
      await readErrors(
        ['part', 'quantity', 'overage'],
        [
          ['R-10K', '2', '5%'],
          ['R-10K', '1', '5%'],
        ],
      ),
      [[]],
    )
    assert.deepEqual(
      await readErrors(
        ['part', 'quantity'],
        [
          ['R-10K', '99999999999999'],
          ['R-10K', '99999999999999'],
        ],
      ),
      [['quantity']],
    )
  })

  it('are recognized as not populated in every wording', async () => {
    const isSkipped = async (columns: string[], cells: unknown[]) =>
      (await extract(['part', 'quantity', ...columns], [['R-10K', '1', ...cells]])).skipped.length === 1
    for (const mark of ['DNP', '1', 'x', 'yes', 'true', 'Excluded from BOM', 'DNF'])
      assert.ok(await isSkipped(['dnp'], [mark]), mark)
    for (const mark of ['', null, '0', 'no', 'false', 'nein', '否', '-', 'Populate'])
      assert.ok(!(await isSkipped(['dnp'], [mark])), String(mark))
    for (const mark of ['no', 'Not Fitted', '0', 'DNP', 'nein', '否']) assert.ok(await isSkipped(['fitted'], [mark]), mark)
    for (const mark of ['', 'yes', 'Fitted', '1', 'SMT']) assert.ok(!(await isSkipped(['fitted'], [mark])), mark)
    for (const text of [
      'DNP',
      'DNF',
      '10k DNP',
      '10k/DNP',
      '(DNP)',
      'Do Not Populate',
      'do not fit',
      'Not fitted',
      'Nicht bestücken',
      'no montar',
      '不贴',
    ])
      for (const column of ['', 'note']) assert.ok(await isSkipped([column], [text]), text)
    for (const text of ['DNPX', 'donut', 'fitted', 'Note: fit by hand', '10k', 'nm'])
      assert.ok(!(await isSkipped([''], [text])), text)
  })
})

describe('a workbook', () => {
  it('can have a title above its headings, and be read from any of its sheets', async () => {
    const bom = [
      ['IPN', 'Qty', 'Reference'],
      ['R-10K', 2, 'R1,R2'],
    ]
    const title = await readTable('title.xlsx', createWorkbook({ BOM: [['Bill of materials Wren rev C'], [], ...bom] }))
    assert.deepEqual([title.table.heading_row, summarizeRows(title)], [3, [['Resistor 10k', '2', 'R1,R2']]])
    const second = createWorkbook({
      Cover: [
        ['Board', 'Wren'],
        ['Date', 'today'],
      ],
      Parts: bom,
      Old: [['Qty'], [1]],
    })
    const { table } = await readTable('second.xlsx', second)
    assert.deepEqual([table.sheet, table.sheets, table.rows], ['Parts', ['Cover', 'Parts', 'Old'], [['R-10K', '2', 'R1,R2']]])
    assert.deepEqual((await upload('second.xlsx', second, { sheet: 'Old' })).rows, [['1']])
    const [{ status, body }] = await Promise.all([sendUpload('second.xlsx', second, { sheet: 'None' })])
    assert.deepEqual([status, Object.keys(body)], [400, ['sheet']])
  })

  it('keeps zeros and signs that a number format shows, and all digits that it hides', async () => {
    const zeros = createWorkbook(
      {
        BOM: [
          ['IPN', 'Qty'],
          [123, 2],
          [6932169358293, 1],
          ['00123', 1],
          [123, 4],
          [123, 0.30000000000000004],
        ],
      },
      (sheet) => {
        sheet.A2.z = '00000'
        sheet.A6.z = '"R-"0000'
        sheet.B2.z = '0.00'
        sheet.B5.z = '#,##0'
      },
    )
    assert.deepEqual(
      summarizeRows(await readTable('zeros.xlsx', zeros)),
      [
        ['Washer', '3', ''],
        ['Tube', '1', null],
        ['Nut', '4', null],
        ['Seal', '0.3', null],
      ].map((line) => (line[2] === '' ? [line[0], line[1], null] : line)),
    )
    assert.deepEqual(
      (
        await upload(
          'zeros.xlsx',
          createWorkbook(
            {
              BOM: [
                ['IPN', 'Qty'],
                [1234567, 1500],
              ],
            },
            (sheet) => Object.assign(sheet.A2, { z: '000-0000' }),
          ),
        )
      ).rows,
      [['123-4567', '1500']],
    )
  })

  it('reports cells converted to dates, and error cells', async () => {
    const dates = createWorkbook(
      {
        BOM: [
          ['IPN', 'Qty', 'Reference'],
          ['R-10K', 2, 46027],
          [46027, 1, 'R2'],
          ['C-100N', 46027, 'C1'],
          ['D-WARM', 1, 'D1'],
        ],
      },
      (sheet) => {
        sheet.C2.z = 'm/d/yy'
        sheet.A3.z = 'd-mmm'
        sheet.B4.z = 'yyyy"Y"mm'
        sheet.B5.t = 'e'
        sheet.B5.v = 42
        sheet.B5.w = '#N/A'
      },
    )
    const { rows } = await readTable('date.xlsx', dates)
    assert.deepEqual(
      rows.map(({ errors }: any) => Object.entries(errors).map(([name, text]) => [name, /date/.test(String(text))])),
      [[['reference', true]], [['part', true]], [['quantity', true]], [['quantity', false]]],
    )
  })

  it('has ambiguous thousands and decimals only in cells written as text', async () => {
    const book = createWorkbook({
      BOM: [
        ['IPN', 'Qty'],
        ['R-10K', 1.125],
        ['C-100N', '1,000'],
      ],
    })
    const { rows } = await readTable('title.xlsx', book, { decimal_separator: '.', is_workbook: true })
    assert.deepEqual(
      rows.map(({ quantity, errors }: any) => [quantity, Object.keys(errors)]),
      [
        ['1.125', []],
        ['1,000', ['quantity']],
      ],
    )
  })
})

const sendUpload = async (name: string, content: string | Uint8Array, fields: Record<string, string>) => {
  const form = encodeForm({ data_file: { name, content }, part: String(parts['A-1']), clear_existing_bom: 'false', ...fields })
  return member.send('POST', `${path}upload/`, form.body, form.headers)
}

describe('a text file', () => {
  it('may state its separator in its first line', async () => {
    const { table, rows } = await readTable('sep.csv', 'sep=;\nIPN;Menge;Referenz\nR-10K;2;R1, R2\n')
    assert.deepEqual([table.separator, table.heading_row, rows[0].row_numbers], [';', 2, [3]])
  })

  it('is read with the chosen options, and without headings', async () => {
    const text = 'IPN;Qty\nR-10K;2\n'
    const { rows, file_fields, heading_row } = await upload('a.csv', text, { heading_row: '0', separator: ';' })
    assert.deepEqual(
      [rows, Object.keys(file_fields), heading_row],
      [
        [
          ['IPN', 'Qty'],
          ['R-10K', '2'],
        ],
        ['Column 1', 'Column 2'],
        0,
      ],
    )
    const commas = await upload('a.csv', 'IPN,Qty;Note\nR-10K,2;x\n', { separator: ';' })
    assert.deepEqual([commas.rows, commas.separator], [[['R-10K,2', 'x']], ';'])
    assert.equal((await sendUpload('a.csv', text, { separator: ',' })).status, 400)
    assert.equal((await sendUpload('a.csv', text, { heading_row: '2' })).status, 400)
    assert.equal((await upload('a.csv', 'R-10K,2\nC-100N,1\n')).heading_row, 0)
    const wrong: Record<string, string>[] = [
      { heading_row: '9' },
      { separator: 'x' },
      { encoding: 'klingon' },
      { heading_row: '-1' },
    ]
    for (const fields of wrong) {
      const { status, body } = await sendUpload('a.csv', text, fields)
      assert.deepEqual([status, Object.keys(body)], [400, Object.keys(fields)])
    }
  })

  it('is read in the detected or the chosen encoding', async () => {
    const polish = Buffer.concat([Buffer.from('Nazwa;Ilo'), Buffer.from([0x9c, 0xe6]), Buffer.from('\nBolt M3;4\n')])
    assert.deepEqual(
      (await readTable('pl.csv', polish)).rows.map(({ quantity }: any) => quantity),
      ['4'],
    )
    assert.equal((await upload('pl.csv', polish)).encoding, 'windows-1250')
    assert.equal(Object.keys((await upload('pl.csv', polish, { encoding: 'windows-1252' })).file_fields)[1], 'Iloœæ')
    assert.equal((await upload('u.txt', Buffer.from('IPN\tQty\nR-10K\t2\n', 'utf16le'))).encoding, 'utf-16le')
  })

  it('keeps columns in their positions, whatever their headings are', async () => {
    const { file_fields, rows } = await upload('odd.csv', 'IPN,2024,Qty,Note,Note,\nR-10K,9,2,a,b,c\n')
    assert.deepEqual(Object.keys(file_fields), ['IPN', '#2024', 'Qty', 'Note', 'Note (2)', 'Column 6'])
    assert.deepEqual(rows, [['R-10K', '9', '2', 'a', 'b', 'c']])
  })

  it("is read with the numbers of the reader's locale", async () => {
    const { rows } = await readTable('de.csv', 'IPN;Menge\nR-10K;1,5\nC-100N;1.500\nD-WARM;1,250\n', { decimal_separator: ',' })
    assert.deepEqual(
      rows.map(({ quantity, errors }: any) => [quantity, Object.keys(errors)]),
      [
        ['1.5', []],
        ['1.500', ['quantity']],
        ['1,250', ['quantity']],
      ],
    )
    const all = await readTable('de.csv', 'IPN;Menge\nR-10K;1,5\nC-100N;1,250\n', { decimal_separator: '.' })
    assert.deepEqual(
      all.rows.map(({ quantity }: any) => quantity),
      ['1.5', '1.250'],
    )
  })
})
