import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { allocatedSql } from '../../stock/allocated-quantities.ts'
import { isUsable } from '../../stock/usable-stock.ts'
import { allocationWrites, type NewAllocation } from './allocate.ts'
import { type AllocatableLine, readBuildLines } from './allocation-rules.ts'

type Options = {
  /** Restricts stock to this location and its sublocations. */
  location: number | null
  exclude_location: number | null
  /** Whether to allocate from several items. */
  interchangeable: boolean
  substitutes: boolean
  optional_items: boolean
  /** The lines to allocate to; all if there are none. */
  lines?: readonly number[]
  /** The order of the items; by default, what expires first. */
  order?: StockOrder
}

/** Orders in which stock is allocated: by its last change, its quantity or its expiry date. */
export type StockOrder = 'updated' | '-updated' | 'quantity' | '-quantity' | 'expiry_date'

type Context = Pick<Services, 'settings'> & { tx: Tx }

/**
 * Allocates available stock to the lines of a locked build order that are short of it: only items that the service may select by itself
 * (`isUsable`). All candidate items are locked in one statement, in the order of their keys, so that they remain available.
 */
export async function autoAllocate(context: Context, build: number, options: Options): Promise<void> {
  const { tx } = context
  const lines = (await readBuildLines(tx, build)).filter(
    ({ pk, trackable, consumable, optional, quantity, allocated }) =>
      (!options.lines?.length || options.lines.includes(pk)) &&
      !trackable &&
      !consumable &&
      (options.optional_items || !optional) &&
      compare(allocated, quantity) < 0,
  )
  if (lines.length === 0) return
  const itemsByPart = groupByPart(
    (await lockCandidates(tx, lines, options)).filter((item) => isUsable(context, item, 'build')),
    options.order,
  )
  const newAllocations: NewAllocation[] = []
  for (const line of lines) {
    const candidates = listCandidates(line, options, itemsByPart)
    if (candidates.length > 1 && !options.interchangeable) continue
    for (const item of candidates) {
      const missing = subtract(line.quantity, line.allocated)
      if (compare(missing, '0') <= 0) break
      if (!item.active || compare(item.available, '0') <= 0) continue
      const quantity = compare(item.available, missing) < 0 ? item.available : missing
      item.available = subtract(item.available, quantity)
      line.allocated = add(line.allocated, quantity)
      newAllocations.push({ build_line: line.pk, stock_item: item.pk, quantity, output: null })
    }
  }
  tx.atCommit(...allocationWrites(newAllocations))
}

/** A locked item that could be allocated. There may be many thousands, so only these columns are read. */
type Candidate = {
  pk: number
  part: number
  /** Its part, and the templates above it. */
  part_path: number[]
  /** Whether its part is active. */
  active: boolean
  status: number
  expiry_date: string | null
  updated: string | null
  quantity: Decimal
  /** Available quantity of the item. */
  available: Decimal
}

/** Locks the candidate items, but not their part quantities, which the allocating statement locks (`lockItemsAlone`). */
async function lockCandidates(tx: Tx, lines: readonly AllocatableLine[], options: Options): Promise<Candidate[]> {
  const parts = lines.flatMap(({ part, substitutes }) => (options.substitutes ? [part, ...substitutes] : [part]))
  const templates = lines.filter(({ allow_variants }) => allow_variants).map(({ part }) => part)
  const selectWithin = (location: string) =>
    `item.location in (select pk from stock_location where path @> array[${location}::integer])`
  return tx.query<Candidate>(
    `select item.pk, item.part, part.path as part_path, part.active, item.status, item.expiry_date,
       item.updated::text, item.quantity,
       item.quantity - ${allocatedSql((column) => `item.${column}`)} as available
     from stock_item item join part on part.pk = item.part
     where item.part in (
         select unnest($1::integer[]) union select variant.pk from part variant where cardinality($2::integer[]) > 0 and variant.path && $2::integer[]
       ) and not part.trackable and item.in_stock and coalesce(item.serial, '') = ''
       and ($3::integer is null or ${selectWithin('$3')})
       and ($4::integer is null or item.location is null or not ${selectWithin('$4')})
     order by item.pk for no key update of item`,
    [[...new Set(parts)], [...new Set(templates)], options.location, options.exclude_location],
  )
}

/** Items of each part, and of its variants, in the requested order, then in the order of their keys. */
type ItemsByPart = Map<number, { own: Candidate[]; below: Candidate[] }>

/** @param items in the order of their keys */
function groupByPart(items: readonly Candidate[], order: StockOrder = 'expiry_date'): ItemsByPart {
  const itemsByPart: ItemsByPart = new Map()
  const getEntry = (part: number) => {
    const entry = itemsByPart.get(part) ?? { own: [], below: [] }
    itemsByPart.set(part, entry)
    return entry
  }
  for (const item of items.toSorted(COMPARISONS[order])) {
    getEntry(item.part).own.push(item)
    for (const template of item.part_path) if (template !== item.part) getEntry(template).below.push(item)
  }
  return itemsByPart
}

/** Items without an expiry date come last. */
const compareExpiry = ({ expiry_date: one }: Candidate, { expiry_date: other }: Candidate): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1

const compareChanges = ({ updated: one }: Candidate, { updated: other }: Candidate): number =>
  (one ?? '') < (other ?? '') ? -1 : (one ?? '') > (other ?? '') ? 1 : 0

const compareQuantities = ({ quantity: one }: Candidate, { quantity: other }: Candidate): number => compare(one, other)

const COMPARISONS: Record<StockOrder, (one: Candidate, other: Candidate) => number> = {
  updated: compareChanges,
  '-updated': (one, other) => compareChanges(other, one),
  quantity: compareQuantities,
  '-quantity': (one, other) => compareQuantities(other, one),
  expiry_date: compareExpiry,
}

/** Returns the items that a line allows: of the component, then of its variants, then of substitutes, each in the order of `ItemsByPart`. */
function listCandidates(
  { part, allow_variants, substitutes }: AllocatableLine,
  options: Options,
  itemsByPart: ItemsByPart,
): Candidate[] {
  const componentItems = itemsByPart.get(part)
  const items = [
    ...(componentItems?.own ?? []),
    ...(allow_variants ? (componentItems?.below ?? []) : []),
    ...(options.substitutes ? substitutes.flatMap((other) => itemsByPart.get(other)?.own ?? []) : []),
  ]
  return [...new Set(items)]
}
