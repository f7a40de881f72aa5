import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import type { Row } from '../../kit/definition/resource.ts'
import { roles } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { type PendingWrite, pluginsWithHook } from '../../plugin-host/call-in-write.ts'
import { findPartErrors } from '../plugins/validation.ts'
import { partCategory } from './category/part-category.table.ts'
import { part as partResource } from './part.resource.ts'
import { part } from './part.table.ts'
import { partErrors } from './part-errors.ts'

/** Maximum number of parts per request. */
const MAX_PARTS = 10_000

export const changeCategory = action({
  method: 'POST',
  path: '/api/part/change_category/',
  summary: 'Move parts to another category',
  description: 'Moves parts to a category, all of them or none. Parts that are already in it do not change.',
  errors: { invalid: 'No part is named, a part or the category does not exist, or the category is structural.' },
  example: { body: { parts: [16], category: 10 } },
  access: roles('part'),
  body: {
    parts: input.list(
      input.reference(() => part, { options: { model: 'part', api_url: '/api/part/' } }),
      { required: true, max: MAX_PARTS, help: `The parts, at least one and at most ${MAX_PARTS}.` },
    ),
    category: input.reference(() => partCategory, {
      required: true,
      only: { where: 'not {structural}', error: partErrors.structural_category },
      options: { model: 'partcategory', api_url: '/api/part/category/', filters: { structural: false } },
      help: 'The new category; not a structural one.',
    }),
  },
  response: Type.Object({ parts: Type.Array(Type.Integer()), category: Type.Integer() }),
  async run(request) {
    const {
      tx,
      body: { parts, category },
    } = request
    if (parts.length === 0) throw invalid({ parts: [partErrors.part_required_in_list] })
    await validateWithPlugins(request, parts, category)
    const [, categoryRows] = await tx.pipeline(
      { text: 'select from part where pk = any($1::integer[]) order by pk for no key update', values: [parts] },
      // locked, so that the category is not deleted or made structural concurrently
      { text: 'select 1 from part_category where pk = $1 and not structural for share', values: [category] },
    )
    if (!categoryRows?.length) throw invalid({ category: [partErrors.structural_category] })
    await tx.query('update part set category = $1 where pk = any($2::integer[]) and category is distinct from $1', [
      category,
      parts,
    ])
    return { parts, category }
  },
})

/** Lets plugins validate the changed parts. */
async function validateWithPlugins(writing: PendingWrite, parts: readonly number[], category: number): Promise<void> {
  if (pluginsWithHook(writing, 'validation.part').length === 0) return
  const rows = await writing.tx.query<Row>(
    'select part.* from part where pk = any($1::integer[]) and category is distinct from $2 order by pk',
    [parts, category],
  )
  for (const row of rows) {
    const { category: categoryErrors, ...otherErrors } = await findPartErrors(writing, partResource, { category }, row)
    if (categoryErrors) throw invalid({ category: categoryErrors })
    if (Object.keys(otherErrors).length) throw invalid({ parts: Object.values(otherErrors).flat() as ErrorMessage[] })
  }
}
