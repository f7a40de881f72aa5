import { toPlainSql } from '../../../kit/sql/sql.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { defaultLocationSql } from '../../part/category/part-category.resource.ts'

/** A line with outstanding goods. Quantities in packs. */
export type PendingLine = { pk: number; quantity: Decimal; received: Decimal }

/**
 * Chooses the line for received goods: among the lines with at least that quantity outstanding, otherwise among all, the one with exactly
 * that ordered quantity, otherwise one with more, otherwise the first. Without a quantity, the first line.
 */
export function chooseLine<Line extends PendingLine>(lines: readonly Line[], quantity: Decimal | undefined): Line | undefined {
  if (quantity === undefined) return lines[0]
  const sufficientLines = lines.filter((line) => compare(subtract(line.quantity, line.received), quantity) >= 0)
  const candidates = sufficientLines.length > 0 ? sufficientLines : lines
  return (
    candidates.find((line) => compare(line.quantity, quantity) === 0) ??
    candidates.find((line) => compare(line.quantity, quantity) > 0) ??
    candidates[0]
  )
}

/** Returns the location for goods scanned without one: `undecided` if nothing determines it; null if no locations exist. */
export async function findLocation(tx: Tx, line: number): Promise<number | null | 'undecided'> {
  const [row] = await tx.query<{ location: number | null; is_anywhere: boolean }>(LOCATION, [line])
  return row?.location ?? (row?.is_anywhere ? 'undecided' : null)
}

/** Selects a location, unless it is structural. */
const selectUsable = (location: string): string => `(select pk from stock_location where pk = ${location} and not structural)`

const LOCATION = `select
    coalesce(
      ${selectUsable('line.destination')}, ${selectUsable('part.default_location')}, ${selectUsable(toPlainSql(defaultLocationSql('category.path')))},
      (select min(pk) from (select pk, structural from stock_location limit 2) location having count(*) = 1 and not bool_or(structural))
    ) as location,
    exists (select from stock_location) as is_anywhere
  from purchase_order_line line
  left join supplier_part on supplier_part.pk = line.part
  left join part on part.pk = supplier_part.part
  left join part_category category on category.pk = part.category
  where line.pk = $1`
