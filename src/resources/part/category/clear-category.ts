import type { Deletion } from '../../../kit/definition/resource.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import { requireOptions } from '../../../kit/writing/deletion-options.ts'
import { deleteReturnLines } from '../../stock/delete-item.ts'
import { requireDeletableParts } from '../delete-part.ts'
import { partErrors } from '../part-errors.ts'

/**
 * Empties a category before it is deleted.
 * - By default its parts and the categories directly below it move to its parent; those of a root category move to none.
 * - `delete_parts`: its parts are deleted, in use or not, but locked ones are rejected.
 * - `delete_child_categories`: all categories below it are deleted, and their parts are moved or deleted like its own.
 */
export async function clearCategory(deletion: Deletion): Promise<void> {
  const { tx, row, body } = deletion
  requireOptions(deletion, ['delete_child_categories', 'delete_parts'])
  const parent = (row.parent as number | null) ?? null
  const deletesSubcategories = isTrueOrOne(body.delete_child_categories)
  const condition = deletesSubcategories
    ? 'category in (select pk from part_category where path @> array[$1::integer])'
    : 'category = $1::integer'
  if (isTrueOrOne(body.delete_parts)) await deleteParts(deletion, condition)
  else {
    const moved = await tx.query(`update part set category = $2 where ${condition} returning pk`, [row.pk, parent])
    if (moved.length && parent !== null && (await tx.first('select 1 from part_category where pk = $1 and structural', [parent])))
      throw invalidObject(partErrors.structural_parent_category)
  }
  if (deletesSubcategories) await tx.query('delete from part_category where path @> array[$1::integer] and pk <> $1', [row.pk])
  else await tx.query('update part_category set parent = $2 where parent = $1', [row.pk, parent])
}

/**
 * Deletes the parts of categories. Deletes their rows in `part_quantity` first, in one statement: otherwise each part deletes its own row
 * in a separate statement. Each of these counts as a change, and the more changes a transaction has, the longer counting another one takes.
 */
async function deleteParts(deletion: Deletion, condition: string): Promise<void> {
  const { tx, row } = deletion
  const parts = await tx.query<{ pk: number; level: number }>(`select pk, level from part where ${condition} order by pk`, [
    row.pk,
  ])
  await requireDeletableParts(
    deletion,
    parts.map(({ pk }) => pk),
  )
  await deleteReturnLines(deletion, 'part = any($1)', [parts.map(({ pk }) => pk)])
  // the sums of templates include those of their variants, which would be subtracted one by one
  await tx.query('delete from part_quantity where pk = any ($1)', [parts.filter(({ level }) => level === 0).map(({ pk }) => pk)])
  await tx.query('delete from part where pk = any ($1)', [parts.map(({ pk }) => pk)])
}

/** Existing clients send 1 as a string. */
const isTrueOrOne = (value: unknown): boolean => [1, '1', true, 'true'].includes(value as string)
