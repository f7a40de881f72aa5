import { compare, divide, multiply, subtract, sumAmounts } from '../../../kit/values/exact.ts'
import type { BomLine } from '../part-requests.ts'

/** The available quantity of everything that a line may use. */
export const getAvailable = (line: BomLine): string =>
  sumAmounts([line.available_stock, line.available_substitute_stock, line.allow_variants ? line.available_variant_stock : 0])

/**
 * The number of whole assemblies that the available stock of a line is enough for in one build order, as `bom_required()` calculates what it
 * requires: losses as a percentage for each assembly, a fixed quantity for the build order, and all of it as a multiple.
 */
export function countBuildable(line: BomLine): number {
  const [, overage = '0', percentSign] = /^\s*(\d+(?:\.\d*)?)\s*(%?)\s*$/.exec(line.overage) ?? []
  const multiple = line.rounding_multiple
  const usable =
    multiple === null ? getAvailable(line) : multiply(multiple, Math.floor(Number(divide(getAvailable(line), multiple))))
  const available = subtract(usable, sumAmounts([line.setup_quantity, percentSign ? 0 : overage]))
  const loss = sumAmounts([line.attrition, percentSign ? overage : 0])
  const perAssembly = multiply(line.quantity, divide(sumAmounts([100, loss]), 100))
  return compare(available, perAssembly) < 0 ? 0 : Math.floor(Number(divide(available, perAssembly)))
}

/** Whether a line can limit how many assemblies can be built: consumable components are never short, and optional ones are not needed. */
export const isLimiting = (line: BomLine): boolean => !line.consumable && !line.optional && line.quantity > 0

/**
 * The number of assemblies that can be built from available stock, and the component that limits it. Undefined if no line sets a limit.
 */
export function findBuildLimit(lines: readonly BomLine[]): { count: number; line: BomLine } | undefined {
  const [first] = lines
    .filter(isLimiting)
    .map((line) => ({ count: countBuildable(line), line }))
    .sort((one, other) => one.count - other.count)
  return first
}
