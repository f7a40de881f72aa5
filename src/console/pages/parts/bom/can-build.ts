import { compare, minus, over, sum, times } from '../../../kit/values/exact.ts'
import type { BomLine } from '../part-reading.ts'

/** How much is free of all that a line may take. */
export const freeOf = (line: BomLine): string =>
  sum([line.available_stock, line.available_substitute_stock, line.allow_variants ? line.available_variant_stock : 0])

/** For how many what is free of a line is enough, in whole ones, with what is lost on the way: so much of an order, or a share. */
function enoughOf(line: BomLine): number {
  const [, lost = '0', share] = /^\s*(\d+(?:\.\d*)?)\s*(%?)\s*$/.exec(line.overage) ?? []
  const free = share ? freeOf(line) : minus(freeOf(line), lost)
  const each = share ? times(line.quantity, over(sum([100, lost]), 100)) : line.quantity
  return compare(free, each) < 0 ? 0 : Math.floor(Number(over(free, each)))
}

/**
 * How many can be made of what is free, and the component that is gone then. What is consumable is never short, and what is optional is not
 * needed. Undefined where no line says anything.
 */
export function enoughFor(lines: readonly BomLine[]): { count: number; line: BomLine } | undefined {
  const [first] = lines
    .filter((line) => !line.consumable && !line.optional && line.quantity > 0)
    .map((line) => ({ count: enoughOf(line), line }))
    .sort((one, other) => one.count - other.count)
  return first
}
