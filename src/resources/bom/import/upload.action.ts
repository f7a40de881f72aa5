import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import { createTemporaryFileInput, readAndDelete } from '../../../kit/definition/file.ts'
import * as input from '../../../kit/definition/input.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { type Errors, FieldError } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { getExtension } from '../../../kit/services/files.ts'
import { MAX_TABLE_BYTES, readTable, TABLE_BOUNDS, TABLE_KINDS } from '../../../spreadsheets/read-table.ts'
import { readingInputs } from '../../importer/reading-inputs.ts'
import { part } from '../../part/part.table.ts'
import { bomErrors } from '../bom-errors.ts'
import { clearBom, lockBom } from '../bom-rules.ts'
import { IMPORT_FIELDS, mapColumns } from './columns.ts'
import { readRows } from './read-rows.ts'

/** The fields that a column can be mapped to, in responses. */
export const importFieldsSchema = Type.Record(
  Type.String(),
  Type.Object({
    label: Type.String(),
    help_text: Type.String(),
    required: Type.Optional(Type.Boolean()),
  }),
)

export const cells = Type.Array(Type.Union([Type.String(), Type.Null()]))

const NO_USABLE_ROW = bomErrors.table_without_usable_row

export const uploadBom = procedure({
  method: 'POST',
  path: '/api/bom/import/upload/',
  summary: 'Read a BOM from a file',
  description: `Step one of three: reads a table from a file, and returns its rows and the field that each column is mapped to. Detects the sheet, the heading row, the separator and the encoding, unless the request names them. Stores nothing; \`extract/\` checks the rows, \`submit/\` creates lines from them. The file is CSV, TSV, TXT, XLSX, XLS, ODS, or an XML workbook of Excel 2003, with at most ${TABLE_BOUNDS.rows} rows and ${TABLE_BOUNDS.columns} columns.`,
  errors: {
    invalid:
      'The file cannot be read as a table, or is too large; the part does not exist; or the existing lines should be deleted, and no row of the file can become a line.',
  },
  example: {
    body: {
      data_file: 'data:text/csv;name=board.csv;base64,UGFydCBJUE4sUXVhbnRpdHksUmVmZXJlbmNlClItMTBLLDQsUjEtUjQK',
      part: 24,
      clear_existing_bom: false,
    },
  },
  access: changeRoles('bom'),
  body: {
    data_file: createTemporaryFileInput({
      folder: 'bom_import',
      extensions: TABLE_KINDS,
      maxBytes: MAX_TABLE_BYTES,
      required: true,
      label: 'Data File',
      help: `The file, at most ${MAX_TABLE_BYTES / 1024 / 1024} MiB; its file name extension gives its type.`,
    }),
    part: input.reference(() => part, {
      required: true,
      options: { model: 'part', api_url: '/api/part/' },
      help: 'The assembly.',
    }),
    clear_existing_bom: input.boolean({
      required: true,
      label: 'Clear Existing BOM',
      help: 'Whether to delete the existing lines of the assembly, if the file has usable headings. It is safer to delete them when the new lines are created.',
    }),
    ...readingInputs,
  },
  status: 201,
  response: Type.Object({
    file_fields: Type.Record(Type.String(), Type.Object({ value: Type.Optional(Type.String()) }), {
      description: 'The columns of the file by their headings, and the field that each is mapped to, if any.',
    }),
    model_fields: importFieldsSchema,
    rows: Type.Array(cells, { description: 'The cells of each row, in the order of the columns.' }),
    filename: Type.String(),
    row_numbers: Type.Array(Type.Integer(), { description: 'The number of each row in the file, starting at 1.' }),
    heading_row: Type.Integer({ description: 'The number of the heading row; 0 for none.' }),
    sheet: input.orNull(Type.String({ description: 'The sheet that was read.' })),
    sheets: Type.Array(Type.String(), { description: 'The sheets of the workbook.' }),
    separator: input.orNull(Type.String({ description: 'The column separator of a text file.' })),
    encoding: input.orNull(Type.String({ description: 'The encoding of a text file.' })),
  }),
  async handle(request) {
    const { body, database, caller } = request
    const { data_file: upload, part: assembly } = body
    const choices = {
      sheet: body.sheet,
      headingRow: body.heading_row,
      separator: body.separator,
      encoding: body.encoding,
    }
    const content = await readAndDelete(request, upload)
    const table = await readTable(content, getExtension(upload.name), choices, caller.pk).catch((error) => {
      if (!(error instanceof FieldError)) throw error
      throw invalid(Array.isArray(error.entry) ? { data_file: error.entry } : (error.entry as Errors))
    })
    const fields = mapColumns(table.columns, table.rows)
    if (body.clear_existing_bom)
      await database.transaction(async (tx) => {
        tx.lockShared()
        await lockBom(tx)
        const columns = fields.map((field) => field ?? '')
        const { rows } = await readRows({ ...request, tx }, { columns, rows: table.rows, assembly })
        // existing lines are not deleted for a file uploaded by mistake
        if (!rows.some(({ data }) => Object.keys(data.errors).length === 0 && data.part !== null))
          throw invalid({ data_file: [NO_USABLE_ROW, ...Object.values(rows[0]?.data.errors ?? {})] })
        await clearBom(tx, [assembly])
      }, caller.pk)
    const file_fields = Object.fromEntries(
      table.columns.map((heading, index): [string, { value?: string }] => [
        heading,
        fields[index] ? { value: fields[index] } : {},
      ]),
    )
    return {
      file_fields,
      model_fields: IMPORT_FIELDS,
      rows: table.rows,
      filename: upload.name,
      row_numbers: table.rowNumbers,
      heading_row: table.headingRow,
      sheet: table.sheet ?? null,
      sheets: table.sheets ?? [],
      separator: table.separator ?? null,
      encoding: table.encoding ?? null,
    }
  },
})
