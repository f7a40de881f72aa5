import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { answerSchema } from '../../../kit/definition/resource.ts'
import { rolesThatChange } from '../../../kit/request/caller.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import { invalid, Problem } from '../../../kit/request/problem.ts'
import { create, writeOf, writeShape } from '../../../kit/writing/write.ts'
import { bomItem } from '../bom-item.resource.ts'
import { lockBom } from '../bom-rules.ts'
import { filledIn } from './columns.ts'
import { BOUNDS } from './read-sheet.ts'

/** A line, in which null and an empty text stand for an optional cell that is empty. */
const row = Object.fromEntries(
  Object.entries(writeShape(bomItem)).map(([name, field]) => [
    name,
    field.required ? field : { ...input.nullable(field), emptyIsNull: true },
  ]),
)

export const submitBom = action({
  method: 'POST',
  path: '/api/bom/import/submit/',
  summary: 'Make lines of a bill of materials',
  description:
    'The last step of three: makes a line of each item, all of them or none. A component that the assembly has already is passed over. The lines that were made are answered.',
  refuses: { invalid: 'No item is given, or one cannot become a line: the errors of each stand at its place.' },
  example: { body: { items: [{ part: 24, sub_part: 12, quantity: 1, reference: 'U4' }] } },
  access: rolesThatChange('part'),
  body: {
    items: input.list(input.object(row), {
      required: true,
      max: BOUNDS.rows,
      help: 'The lines, each as `POST /api/bom/` takes it; what is optional may be null too, as in an empty cell.',
    }),
  },
  status: 201,
  answer: Type.Object({ items: Type.Array(answerSchema(bomItem)) }),
  async run(request) {
    const { tx, body } = request
    const given = request.raw.items as Record<string, unknown>[]
    if (body.items.length === 0) throw invalid({ items: ['At least one line must be given.'] })
    await lockBom(tx)
    const write = writeOf(request)
    const items: unknown[] = []
    for (const [at, { part, sub_part }] of body.items.entries()) {
      const same = await tx.first('select from bom_item where part = $1 and sub_part = $2', [part, sub_part])
      if (same) continue
      const made = await create(bomItem, { ...write, body: filledIn(given[at] as Record<string, unknown>) }).catch((error) => {
        throw atPlace(error, at)
      })
      items.push(JSON.parse(made.body))
    }
    return { items }
  },
})

/** A refusal of one item, at its place among the others. */
function atPlace(error: unknown, at: number): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid') return error
  return invalid({ items: [...Array.from({ length: at }, () => ({})), error.body as Errors] })
}
