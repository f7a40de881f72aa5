import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { fieldErrors } from '../../../kit/definition/problem-schema.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { TABLE_BOUNDS } from '../../../spreadsheets/read-table.ts'
import { part } from '../../part/part.table.ts'
import { bomErrors } from '../bom-errors.ts'
import { IMPORT_FIELDS, PART_COLUMNS } from './columns.ts'
import { readRows, SKIP_REASONS } from './read-rows.ts'
import { cells, importFieldsSchema } from './upload.action.ts'

const cell = input.nullable(input.text({ max: TABLE_BOUNDS.characters, multiline: true }))

/** Existing clients expect the type to be a list. */
const listInput = <Value>(field: input.Input<Value>): input.Input<Value> => ({
  ...field,
  options: { ...field.options, type: 'list' },
})

const DECIMAL_SIGNS = [
  { value: '.', label: 'Point' },
  { value: ',', label: 'Comma' },
]

export const extractBom = action({
  method: 'POST',
  path: '/api/bom/import/extract/',
  summary: 'Check the rows of a BOM',
  description:
    'Step two of three: matches each row to a component by its columns, and returns the same errors as `submit/` would. Rows with the same component are merged: quantities are added, references joined. Rows that are not populated, are below the first level or name no component are skipped and listed. Columns that name different parts are an error of the row. Without a quantity column, the quantity is the number of references. Changes nothing.',
  errors: {
    invalid:
      'A column is mapped twice; no column has the quantity or references, or the component; or there are too many rows or cells that are too long.',
  },
  example: { body: { columns: ['part_ipn', 'quantity', 'reference'], rows: [['R-10K', '4', 'R1-R4']] } },
  access: changeRoles('bom'),
  body: {
    columns: listInput(
      input.list(input.text({ max: TABLE_BOUNDS.characters }), {
        required: true,
        max: TABLE_BOUNDS.columns,
        help: 'The field that each column is mapped to; empty for none.',
      }),
    ),
    rows: listInput(
      input.list(input.list(cell, { max: TABLE_BOUNDS.columns }), {
        required: true,
        max: TABLE_BOUNDS.rows,
        help: 'The cells of each row, in the order of the columns.',
      }),
    ),
    part: input.optional(
      input.reference(() => part, {
        options: { model: 'part', api_url: '/api/part/' },
        help: 'The assembly; components that would make it contain itself are errors.',
      }),
    ),
    row_numbers: input.optional(
      input.list(input.integer({ min: 1 }), {
        max: TABLE_BOUNDS.rows,
        help: 'The row numbers in the file; by default, rows are numbered from 1.',
      }),
    ),
    decimal_separator: input.optional(
      input.choice<'.' | ','>(() => DECIMAL_SIGNS, {
        help: 'The decimal separator, if the table does not show it. With it, numbers may be formatted for people; without it, they need a decimal point and no thousands separators.',
      }),
    ),
    is_workbook: input.boolean({
      default: false,
      label: 'Is Workbook',
      help: 'Whether the table comes from a workbook, whose numbers have a decimal point.',
    }),
  },
  status: 201,
  response: Type.Object({
    fields: importFieldsSchema,
    columns: Type.Array(Type.String()),
    rows: Type.Array(
      Type.Object({
        original: cells,
        data: Type.Record(Type.String(), Type.Any(), {
          description: 'The values of the row, by field; `part` is the key of the component, `errors` has the errors, by field.',
        }),
        field_errors: fieldErrors,
        row_numbers: Type.Array(Type.Integer(), { description: 'The numbers of the rows with this component.' }),
        part_detail: input.orNull(
          Type.Object(
            { pk: Type.Integer(), name: Type.String(), full_name: Type.String(), IPN: input.orNull(Type.String()) },
            { description: 'The component, if found.' },
          ),
        ),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        row_number: Type.Integer(),
        reason: Type.String({ enum: [...SKIP_REASONS] }),
        original: cells,
      }),
      { description: 'The skipped rows, with the reason.' },
    ),
    quantity_counted: Type.Boolean({
      description: 'Whether quantities are counted from references, because no column has quantities.',
    }),
  }),
  async run(request) {
    const { columns, rows, row_numbers, part: assembly, decimal_separator, is_workbook } = request.body
    checkColumns(columns)
    const result = await readRows(request, {
      columns,
      rows,
      rowNumbers: row_numbers,
      assembly,
      decimalSign: decimal_separator,
      isWorkbook: is_workbook,
    })
    return { fields: IMPORT_FIELDS, columns, ...result, quantity_counted: !columns.includes('quantity') }
  },
})

/** Checks that the columns can become lines. @throws Problem if they cannot */
function checkColumns(columns: readonly string[]): void {
  const namedColumns = columns.filter(Boolean)
  const duplicate = namedColumns.find((name, index) => namedColumns.indexOf(name) !== index)
  if (duplicate) throw invalid({ columns: [bomErrors.column_taken_twice({ field: duplicate })] })
  const missing = Object.entries(IMPORT_FIELDS).find(([name, { required }]) => required && !namedColumns.includes(name))
  if (missing && !namedColumns.includes('reference')) throw invalidObject(bomErrors.column_missing({ field: missing[0] }))
  if (!namedColumns.some((name) => PART_COLUMNS.some((column) => column === name)))
    throw invalidObject(bomErrors.component_column_missing)
}
