import type { Condition } from '../../kit/definition/filter.ts'
import { type Caller, changeRoles } from '../../kit/request/caller.ts'
import { PARAMETER_MODELS, PARAMETER_OWNERS } from './parameter-models.ts'

/** The permission for any kind of object that has parameters; the rules require it for the kind of the object itself. */
export const parameterAccess = changeRoles(...new Set(PARAMETER_OWNERS.flatMap((owner) => PARAMETER_MODELS[owner].roles)))

/** The parameters of those kinds of objects that the caller can view. */
export function visibleParameters(caller: Caller | undefined): Condition | undefined {
  const visible = PARAMETER_OWNERS.filter((owner) => PARAMETER_MODELS[owner].access(caller, 'view'))
  if (visible.length === PARAMETER_OWNERS.length) return undefined
  return { sql: visible.length ? `num_nonnulls(${visible.map((owner) => `{${owner}}`).join(', ')}) > 0` : 'false', values: [] }
}
