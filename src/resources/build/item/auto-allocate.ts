import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, subtract } from '../../../kit/values/decimal.ts'
import { type LockedItem, lockStockItems, unallocated } from '../../stock/movement/locked-items.ts'
import { storeAllocations, type Wanted } from './allocate.ts'
import { type AllocatableLine, countAllocated, linesOf } from './allocation-rules.ts'

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
  const { items, ofPart, inactive } = await lockCandidates(tx, lines, options)
  const wanted: Wanted[] = []
  for (const line of lines) {
    const candidates = candidatesOf(line, options, items, ofPart)
    if (candidates.length > 1 && !options.interchangeable) continue
    for (const item of candidates) {
      const lacks = subtract(line.quantity, line.allocated)
      if (compare(lacks, '0') <= 0) break
      const free = unallocated(item)
      if (inactive.has(item.part) || compare(free, '0') <= 0) continue
      const quantity = compare(free, lacks) < 0 ? free : lacks
      countAllocated(line, item, quantity)
      wanted.push({ build_line: line.pk, stock_item: item.pk, quantity, output: null })
    }
  }
  storeAllocations(tx, wanted)
}

type Candidates = {
  items: Map<number, LockedItem>
  /** The keys of the items of each part, and of its variants. */
  ofPart: Map<number, { own: number[]; below: number[] }>
  inactive: Set<number>
}

async function lockCandidates(tx: Tx, lines: readonly AllocatableLine[], options: Options): Promise<Candidates> {
  const parts = lines.flatMap(({ part, substitutes }) => (options.substitutes ? [part, ...substitutes] : [part]))
  const templates = lines.filter(({ allow_variants }) => allow_variants).map(({ part }) => part)
  const within = (place: string) => `item.location in (select pk from stock_location where path @> array[${place}::integer])`
  const found = await tx.query<{ pk: number; active: boolean }>(
    `select item.pk, part.active from stock_item item join part on part.pk = item.part
     where item.part in (
         select unnest($1::integer[]) union select below.pk from part below where cardinality($2::integer[]) > 0 and below.path && $2::integer[]
       ) and not part.trackable and item.in_stock and coalesce(item.serial, '') = ''
       and ($3::integer is null or ${within('$3')})
       and ($4::integer is null or item.location is null or not ${within('$4')})`,
    [[...new Set(parts)], [...new Set(templates)], options.location, options.exclude_location],
  )
  const items = await lockStockItems(
    tx,
    found.map(({ pk }) => pk),
  )
  const inactive = new Set(found.filter(({ active }) => !active).flatMap(({ pk }) => items.get(pk)?.part ?? []))
  const ofPart: Candidates['ofPart'] = new Map()
  const under = (part: number) => {
    const known = ofPart.get(part) ?? { own: [], below: [] }
    ofPart.set(part, known)
    return known
  }
  for (const item of items.values()) {
    if (!item.in_stock) continue
    under(item.part).own.push(item.pk)
    for (const template of item.part_path) if (template !== item.part) under(template).below.push(item.pk)
  }
  return { items, ofPart, inactive }
}

/** The items that a line could take: of the component, then of its variants, then of substitutes, each in the order of their keys. */
function candidatesOf(
  { part, allow_variants, substitutes }: AllocatableLine,
  options: Options,
  items: Candidates['items'],
  ofPart: Candidates['ofPart'],
): LockedItem[] {
  const own = ofPart.get(part)
  const keys = [
    ...(own?.own ?? []),
    ...(allow_variants ? (own?.below ?? []) : []),
    ...(options.substitutes ? substitutes.flatMap((other) => ofPart.get(other)?.own ?? []) : []),
  ]
  return [...new Set(keys)].map((pk) => items.get(pk) as LockedItem)
}
