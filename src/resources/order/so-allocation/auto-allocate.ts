import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { compare, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { allocatedSql } from '../../stock/allocated-quantities.ts'
import { isUsable } from '../../stock/usable-stock.ts'
import { type AllocationEntry, storeAllocations } from './allocate.ts'
import type { AllocatableLine } from './allocation-rules.ts'

/** The orders in which stock is allocated. */
export const STOCK_ORDERS = ['updated', '-updated', 'quantity', '-quantity', 'expiry_date'] as const
/** Which stock is allocated, by serial numbers. */
export const SERIALIZED_STOCK = ['any', 'serialized', 'unserialized'] as const

type Options = {
  /** Restricts stock to this location and its sublocations. */
  location: number | null
  exclude_location: number | null
  shipment: number | null
  /** Whether to allocate to lines with a choice of several items. */
  interchangeable: boolean
  stock_sort_by: (typeof STOCK_ORDERS)[number]
  serialized_stock: (typeof SERIALIZED_STOCK)[number]
}

type Context = Pick<Services, 'settings'> & { tx: Tx }

/** A locked item that could be allocated. There may be many thousands, so only these columns are read. */
type Candidate = {
  pk: number
  /** Its part, and the templates above it. */
  part_path: number[]
  status: number
  expiry_date: string | null
  quantity: Decimal
  /** Seconds; null if unknown. */
  updated: number | null
  /** Available quantity of the item. */
  available: Decimal
}

/**
 * Allocates available stock to lines of a locked order that are short of it: only items that the service may select by itself (`isUsable`).
 * All candidate items are locked in one statement, in the order of their keys, so that they remain available.
 */
export async function autoAllocate(context: Context, lines: readonly AllocatableLine[], options: Options): Promise<void> {
  const { tx } = context
  const short = lines.filter(({ part, shortage }) => part !== null && compare(shortage, '0') > 0)
  if (short.length === 0) return
  const parts = [...new Set(short.map(({ part }) => part as number))]
  const candidates = (await lockCandidates(tx, parts, options)).filter((item) => isUsable(context, item, 'sale'))
  const sorted = candidates.toSorted(COMPARISONS[options.stock_sort_by])
  const entries: AllocationEntry[] = []
  for (const line of short) {
    const items = sorted.filter(
      ({ part_path, available }) => part_path.includes(line.part as number) && compare(available, '0') > 0,
    )
    if (items.length > 1 && !options.interchangeable) continue
    let { shortage } = line
    for (const item of items) {
      if (compare(shortage, '0') <= 0) break
      const quantity = compare(item.available, shortage) < 0 ? item.available : shortage
      item.available = subtract(item.available, quantity)
      shortage = subtract(shortage, quantity)
      entries.push({ line_item: line.pk, stock_item: item.pk, quantity })
    }
  }
  if (entries.length > 0) await storeAllocations(tx, options.shipment, entries)
}

/** Missing values come last. Items that compare equal stay in the order of their keys. */
const compareNumbers = (one: number | null, other: number | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one - other
const compareDays = (one: string | null, other: string | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1

const COMPARISONS: Record<Options['stock_sort_by'], (one: Candidate, other: Candidate) => number> = {
  updated: (one, other) => compareNumbers(one.updated, other.updated),
  '-updated': (one, other) => compareNumbers(other.updated, one.updated),
  quantity: (one, other) => compare(one.quantity, other.quantity),
  '-quantity': (one, other) => compare(other.quantity, one.quantity),
  expiry_date: (one, other) => compareDays(one.expiry_date, other.expiry_date),
}

/** Locks the candidate items, but not their part quantities, which the allocating statement locks. */
async function lockCandidates(tx: Tx, parts: readonly number[], options: Options): Promise<Candidate[]> {
  const selectWithin = (location: string) =>
    `item.location in (select pk from stock_location where path @> array[${location}::integer])`
  return tx.query<Candidate>(
    `select item.pk, part.path as part_path, item.status, item.expiry_date, item.quantity::text,
       extract(epoch from item.updated)::float8 as updated,
       item.quantity - ${allocatedSql((column) => `item.${column}`)} as available
     from stock_item item join part on part.pk = item.part
     where item.part in (select pk from part where path && $1::integer[]) and item.in_stock
       and ($2::integer is null or ${selectWithin('$2')})
       and ($3::integer is null or item.location is null or not ${selectWithin('$3')})
       and ($4::text = 'any' or ($4::text = 'serialized') = (coalesce(item.serial, '') <> ''))
     order by item.pk for no key update of item`,
    [parts, options.location, options.exclude_location, options.serialized_stock],
  )
}
