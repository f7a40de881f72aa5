import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { fieldErrors } from '../../../kit/definition/problem-schema.ts'
import { rolesThatChange } from '../../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { bomErrors } from '../bom-errors.ts'
import { IMPORT_FIELDS, PART_COLUMNS } from './columns.ts'
import { readRows } from './read-rows.ts'
import { BOUNDS } from './read-sheet.ts'
import { cells, importFieldsSchema } from './upload.action.ts'

const cell = input.nullable(input.text({ max: BOUNDS.characters, multiline: true }))

/** Existing clients know it as a list. */
const asList = <Value>(of: input.Input<Value>): input.Input<Value> => ({ ...of, options: { ...of.options, type: 'list' } })

export const extractBom = action({
  method: 'POST',
  path: '/api/bom/import/extract/',
  summary: 'Look into the rows of a bill of materials',
  description:
    'The second step of three: finds the component of each row by what its columns say, and tells what is wrong with it, as `submit/` would. Rows below the first level are left out. Numbers have a point before their decimals. It changes nothing.',
  refuses: {
    invalid:
      'A column is named twice; the quantity, or what names the component, has no column; or the rows are too many or too long.',
  },
  example: { body: { columns: ['part_ipn', 'quantity', 'reference'], rows: [['R-10K', '4', 'R1-R4']] } },
  access: rolesThatChange('part'),
  body: {
    columns: asList(
      input.list(input.text({ max: BOUNDS.characters }), {
        required: true,
        max: BOUNDS.columns,
        help: 'For which field each column is taken; an empty text for none.',
      }),
    ),
    rows: asList(
      input.list(input.list(cell, { max: BOUNDS.columns }), {
        required: true,
        max: BOUNDS.rows,
        help: 'The cells of each row, in the order of the columns.',
      }),
    ),
  },
  status: 201,
  answer: Type.Object({
    fields: importFieldsSchema,
    columns: Type.Array(Type.String()),
    rows: Type.Array(
      Type.Object({
        original: cells,
        data: Type.Record(Type.String(), Type.Any(), {
          description: 'What the row says, by field; `part` is the key of the component, `errors` what is wrong, by field.',
        }),
        field_errors: fieldErrors,
      }),
    ),
  }),
  async run(request) {
    const { columns, rows } = request.body
    checkColumns(columns)
    return { fields: IMPORT_FIELDS, columns, rows: await readRows(request, columns, rows) }
  },
})

/** Throws Problem for columns that cannot become lines. */
function checkColumns(columns: readonly string[]): void {
  const named = columns.filter(Boolean)
  const twice = named.find((name, at) => named.indexOf(name) !== at)
  if (twice) throw invalid({ columns: [bomErrors.column_taken_twice({ field: twice })] })
  const missing = Object.entries(IMPORT_FIELDS).find(([name, { required }]) => required && !named.includes(name))
  if (missing) throw invalidObject(bomErrors.column_missing({ field: missing[0] }))
  if (!named.some((name) => PART_COLUMNS.includes(name))) throw invalidObject(bomErrors.component_column_missing)
}
