import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { orderErrors } from '../../order/order-errors.ts'
import { type LockedItem, unallocatedQuantity } from '../../stock/movement/locked-items.ts'
import { stockErrors } from '../../stock/stock-errors.ts'
import { buildErrors } from '../build-errors.ts'
import type { OpenAllocation } from './open-allocations.ts'

/** A build line to which stock can be allocated. Quantities in units of its component. */
export type AllocatableLine = {
  pk: number
  build: number
  /** The component. */
  part: number
  trackable: boolean
  consumable: boolean
  optional: boolean
  allow_variants: boolean
  /** Substitutes for the component. */
  substitutes: number[]
  /** Required quantity that is not consumed yet, and the allocated part of it. */
  quantity: Decimal
  allocated: Decimal
  /** Quantity of the component per unit of the assembly. */
  per_unit: Decimal
}

const LINES = `select line.pk, line.build, line.part, component.trackable,
    item.consumable or component.consumable as consumable, item.optional, item.allow_variants,
    array(select part from bom_item_substitute where bom_item = item.pk order by pk) as substitutes,
    greatest(line.quantity - line.consumed, 0)::text as quantity, coalesce(allocated.quantity, 0)::text as allocated, item.quantity::text as per_unit
  from build_line line
  join bom_item item on item.pk = line.bom_item
  join part component on component.pk = line.part
  left join (
    select a.build_line, sum(a.quantity) quantity from build_allocation a
    where a.is_open and a.build_line in (select pk from build_line where WHICH) group by a.build_line
  ) allocated on allocated.build_line = line.pk
  where line.WHICH order by line.pk`

/** Reads lines by key, once their build order is locked. */
export async function readLines(tx: Tx, pks: readonly number[]): Promise<Map<number, AllocatableLine>> {
  const lines = await tx.query<AllocatableLine>(LINES.replaceAll('WHICH', 'pk = any($1::integer[])'), [[...new Set(pks)]])
  return new Map(lines.map((line) => [line.pk, line]))
}

/** All lines of a locked build order. */
export const readBuildLines = (tx: Tx, build: number): Promise<AllocatableLine[]> =>
  tx.query<AllocatableLine>(LINES.replaceAll('WHICH', 'build = $1'), [build])

/** The lines of a build order whose components are tracked, and so allocated to individual outputs. */
export const readTrackedLines = async (tx: Tx, build: number): Promise<AllocatableLine[]> =>
  (await readBuildLines(tx, build)).filter(({ trackable, consumable }) => trackable && !consumable)

/** Whether a line allows an item's part: its component, a variant of it where allowed, or a substitute. */
export const isMatchingItem = (
  line: AllocatableLine,
  { part, part_path }: Pick<LockedItem, 'part' | 'part_path'>,
  trackable: boolean,
): boolean =>
  trackable === line.trackable &&
  (part === line.part || (line.allow_variants && part_path.includes(line.part)) || line.substitutes.includes(part))

/**
 * Rejects consuming allocations whose line no longer allows the part: the line's component may have changed since, or the item may have
 * been converted to another part.
 * @param lines current lines of the build order; allocations of other lines are ignored
 * @throws Problem 400
 */
export function requireMatchingParts(
  allocations: readonly Pick<OpenAllocation, 'build_line' | 'stock_item'>[],
  lines: readonly AllocatableLine[],
  items: ReadonlyMap<number, LockedItem>,
): void {
  const linesByKey = new Map(lines.map((line) => [line.pk, line]))
  const mismatch = allocations.find(({ build_line, stock_item }) => {
    const line = linesByKey.get(build_line)
    return line && !line.consumable && !isMatchingItem(line, items.get(stock_item) as LockedItem, line.trackable)
  })
  if (mismatch) throw invalidObject(buildErrors.stock_item_no_longer_for_line({ pk: mismatch.stock_item }))
}

/** An output that components are installed in. */
export type Output = Pick<LockedItem, 'pk' | 'build' | 'is_building'>

/** Names of the fields to which errors are attached. */
type FieldNames = { output: string }

/**
 * Returns the errors of allocating a quantity of an item to a line, by field; empty if there are none. The item, the output and the build
 * order of the line are locked.
 * @param output the requested output: null for none, undefined for one that does not exist
 */
export function findAllocationErrors(
  line: AllocatableLine,
  item: LockedItem,
  trackable: boolean,
  quantity: Decimal,
  output: Output | null | undefined,
  { output: outputField }: FieldNames,
): Errors {
  if (!item.in_stock) return { stock_item: [orderErrors.stock_item_not_on_hand] }
  if (compare(quantity, '0') <= 0) return { quantity: [stockErrors.quantity_must_be_positive] }
  // consumables are never allocated, whatever their part and serial number
  if (!line.consumable && item.serial && compare(quantity, '1') !== 0)
    return { quantity: [orderErrors.allocated_serialized_quantity_must_be_one] }
  const available = unallocatedQuantity(item)
  if (compare(quantity, available) > 0)
    return { quantity: [orderErrors.quantity_exceeds_available({ available: normalize(available) })] }
  const outputError = findOutputError(line, output)
  if (outputError) return { [outputField]: [outputError] }
  return line.consumable || isMatchingItem(line, item, trackable) ? {} : { stock_item: [buildErrors.stock_item_not_for_line] }
}

/** Returns the error of allocating a line's component to an output, or to none; undefined if that is allowed. */
function findOutputError(line: AllocatableLine, output: Output | null | undefined): ErrorMessage | undefined {
  if (output === null) return line.trackable ? buildErrors.output_required : undefined
  if (!line.trackable) return buildErrors.output_not_allowed
  if (output === undefined || output.build !== line.build) return buildErrors.output_must_be_of_build
  return output.is_building ? undefined : buildErrors.output_is_complete
}

/** Counts a quantity as allocated for the remaining entries of the same request. */
export function countAllocated(line: AllocatableLine, item: LockedItem, quantity: Decimal): void {
  item.allocated_to_build_orders = add(item.allocated_to_build_orders, quantity)
  line.allocated = add(line.allocated, quantity)
}

/** The error for a line that does not belong to the build order. */
export const unknownLineErrors = (pk: number): Errors => ({ build_line: [unknownReference(pk)] })
