import { type Errors, unknownReference } from '../../../kit/request/errors.ts'
import { invalid, type Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { lockItemsWithoutSums } from '../../stock/movement/locked-items.ts'
import { findExpiryError } from '../../stock/usable-stock.ts'
import type { OrderRequest } from '../change-status.ts'
import { orderErrors } from '../order-errors.ts'
import { salesOrder } from '../so/so.resource.ts'
import { SALES_ORDER } from '../so/so-kind.ts'
import { wrongStateProblem } from '../status-error.ts'
import {
  type AllocatableLine,
  canOverAllocate,
  countAllocated,
  findAllocationErrors,
  findOverAllocationError,
  findUntestedItems,
  readLines,
} from './allocation-rules.ts'

/** A quantity of a stock item for a line, in units of the part. */
export type AllocationEntry = { line_item: number; stock_item: number; quantity: Decimal }

type AllocationRequest = {
  /** Null to select it later. */
  shipment: number | null
  entries: readonly AllocationEntry[]
  /** Whether a line may be allocated more than its shortage. */
  allowOverAllocation: boolean
  /** Whether expired stock is rejected, unless the settings allow it. */
  checkExpiry?: boolean
  /** Builds the rejection from the errors of all entries, `{}` for a valid one. */
  toProblem: (errors: readonly Errors[]) => Problem
}

/** Locks the order in the URL of an action, before any of its rows or of stock are read; 400 unless it is open. */
export async function lockOpenOrder(context: OrderRequest): Promise<void> {
  const { status } = await lockRow(salesOrder, context.pk, context)
  if (!SALES_ORDER.states.open.includes(status as number)) throw wrongStateProblem(context, orderErrors.sales_order_not_open)
}

/** Rejects a shipment of another order, or one already shipped. It was read with a line, after the order was locked. */
export function checkShipment({ pk }: OrderRequest, { shipment: lineShipment }: AllocatableLine, shipment: number | null): void {
  if (shipment === null) return
  if (!lineShipment) throw invalid({ shipment: [unknownReference(shipment)] })
  if (lineShipment.shipment_date !== null) throw invalid({ shipment: [orderErrors.shipment_shipped] })
  if (lineShipment.order !== pk) throw invalid({ shipment: [orderErrors.shipment_of_other_order] })
}

/**
 * Allocates stock to lines of the order `pk`, which `lockOpenOrder` has locked: all or nothing. The
 * items are locked in key order, so that an item is never overallocated; the check of the table is a second safeguard.
 */
export async function allocate(
  context: OrderRequest,
  { shipment, entries, allowOverAllocation, checkExpiry = false, toProblem }: AllocationRequest,
): Promise<void> {
  const { tx, pk } = context
  const items = await lockItemsWithoutSums(
    tx,
    entries.map(({ stock_item }) => stock_item),
  )
  const lines = await readLines(
    tx,
    entries.map(({ line_item }) => line_item),
    shipment,
  )
  const [firstLine] = lines.values()
  if (firstLine) checkShipment(context, firstLine, shipment)
  const untested = await findUntestedItems(context, [...items.keys()])
  const canExceedShortage = canOverAllocate(context, allowOverAllocation)
  const errors = entries.map(({ line_item, stock_item, quantity }): Errors => {
    const line = lines.get(line_item)
    const item = items.get(stock_item)
    if (line?.order !== pk) return { line_item: [orderErrors.line_of_other_order] }
    if (!item) return { stock_item: [unknownReference(stock_item)] }
    const entryErrors = findAllocationErrors(line, item, quantity, { line: 'line_item', item: 'stock_item' })
    if (Object.keys(entryErrors).length) return entryErrors
    if (untested.has(stock_item)) return { stock_item: [orderErrors.stock_tests_not_passed] }
    const expiryError = checkExpiry ? findExpiryError(context, item, 'sale') : undefined
    if (expiryError) return { stock_item: [expiryError] }
    const overAllocation = canExceedShortage ? undefined : findOverAllocationError(line, quantity)
    if (overAllocation) return { quantity: [overAllocation] }
    countAllocated(line, item, quantity)
    return {}
  })
  if (errors.some((entryErrors) => Object.keys(entryErrors).length > 0)) throw toProblem(errors)
  await storeAllocations(tx, shipment, entries)
}

/**
 * Stores allocations, whose items are locked and whose quantities are checked. All allocations to sales orders are made here.
 * @param shipment null to select it later
 */
export async function storeAllocations(tx: Tx, shipment: number | null, entries: readonly AllocationEntry[]): Promise<void> {
  await tx.query(
    `insert into sales_order_allocation (line, shipment, item, quantity)
     select line, $2, item, quantity
     from unnest($1::integer[], $3::integer[], $4::numeric[]) with ordinality entry (line, item, quantity, ordinal) order by ordinal`,
    [
      entries.map(({ line_item }) => line_item),
      shipment,
      entries.map(({ stock_item }) => stock_item),
      entries.map(({ quantity }) => quantity),
    ],
  )
}
