import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, multiply, subtract } from '../../../kit/values/decimal.ts'
import { type AllocatableLine, isMatchingItem, readBuildLines } from '../../build/item/allocation-rules.ts'

/** The fields of a scanned item that decide which lines it matches. */
export type ScannedPart = { part: number; part_path: number[]; trackable: boolean }

/** Reads the part of an item, which cannot change while its build order is locked; undefined for a missing item. */
export const readScannedPart = (tx: Tx, item: number): Promise<ScannedPart | undefined> =>
  tx.first<ScannedPart>(
    `select item.part, part.path as part_path, part.trackable from stock_item item join part on part.pk = item.part
     where item.pk = $1`,
    [item],
  )

/** Reads the lines of a locked build order that accept a part. */
export const readMatchingLines = async (tx: Tx, build: number, scannedPart: ScannedPart): Promise<AllocatableLine[]> =>
  (await readBuildLines(tx, build)).filter((line) => isMatchingItem(line, scannedPart, scannedPart.trackable))

/** Returns the shortage of a line's component; 0 for a consumable, which is never allocated. */
export const getMissingQuantity = ({ consumable, quantity, allocated }: AllocatableLine): Decimal => {
  const missing = subtract(quantity, allocated)
  return consumable || compare(missing, '0') < 0 ? '0' : missing
}

/**
 * Selects the best matches among the lines with a shortage: lines of the part itself, before those of which it is a variant, before those
 * with it as a substitute.
 */
export function selectBestLines(lines: readonly AllocatableLine[], { part, part_path }: ScannedPart): AllocatableLine[] {
  const missing = lines.filter((line) => compare(getMissingQuantity(line), '0') > 0)
  const getRank = (line: AllocatableLine) => (line.part === part ? 0 : part_path.includes(line.part) ? 1 : 2)
  const bestRank = Math.min(...missing.map(getRank))
  return missing.filter((line) => getRank(line) === bestRank)
}

/** An output, and its shortage of a line's component. */
export type ShortOutput = { pk: number; missing: Decimal }

/** Reads the incomplete outputs of a locked build order, with each one's shortage of a tracked component. */
export async function readOutputs(tx: Tx, { pk, build, per_unit }: AllocatableLine): Promise<ShortOutput[]> {
  const outputs = await tx.query<{ pk: number; quantity: Decimal; allocated: Decimal }>(
    `select item.pk, item.quantity::text, coalesce((
       select sum(allocation.quantity) from build_allocation allocation
       where allocation.build_line = $2 and allocation.install_into = item.pk and allocation.is_open
     ), 0)::text as allocated
     from stock_item item where item.build = $1 and item.is_building order by item.pk`,
    [build, pk],
  )
  return outputs.map((output) => ({
    pk: output.pk,
    missing: subtract(multiply(per_unit, output.quantity), output.allocated),
  }))
}
