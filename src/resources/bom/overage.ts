import type { ErrorMessage } from '../../kit/values/message.ts'
import { bomErrors } from './bom-errors.ts'
/** Checks the loss when an assembly is built: empty, a number for each build order, or a share of at most 100 %. */
export function checkOverage(overage: string): ErrorMessage | undefined {
  const [, number, percent] = /^(\d{1,10}(?:\.\d{1,10})?)\s*(%?)$/.exec(overage) ?? []
  if (number === undefined) return bomErrors.invalid_overage
  if (percent && Number(number) > 100) return bomErrors.overage_too_large
}
