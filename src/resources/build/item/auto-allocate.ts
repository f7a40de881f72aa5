import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { allocationWrites, type Wanted } from './allocate.ts'
import { type AllocatableLine, linesOf } from './allocation-rules.ts'

type Options = {
  /** Only stock in this location, or below it. */
  location: number | null
  exclude_location: number | null
  /** Several items may be taken from. */
  interchangeable: boolean
  substitutes: boolean
  optional_items: boolean
}

/**
 * Puts by what the lines of a build order, which is locked, still lack, as far as there is stock of it. All items that could be taken are
 * locked at once, in the order of their keys, so that what is put by is still free.
 */
export async function autoAllocate(tx: Tx, build: number, options: Options): Promise<void> {
  const lines = (await linesOf(tx, build)).filter(
    ({ trackable, consumable, optional, quantity, allocated }) =>
      !trackable && !consumable && (options.optional_items || !optional) && compare(allocated, quantity) < 0,
  )
  if (lines.length === 0) return
  const ofPart = byPart(await lockCandidates(tx, lines, options))
  const wanted: Wanted[] = []
  for (const line of lines) {
    const candidates = candidatesOf(line, options, ofPart)
    if (candidates.length > 1 && !options.interchangeable) continue
    for (const item of candidates) {
      const lacks = subtract(line.quantity, line.allocated)
      if (compare(lacks, '0') <= 0) break
      if (!item.active || compare(item.free, '0') <= 0) continue
      const quantity = compare(item.free, lacks) < 0 ? item.free : lacks
      item.free = subtract(item.free, quantity)
      line.allocated = add(line.allocated, quantity)
      wanted.push({ build_line: line.pk, stock_item: item.pk, quantity, output: null })
    }
  }
  tx.atCommit(...allocationWrites(wanted))
}

/** An item that could be taken, which is locked. There may be many thousands: no more is read of each. */
type Candidate = {
  pk: number
  part: number
  /** Its part, and the templates above that. */
  part_path: number[]
  /** Whether its part is active. */
  active: boolean
  /** How much of it is not put by yet. */
  free: Decimal
}

/** Without the sums of their parts, which the statement that puts them by locks (`lockItemsAlone`). */
async function lockCandidates(tx: Tx, lines: readonly AllocatableLine[], options: Options): Promise<Candidate[]> {
  const parts = lines.flatMap(({ part, substitutes }) => (options.substitutes ? [part, ...substitutes] : [part]))
  const templates = lines.filter(({ allow_variants }) => allow_variants).map(({ part }) => part)
  const within = (place: string) => `item.location in (select pk from stock_location where path @> array[${place}::integer])`
  return tx.query<Candidate>(
    `select item.pk, item.part, part.path as part_path, part.active,
       item.quantity - item.allocated_to_sales_orders - item.allocated_to_build_orders as free
     from stock_item item join part on part.pk = item.part
     where item.part in (
         select unnest($1::integer[]) union select below.pk from part below where cardinality($2::integer[]) > 0 and below.path && $2::integer[]
       ) and not part.trackable and item.in_stock and coalesce(item.serial, '') = ''
       and ($3::integer is null or ${within('$3')})
       and ($4::integer is null or item.location is null or not ${within('$4')})
     order by item.pk for no key update of item`,
    [[...new Set(parts)], [...new Set(templates)], options.location, options.exclude_location],
  )
}

/** The items of each part, and of its variants, in the order of their keys. */
type ByPart = Map<number, { own: Candidate[]; below: Candidate[] }>

function byPart(items: readonly Candidate[]): ByPart {
  const ofPart: ByPart = new Map()
  const under = (part: number) => {
    const known = ofPart.get(part) ?? { own: [], below: [] }
    ofPart.set(part, known)
    return known
  }
  for (const item of items) {
    under(item.part).own.push(item)
    for (const template of item.part_path) if (template !== item.part) under(template).below.push(item)
  }
  return ofPart
}

/** The items that a line could take: of the component, then of its variants, then of substitutes, each in the order of their keys. */
function candidatesOf({ part, allow_variants, substitutes }: AllocatableLine, options: Options, ofPart: ByPart): Candidate[] {
  const own = ofPart.get(part)
  const items = [
    ...(own?.own ?? []),
    ...(allow_variants ? (own?.below ?? []) : []),
    ...(options.substitutes ? substitutes.flatMap((other) => ofPart.get(other)?.own ?? []) : []),
  ]
  return [...new Set(items)]
}
