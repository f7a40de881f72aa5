import type { Deletion } from '../../kit/definition/resource.ts'
import { Problem } from '../../kit/request/problem.ts'
import { deleteReturnLines } from '../stock/delete-item.ts'
import { partErrors } from './part-errors.ts'

/**
 * Deletes an inactive part, with its stock, supplier parts and prices. Existing clients expect a bare string
 * (docs/configuration.md#wire-form).
 */
export async function deletePart(deletion: Deletion): Promise<void> {
  const { row, config } = deletion
  if (!row.active) return await deleteReturnLines(deletion, 'part = $1', [row.pk])
  const form = config.wireForm === 'inventree' ? 'bare' : 'detail'
  throw new Problem('method_not_allowed', partErrors.part_active, { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' }, form)
}
