import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import type { Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { type LockedItem, lockItemsWithoutSums } from '../../stock/movement/locked-items.ts'
import type { OrderRequest } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { canOverAllocate, findAllocationErrors, findOverAllocationError } from '../so-allocation/allocation-rules.ts'
import { wrongStateProblem } from '../status-error.ts'
import { transferOrder } from '../transfer-order/transfer-order.resource.ts'
import { TO_STATUS } from '../transfer-order/transfer-order-status.ts'

/** A line to allocate stock to. `shortage` is its quantity less what is transferred and allocated, in units of its part. */
export type TransferLine = { pk: number; order: number; part: number | null; shortage: Decimal }

/** A quantity of a stock item for a line, in units of the part. */
type Entry = { line_item: number; stock_item: number; quantity: Decimal }

type AllocationRequest = {
  entries: readonly Entry[]
  /** Whether a line may be allocated more than its shortage. */
  allowOverAllocation: boolean
  /** Builds the rejection from the errors of all entries, `{}` for a valid one. */
  toProblem: (errors: readonly Errors[]) => Problem
}

/** Reads lines when their order is locked. */
export async function readLines(tx: Tx, lines: readonly number[]): Promise<Map<number, TransferLine>> {
  const rows = await tx.query<TransferLine>(
    `select line.pk, line."order", line.part, (line.quantity - line.transferred - coalesce(allocated.quantity, 0))::text as shortage
     from transfer_order_line line
     left join (
       select line, sum(quantity) quantity from transfer_order_allocation where is_open and line = any($1::integer[]) group by line
     ) allocated on allocated.line = line.pk
     where line.pk = any($1::integer[])`,
    [[...new Set(lines)]],
  )
  return new Map(rows.map((line) => [line.pk, line]))
}

/** Locks the order in the URL of an action, before any of its rows or of stock are read; 400 unless it is issued. */
export async function lockIssuedOrder(context: OrderRequest): Promise<void> {
  const { status } = await lockRow(transferOrder, context.pk, context)
  if (status !== TO_STATUS.ISSUED.key) throw wrongStateProblem(context, orderErrors.transfer_order_not_issued)
}

/**
 * Allocates stock to lines of the order `pk`, which `lockIssuedOrder` has locked: all or nothing. The only code that creates allocations.
 * The items are locked in key order, so that an item is never overallocated; the check of the table is a second safeguard.
 */
export async function allocate(
  context: OrderRequest,
  { entries, allowOverAllocation, toProblem }: AllocationRequest,
): Promise<void> {
  const { tx, pk } = context
  const items = await lockItemsWithoutSums(
    tx,
    entries.map(({ stock_item }) => stock_item),
  )
  const lines = await readLines(
    tx,
    entries.map(({ line_item }) => line_item),
  )
  const canExceedShortage = canOverAllocate(context, allowOverAllocation)
  const errors = entries.map(({ line_item, stock_item, quantity }): Errors => {
    const line = lines.get(line_item)
    const item = items.get(stock_item)
    if (line?.order !== pk) return { line_item: [orderErrors.line_of_other_order] }
    if (!item) return { stock_item: [unknownReference(stock_item)] }
    const entryErrors = findAllocationErrors(line, item, quantity, { line: 'line_item', item: 'stock_item' })
    if (Object.keys(entryErrors).length) return entryErrors
    const overAllocation = canExceedShortage ? undefined : findOverAllocationError(line, quantity)
    if (overAllocation) return { quantity: [overAllocation] }
    countAllocated(line, item, quantity)
    return {}
  })
  if (errors.some((entryErrors) => Object.keys(entryErrors).length > 0)) throw toProblem(errors)
  await tx.query(
    `insert into transfer_order_allocation (line, item, quantity)
     select line, item, quantity
     from unnest($1::integer[], $2::integer[], $3::numeric[]) with ordinality entry (line, item, quantity, ordinal) order by ordinal`,
    [
      entries.map(({ line_item }) => line_item),
      entries.map(({ stock_item }) => stock_item),
      entries.map(({ quantity }) => quantity),
    ],
  )
}

/** Counts a quantity as allocated, so that later entries of the same request see it. */
function countAllocated(line: TransferLine, item: LockedItem, quantity: Decimal): void {
  item.allocated_to_transfer_orders = add(item.allocated_to_transfer_orders, quantity)
  line.shortage = subtract(line.shortage, quantity)
}
