import type { Body, Deletion } from '../../../kit/definition/resource.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'

/**
 * Takes the lock of the tree before any category is locked, if this change may move one: whoever changes the shape of the
 * tree waits here, and nobody waits in a circle. An empty body is a deletion.
 */
export async function lockCategories(tx: Tx, body: Body): Promise<void> {
  const shape = 'parent' in body || 'name' in body || Object.keys(body).length === 0
  if (shape) await tx.query(`select lock_tree('part_category')`)
}

/**
 * Empties a category before it is deleted. (The reference description of parts, section 6.)
 * - Without further ado its parts and the categories directly below it move up, to none from the top.
 * - `delete_parts`: its parts are deleted, in use or not.
 * - `delete_child_categories`: all categories below it are deleted, and their parts go where its own go.
 */
export async function clearCategory({ tx, row, body }: Deletion): Promise<void> {
  const parent = (row.parent as number | null) ?? null
  const below = isChosen(body.delete_child_categories)
  const places = below ? 'category in (select pk from part_category where path @> array[$1::integer])' : 'category = $1::integer'
  if (isChosen(body.delete_parts)) await tx.query(`delete from part where ${places}`, [row.pk])
  else {
    const moved = await tx.query(`update part set category = $2 where ${places} returning pk`, [row.pk, parent])
    if (moved.length && parent !== null && (await tx.first('select 1 from part_category where pk = $1 and structural', [parent])))
      throw invalidObject('The category above is structural: its parts cannot move there.')
  }
  if (below) await tx.query('delete from part_category where path @> array[$1::integer] and pk <> $1', [row.pk])
  else await tx.query('update part_category set parent = $2 where parent = $1', [row.pk, parent])
}

/** Existing clients send a 1, as text. */
const isChosen = (value: unknown): boolean => [1, '1', true, 'true'].includes(value as string)
