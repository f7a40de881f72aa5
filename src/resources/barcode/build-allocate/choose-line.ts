import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, multiply, subtract } from '../../../kit/values/decimal.ts'
import { type AllocatableLine, fits, linesOf } from '../../build/item/allocation-rules.ts'

/** What of a scanned item says for which lines it is. */
export type ScannedPart = { part: number; part_path: number[]; trackable: boolean }

/** The part of an item, which nothing changes while its build order is locked; undefined for an item that is not there. */
export const partOf = (tx: Tx, item: number): Promise<ScannedPart | undefined> =>
  tx.first<ScannedPart>(
    `select item.part, part.path as part_path, part.trackable from stock_item item join part on part.pk = item.part
     where item.pk = $1`,
    [item],
  )

/** The lines of a build order, which is locked, that take a part. */
export const linesFor = async (tx: Tx, build: number, of: ScannedPart): Promise<AllocatableLine[]> =>
  (await linesOf(tx, build)).filter((line) => fits(line, of, of.trackable))

/** How much of its component a line still lacks; nothing of a consumable, which is never put by. */
export const lackingOf = ({ consumable, quantity, allocated }: AllocatableLine): Decimal => {
  const lacking = subtract(quantity, allocated)
  return consumable || compare(lacking, '0') < 0 ? '0' : lacking
}

/**
 * Those of the lines that still lack something, for which a part is meant first: lines of the part itself, before those of which it is a
 * variant, before those in which it is a substitute.
 */
export function meantFirst(lines: readonly AllocatableLine[], { part, part_path }: ScannedPart): AllocatableLine[] {
  const lacking = lines.filter((line) => compare(lackingOf(line), '0') > 0)
  const rankOf = (line: AllocatableLine) => (line.part === part ? 0 : part_path.includes(line.part) ? 1 : 2)
  const first = Math.min(...lacking.map(rankOf))
  return lacking.filter((line) => rankOf(line) === first)
}

/** An output, and how much of the component of a line it still lacks. */
export type LackingOutput = { pk: number; lacking: Decimal }

/** The outputs of a build order, which is locked, that are not complete, with what each still lacks of a tracked component. */
export async function outputsFor(tx: Tx, { pk, build, per_unit }: AllocatableLine): Promise<LackingOutput[]> {
  const outputs = await tx.query<{ pk: number; quantity: Decimal; allocated: Decimal }>(
    `select item.pk, item.quantity::text, coalesce((
       select sum(put_by.quantity) from build_allocation put_by
       where put_by.build_line = $2 and put_by.install_into = item.pk and put_by.is_open
     ), 0)::text as allocated
     from stock_item item where item.build = $1 and item.is_building order by item.pk`,
    [build, pk],
  )
  return outputs.map((output) => ({
    pk: output.pk,
    lacking: subtract(multiply(per_unit, output.quantity), output.allocated),
  }))
}
