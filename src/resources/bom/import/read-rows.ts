import * as input from '../../../kit/definition/input.ts'
import { type ErrorEntry, type FieldErrorJson, messagesIn } from '../../../kit/request/errors.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { writeShape } from '../../../kit/writing/write.ts'
import { bomErrors } from '../bom-errors.ts'
import { bomItem } from '../bom-item.resource.ts'
import { quantityObjection } from '../bom-rules.ts'
import { filledIn, IMPORT_FIELDS, PART_COLUMNS } from './columns.ts'
import { type Component, findComponents, type Named } from './find-components.ts'

type Cells = readonly (string | null)[]

/** A row of a table: its cells, and what they say, by field. `part` is the key of the component, `errors` what is wrong, by field. */
export type BomRow<Row extends Cells> = {
  original: Row
  data: Record<string, unknown> & { part: number | null; errors: Record<string, ErrorMessage> }
  /** The same errors with their codes. */
  field_errors: FieldErrorJson[]
}

/**
 * What the rows of a table say, but for those below the first level.
 * @param columns for which field each column is taken; an empty text for none
 */
export async function readRows<Row extends Cells>(
  context: Services & { tx: Tx },
  columns: readonly string[],
  rows: readonly Row[],
): Promise<BomRow<Row>[]> {
  const read = rows
    .map((original) => ({ original, data: byField(columns, original) }))
    .filter(({ data }) => !/^\s*\d+\s*$/.test(data.level ?? '1') || Number(data.level ?? 1) === 1)
  const found = await findComponents(
    context.tx,
    read.map(({ data }) => namedIn(data)),
  )
  const named = new Set<number>()
  return read.map(({ original, data }, at) => {
    const component = found[at] as Component
    const errors = { ...componentError(component, named), ...lineErrors(data, component, context) }
    return { original, data: { ...data, part: component.pk, errors }, field_errors: messagesIn(errors) }
  })
}

/** The cells of a row by field. */
function byField(columns: readonly string[], row: Cells): Record<string, string | null> {
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
function lineErrors(
  row: Record<string, string | null>,
  { trackable }: Component,
  services: Services,
): Record<string, ErrorMessage> {
  const { values, errors } = input.readShape(ofLine, filledIn(row), { references: [], services }, { partial: true })
  if (!errors.quantity) {
    const { quantity } = values as { quantity?: Decimal }
    const objection =
      quantity === undefined ? bomErrors.component_quantity_required : quantityObjection(quantity, trackable === true)
    if (objection) errors.quantity = objection
  }
  return Object.fromEntries(Object.entries(errors).map(([name, entry]) => [name, firstOf(entry)]))
}

const firstOf = (entry: ErrorEntry): ErrorMessage => [entry].flat()[0] as ErrorMessage

/** Why a row has no component of its own. `named`: those of the rows before. */
function componentError({ pk, error }: Component, named: Set<number>): { part?: ErrorMessage } {
  if (error !== undefined) return { part: error }
  if (pk === null) return {}
  if (named.has(pk)) return { part: bomErrors.component_twice }
  named.add(pk)
  return {}
}
