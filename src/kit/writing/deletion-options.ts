import type { Deletion } from '../definition/resource.ts'
import { invalid } from '../request/problem.ts'
import { valueErrors } from '../values/value-errors.ts'

/** Rejects the deletion of an object without these options, which clients of API 530 always send. */
export function requireOptions({ body, config, isBulk }: Deletion, names: readonly string[]): void {
  if (!config.wire.changedRequirements || isBulk) return
  const missing = names.filter((name) => body[name] === undefined)
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((name) => [name, [valueErrors.required]])))
}
