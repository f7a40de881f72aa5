import type { Deletion } from '../../kit/definition/resource.ts'
import { invalidObject, Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { deleteReturnLines } from '../stock/delete-item.ts'
import { partErrors } from './part-errors.ts'

/** Rejects the deletion of a locked part, or of one in the BOM of a locked part that stays. */
export async function requireUnlockedParts(tx: Tx, parts: readonly number[]): Promise<void> {
  if (await tx.first('select from part where pk = any($1::integer[]) and locked limit 1', [parts]))
    throw invalidObject(partErrors.part_locked)
  const used = await tx.first(
    `select from bom_item line join part assembly on assembly.pk = line.part and assembly.locked
     where line.sub_part = any($1::integer[])
       or exists (select from bom_item_substitute substitute where substitute.bom_item = line.pk and substitute.part = any($1::integer[]))
     limit 1`,
    [parts],
  )
  if (used) throw invalidObject(partErrors.part_in_locked_bom)
}

/**
 * Deletes an inactive part, with its stock, supplier parts and prices. Existing clients expect a bare string
 * (docs/configuration.md#wire-form).
 */
export async function deletePart(deletion: Deletion): Promise<void> {
  const { tx, row, config } = deletion
  if (row.locked) throw invalidObject(partErrors.part_locked)
  if (!row.active) {
    await requireUnlockedParts(tx, [row.pk])
    return await deleteReturnLines(deletion, 'part = $1', [row.pk])
  }
  const form = config.wire.bareActivePartError ? 'bare' : 'detail'
  throw new Problem('method_not_allowed', partErrors.part_active, { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' }, form)
}
