import type { Errors } from '../../../kit/request/errors.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, compare, type Decimal, isZero, normalize, subtract } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { setting } from '../../../settings/live.ts'
import { type LockedItem, unallocatedQuantity } from '../../stock/movement/locked-items.ts'
import { findItemsWithoutTests } from '../../stock/test/passed-tests.ts'
import { orderErrors } from '../order-errors.ts'

/** A line to allocate stock to. Quantities in units of its part. */
export type AllocatableLine = {
  pk: number
  order: number
  part: number | null
  /** Shortage of the line: the quantity ordered, less shipped and allocated. */
  shortage: Decimal
  /** The requested shipment; null for an unknown key. */
  shipment: { order: number; shipment_date: string | null } | null
}

/** Reads lines, each with a shipment, when their order is locked. */
export async function readLines(
  tx: Tx,
  lines: readonly number[],
  shipment: number | null = null,
): Promise<Map<number, AllocatableLine>> {
  const rows = await tx.query<AllocatableLine>(
    `select line.pk, line."order", line.part, (line.quantity - line.shipped - coalesce(allocated.quantity, 0))::text as shortage,
       (select json_build_object('order', "order", 'shipment_date', shipment_date) from sales_order_shipment where pk = $2) as shipment
     from sales_order_line line
     left join (
       select line, sum(quantity) quantity from sales_order_allocation where is_open and line = any($1::integer[]) group by line
     ) allocated on allocated.line = line.pk
     where line.pk = any($1::integer[])`,
    [[...new Set(lines)], shipment],
  )
  return new Map(rows.map((line) => [line.pk, line]))
}

/** Names of the fields that errors are reported on. */
type FieldNames = { line: string; item: string }

/**
 * Returns the errors of allocating a quantity of an item to a line, by field; empty for a valid allocation. The item and the order of the
 * line are locked.
 */
export function findAllocationErrors(
  line: Pick<AllocatableLine, 'part'>,
  item: LockedItem,
  quantity: Decimal,
  names: FieldNames,
): Errors {
  if (line.part === null) return { [names.line]: [orderErrors.line_without_part] }
  if (!item.part_path.includes(line.part)) return { [names.item]: [orderErrors.stock_item_of_other_part] }
  if (!item.in_stock) return { [names.item]: [orderErrors.stock_item_not_on_hand] }
  if (compare(quantity, '0') <= 0) return { quantity: [orderErrors.allocated_quantity_must_be_positive] }
  if (item.serial && compare(quantity, '1') !== 0) return { quantity: [orderErrors.allocated_serialized_quantity_must_be_one] }
  const available = unallocatedQuantity(item)
  if (compare(quantity, available) > 0)
    return { quantity: [orderErrors.quantity_exceeds_available({ available: normalize(available) })] }
  return {}
}

/** Finds the stock items that cannot be allocated because of missing tests, if the setting requires these. */
export async function findUntestedItems(
  context: Pick<Services, 'settings'> & { tx: Tx },
  items: readonly number[],
): Promise<ReadonlySet<number>> {
  if (!setting(context, 'SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS')) return new Set()
  return new Set(await findItemsWithoutTests(context.tx, items))
}

/**
 * Whether a line may be allocated more than its shortage: if the request allows it, and for existing clients
 * (docs/configuration.md#wire-form).
 */
export const canOverAllocate = ({ config }: Pick<Services, 'config'>, allowed: boolean): boolean =>
  allowed || config.wire.freeOverAllocation

/** Returns the error for a quantity above the shortage of a line; undefined otherwise. */
export function findOverAllocationError(line: Pick<AllocatableLine, 'shortage'>, quantity: Decimal): ErrorMessage | undefined {
  if (compare(quantity, line.shortage) <= 0) return undefined
  const missing = compare(line.shortage, '0') > 0 ? normalize(line.shortage) : '0'
  return orderErrors.quantity_exceeds_shortage({ missing })
}

/** Counts a quantity as allocated, so that later entries of the same request see it. */
export function countAllocated(line: AllocatableLine, item: LockedItem, quantity: Decimal): void {
  if (isZero(quantity)) return
  item.allocated_to_sales_orders = add(item.allocated_to_sales_orders, quantity)
  line.shortage = subtract(line.shortage, quantity)
}
