import type { Deletion, Row } from '../../kit/definition/resource.ts'
import { invalidObject, Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { deleteReturnLines } from '../stock/delete-item.ts'
import { partErrors } from './part-errors.ts'

/** A transaction, and the settings, which decide whether parts can be locked. */
export type LockContext = Pick<Services, 'settings'> & { tx: Tx }

/**
 * Rejects the deletion of a locked part, or of one in the BOM of a locked part that stays, or, if the settings require that, in any BOM that
 * stays.
 */
export async function requireDeletableParts(context: LockContext, parts: readonly number[]): Promise<void> {
  const { tx } = context
  if (!setting(context, 'PART_ALLOW_DELETE_FROM_ASSEMBLY') && (await isInOtherBom(tx, parts)))
    throw invalidObject(partErrors.part_in_bom)
  if (!setting(context, 'PART_ENABLE_LOCKING')) return
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

/** Whether the BOM of a part that is not one of these has one of these as a component. */
async function isInOtherBom(tx: Tx, parts: readonly number[]): Promise<boolean> {
  const line = await tx.first('select from bom_item where sub_part = any($1::integer[]) and part <> all($1::integer[]) limit 1', [
    parts,
  ])
  return line !== undefined
}

/**
 * Deletes an inactive part, with its stock, supplier parts and prices. Existing clients expect a bare string
 * (docs/configuration.md#wire-form).
 */
export const deletePart = ({ row, ...context }: Deletion): Promise<void> => deleteParts(context, [row])

/** Does the same for several parts together. */
export async function deleteParts(context: Omit<Deletion, 'row'>, rows: readonly Row[]): Promise<void> {
  for (const row of rows) requireInactive(context, row)
  const parts = rows.map(({ pk }) => pk)
  await requireDeletableParts(context, parts)
  await deleteReturnLines(context, 'part = any($1::integer[])', [parts])
}

function requireInactive(context: Omit<Deletion, 'row'>, row: Row): void {
  if (row.locked && setting(context, 'PART_ENABLE_LOCKING')) throw invalidObject(partErrors.part_locked)
  if (!row.active) return
  const { config } = context
  if (config.wire.changedResponses) throw invalidObject(partErrors.part_active)
  const form = config.wire.bareActivePartError ? 'bare' : 'detail'
  throw new Problem('method_not_allowed', partErrors.part_active, { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' }, form)
}
