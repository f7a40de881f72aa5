import type { Deletion } from '../../kit/definition/resource.ts'
import { Problem } from '../../kit/request/problem.ts'
import { partErrors } from './part-errors.ts'

/**
 * Only parts that are out of use are deleted. What belongs to them goes along: stock, supplier parts, prices. Existing clients
 * expect the bare text (the table WIRE_FORM).
 */
export function refuseActive({ row, config }: Deletion): void {
  if (!row.active) return
  const form = config.wireForm === 'inventree' ? 'bare' : 'detail'
  throw new Problem('method_not_allowed', partErrors.part_active, { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' }, form)
}
