import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { responseSchema } from '../../../kit/definition/resource.ts'
import { readWriteFlags } from '../../../kit/reading/select.ts'
import { changeRoles } from '../../../kit/request/caller.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { createMany } from '../../../kit/writing/bulk-create.ts'
import { getWriteShape, toWriteRequest } from '../../../kit/writing/write.ts'
import { TABLE_BOUNDS } from '../../../spreadsheets/read-table.ts'
import { bomErrors } from '../bom-errors.ts'
import { bomItem } from '../bom-item.resource.ts'
import { clearBom, lockBom, lockForSteps } from '../bom-rules.ts'
import { omitEmptyCells } from './columns.ts'

/** A line, with a required quantity; in optional fields null and an empty string stand for an empty cell. */
const row = Object.fromEntries(
  Object.entries(getWriteShape(bomItem)).map(([name, field]) => [
    name,
    field.required || name === 'quantity'
      ? { ...field, required: true, default: undefined }
      : { ...input.nullable(field), emptyIsNull: true },
  ]),
)

export const submitBom = action({
  method: 'POST',
  path: '/api/bom/import/submit/',
  summary: 'Create BOM lines',
  description:
    'Step three of three: creates a line for each item, all of them or none. Skips components that the assembly already has, or that an earlier item names, unless `clear_existing_bom` first deletes the existing lines. Returns the created lines.',
  errors: { invalid: 'No item is given, or an item is invalid: the errors of each are at its index.' },
  example: { body: { items: [{ part: 24, sub_part: 12, quantity: 1, reference: 'U4' }] } },
  access: changeRoles('bom'),
  body: {
    items: input.list(input.object(row), {
      required: true,
      max: TABLE_BOUNDS.rows,
      help: 'The lines, with their quantities; optional fields may be empty.',
    }),
    clear_existing_bom: input.boolean({
      default: false,
      label: 'Clear Existing BOM',
      help: 'Whether the existing lines of these assemblies are deleted in the same transaction.',
    }),
  },
  status: 201,
  response: Type.Object({ items: Type.Array(responseSchema(bomItem)) }),
  async run(request) {
    const { tx, body } = request
    const rawItems = request.raw.items as Row[]
    if (body.items.length === 0) throw invalidObject(bomErrors.bom_lines_required)
    await lockBom(tx)
    const assemblies = [...new Set((body.items as Pair[]).map(({ part }) => part))]
    await lockForSteps(tx, assemblies)
    if (body.clear_existing_bom) await clearBom(tx, assemblies)
    const lines = (body.items as Pair[]).map((item, at) => ({ ...item, body: omitEmptyCells(rawItems[at] as Row), at }))
    const flags = readWriteFlags(bomItem, request.query, request.config.wire)
    const created = await createMany(
      bomItem,
      { ...toWriteRequest(request), flags, list: 'items' },
      await filterNewLines(tx, lines),
    )
    return { items: created.map((line) => JSON.parse(line)) }
  },
})

type Row = Record<string, unknown>
/** The assembly and the component of a line. */
type Pair = { part: number; sub_part: number }

/** The lines whose component is neither in the assembly already nor in an earlier line. */
async function filterNewLines<Line extends Pair>(tx: Tx, lines: readonly Line[]): Promise<Line[]> {
  const existingPairs = await tx.query<Pair>(
    'select part, sub_part from bom_item where (part, sub_part) in (select * from unnest($1::integer[], $2::integer[]))',
    [lines.map(({ part }) => part), lines.map(({ sub_part }) => sub_part)],
  )
  const seenPairs = new Set(existingPairs.map(toPairKey))
  return lines.filter((line) => {
    const isNew = !seenPairs.has(toPairKey(line))
    seenPairs.add(toPairKey(line))
    return isNew
  })
}

const toPairKey = ({ part, sub_part }: Pair): string => `${part} ${sub_part}`
