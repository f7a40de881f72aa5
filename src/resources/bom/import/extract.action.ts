import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { rolesThatChange } from '../../../kit/request/caller.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import { writeShape } from '../../../kit/writing/write.ts'
import { bomItem } from '../bom-item.resource.ts'
import { quantityObjection } from '../bom-rules.ts'
import { filledIn, IMPORT_FIELDS, PART_COLUMNS } from './columns.ts'
import { type Component, findComponents, type Named } from './find-components.ts'
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
    'The second step of three: finds the component of each row by what its columns say, and tells what is wrong with it, as `submit/` would. Rows below the first level are left out. It changes nothing.',
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
      }),
    ),
  }),
  async run(request) {
    const { tx, body } = request
    const { columns, rows } = body
    checkColumns(columns)
    const read = rows
      .map((original) => ({ original, data: byField(columns, original) }))
      .filter(({ data }) => !/^\s*\d+\s*$/.test(data.level ?? '1') || Number(data.level ?? 1) === 1)
    const found = await findComponents(
      tx,
      read.map(({ data }) => namedIn(data)),
    )
    const named = new Set<number>()
    return {
      fields: IMPORT_FIELDS,
      columns,
      rows: read.map(({ original, data }, at) => {
        const component = found[at] as Component
        const errors = { ...componentError(component, named), ...lineErrors(data, component, request) }
        return { original, data: { ...data, part: component.pk, errors } }
      }),
    }
  },
})

/** Throws Problem for columns that cannot become lines. */
function checkColumns(columns: readonly string[]): void {
  const named = columns.filter(Boolean)
  const twice = named.find((name, at) => named.indexOf(name) !== at)
  if (twice) throw invalid({ columns: [`Two columns are taken for ${twice}.`] })
  const missing = Object.entries(IMPORT_FIELDS).find(([name, { required }]) => required && !named.includes(name))
  if (missing) throw invalidObject(`No column is taken for ${missing[0]}, which must be there.`)
  if (!named.some((name) => PART_COLUMNS.includes(name))) throw invalidObject('No column names the component.')
}

/** The cells of a row by field. */
function byField(columns: readonly string[], row: readonly (string | null)[]): Record<string, string | null> {
  return Object.fromEntries(columns.flatMap((name, at) => (name && name !== 'errors' ? [[name, row[at] ?? null]] : [])))
}

/** By what a row names its component. A plain `part` is its key, or else its name. */
const namedIn = ({ part, part_id, part_name, part_ipn }: Record<string, string | null>): Named => ({
  key: part_id ?? part ?? null,
  name: part_name ?? part ?? null,
  ipn: part_ipn ?? null,
})

/** The cells that a line takes as they are, each as the line itself reads it. */
const ofLine = Object.fromEntries(
  Object.entries(writeShape(bomItem)).filter(([name]) => name in IMPORT_FIELDS && !PART_COLUMNS.includes(name)),
)

/** What is wrong with the cells that a line takes as they are, by field. */
function lineErrors(row: Record<string, string | null>, { trackable }: Component, services: Services): Record<string, string> {
  const { values, errors } = input.readShape(ofLine, filledIn(row), { references: [], services }, { partial: true })
  if (!errors.quantity) {
    const { quantity } = values as { quantity?: Decimal }
    const objection = quantity === undefined ? 'The quantity is missing.' : quantityObjection(quantity, trackable === true)
    if (objection) errors.quantity = objection
  }
  return Object.fromEntries(Object.entries(errors).map(([name, entry]) => [name, String([entry].flat()[0])]))
}

/** Why a row has no component of its own. `named`: those of the rows before. */
function componentError({ pk, error }: Component, named: Set<number>): { part?: string } {
  if (error !== undefined) return { part: error }
  if (pk === null) return {}
  if (named.has(pk)) return { part: 'A row before names this component too: no second line is made of it.' }
  named.add(pk)
  return {}
}
