import { sumAmounts } from '../../../kit/values/exact.ts'

/** A line of a BOM tree, as returned by `/api/part/{id}/bom-tree/`. */
export type BomTreeLine = {
  line: number
  depth: number
  assembly: number
  reference: string
  optional: boolean
  consumable: boolean
  quantity: number
  total_quantity: number
  available_stock: number
  cost_min: string | null
  cost_max: string | null
  part_detail: TreePart
}

/** A part in a tree. */
export type TreePart = {
  pk: number
  full_name: string
  units: string | null
  thumbnail: string
  active: boolean
  assembly: boolean
}

/** A sum of costs, and whether some of them are unknown. */
export type CostSum = { min: string | null; max: string | null; isPartial: boolean }

/** The costs of some lines together; null if none of them is known. */
export function sumCosts(lines: readonly Pick<BomTreeLine, 'cost_min' | 'cost_max'>[]): CostSum {
  const lows = lines.flatMap(({ cost_min, cost_max }) => cost_min ?? cost_max ?? [])
  const highs = lines.flatMap(({ cost_min, cost_max }) => cost_max ?? cost_min ?? [])
  return {
    min: lows.length > 0 ? sumAmounts(lows) : null,
    max: highs.length > 0 ? sumAmounts(highs) : null,
    isPartial: lows.length < lines.length,
  }
}

/** The lines directly below a line of a tree. @param index its index; -1 for the lines of the first level */
export function listBelow<Row extends { depth: number }>(rows: readonly Row[], index: number): Row[] {
  const depth = rows[index]?.depth ?? 0
  const below: Row[] = []
  for (const row of rows.slice(index + 1)) {
    if (row.depth <= depth) break
    if (row.depth === depth + 1) below.push(row)
  }
  return below
}

/** The indexes of rows that have rows below them. */
export const listParents = (rows: readonly { depth: number }[]): number[] =>
  rows.flatMap(({ depth }, index) => ((rows[index + 1]?.depth ?? 0) > depth ? [index] : []))

/** The indexes of rows that are not below a collapsed row. */
export function listVisible(rows: readonly { depth: number }[], collapsed: ReadonlySet<number>): number[] {
  let hiddenBelow = Number.POSITIVE_INFINITY
  return rows.flatMap(({ depth }, index) => {
    if (depth > hiddenBelow) return []
    hiddenBelow = collapsed.has(index) ? depth : Number.POSITIVE_INFINITY
    return [index]
  })
}
