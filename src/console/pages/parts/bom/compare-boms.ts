import { compare, subtract, sumAmounts } from '../../../kit/values/exact.ts'

/** The lines of a BOM that a comparison reads. */
export type ComparedLine = {
  sub_part: number
  sub_part_detail: { full_name: string; units: string | null; thumbnail: string } | null
  quantity: number
  reference: string
  optional: boolean
  consumable: boolean
}

/** The lines of one BOM with the same component, taken together. */
export type Side = { quantity: string; references: readonly string[]; optional: boolean; consumable: boolean }

/** A component of two BOMs: what each of them has of it. */
export type Difference = {
  component: number
  detail: ComparedLine['sub_part_detail']
  change: 'added' | 'removed' | 'changed' | 'same'
  before: Side | undefined
  after: Side | undefined
  /** The quantity that the second BOM has more, or less. */
  quantityChange: string
}

/** The designators in a reference, in their order: `R1, R2 R4` are three. */
export const splitReference = (reference: string): string[] => [
  ...new Set(
    reference
      .split(/[,;\s]+/)
      .map((designator) => designator.trim())
      .filter(Boolean),
  ),
]

/** Compares two BOMs by their components: first those of the second BOM, in its order, then those that it lacks. */
export function compareBoms(before: readonly ComparedLine[], after: readonly ComparedLine[]): Difference[] {
  const [first, second] = [groupLines(before), groupLines(after)]
  const components = new Map([...after, ...before].map((line) => [line.sub_part, line.sub_part_detail]))
  return [...components].map(([component, detail]) => {
    const [one, other] = [first.get(component), second.get(component)]
    return {
      component,
      detail,
      change: !one ? 'added' : !other ? 'removed' : isSame(one, other) ? 'same' : 'changed',
      before: one,
      after: other,
      quantityChange: subtract(other?.quantity ?? 0, one?.quantity ?? 0),
    }
  })
}

function groupLines(lines: readonly ComparedLine[]): Map<number, Side> {
  const sides = new Map<number, Side>()
  for (const { sub_part, quantity, reference, optional, consumable } of lines) {
    const side = sides.get(sub_part)
    sides.set(sub_part, {
      quantity: sumAmounts([side?.quantity ?? 0, quantity]),
      references: [...new Set([...(side?.references ?? []), ...splitReference(reference)])],
      // a component is needed if one of its lines needs it
      optional: optional && (side?.optional ?? true),
      consumable: consumable && (side?.consumable ?? true),
    })
  }
  return sides
}

const isSame = (one: Side, other: Side): boolean =>
  compare(one.quantity, other.quantity) === 0 &&
  one.optional === other.optional &&
  one.consumable === other.consumable &&
  one.references.length === other.references.length &&
  one.references.every((designator) => other.references.includes(designator))
