import type { Errors } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { buildEventStatement } from '../../../kit/services/events.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { notify } from '../../notifications/notify.ts'
import { findAllocationError, type LockedItem, lockStockItems, stockItemWrites } from '../../stock/movement/locked-items.ts'
import { requireLocation } from '../../stock/movement/one-item.ts'
import { type Split, splitOff, storeSplits } from '../../stock/movement/split-stock.ts'
import { STOCK_STATUS } from '../../stock/stock-status.ts'
import type { OrderRequest } from '../change-status.ts'
import { findStatusError } from '../on-hold.ts'
import { orderErrors } from '../order-errors.ts'
import { recomputeTotals } from '../recompute-totals.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

type Line = { pk: number; order: number; item: number; quantity: Decimal; received_date: string | null }

/**
 * Receives the items of these return order lines, each line once. Locks the order and then the stock items in key order, so that nothing is
 * received twice. 400 for a line that cannot be received.
 */
export async function receiveReturnedItems(
  context: OrderRequest,
  lines: readonly number[],
  location: number,
  notes?: string,
): Promise<void> {
  const { tx, pk } = context
  const order = await lockRow(returnOrder, pk, context)
  const linesByKey = new Map(
    (
      await tx.query<Line>(
        'select pk, "order", item, quantity::text, received_date::text from return_order_line where pk = any($1::integer[])',
        [lines],
      )
    ).map((line) => [line.pk, line]),
  )
  rejectLines(lines, (line) => (linesByKey.get(line)?.order === pk ? undefined : orderErrors.line_of_other_return_order))
  await requireLocation(tx, location)
  if (order.status !== RO_STATUS.IN_PROGRESS.key)
    throw invalidObject(findStatusError(order.status, orderErrors.return_order_not_in_progress))
  if (lines.length === 0) throw invalidObject(orderErrors.line_items_required)

  const outstandingLines = [...linesByKey.values()].filter(({ received_date }) => received_date === null)
  const items = await lockStockItems(
    tx,
    outstandingLines.map(({ item }) => item),
  )
  const returnedItems = await findReturnedItems(context, outstandingLines)
  rejectLines(lines, (line) => {
    const item = items.get(linesByKey.get(line)?.item as number)
    if (!item) return undefined
    if (hasNoCustomer(item) && returnedItems.has(item.pk)) return orderErrors.return_item_back_already
    // stock that is allocated cannot be received: it would have to be released first (ADR 0023)
    return findAllocationError(item) ?? findQuantityError(linesByKey.get(line) as Line, item)
  })
  const returned = await moveBack(context, outstandingLines, items, { location, notes })
  await tx.pipeline(...stockItemWrites(items.values()), {
    text: `update return_order_line line set received_date = current_date, item = returned.item
      from unnest($1::integer[], $2::integer[]) returned (pk, item) where line.pk = returned.pk`,
    values: [[...returned.keys()], [...returned.values()]],
  })
  tx.atCommit(buildEventStatement('return_order', [pk], 'returnorder.received'))
  await recomputeTotals(context, RETURN_ORDER, [pk])
  if (outstandingLines.length && order.responsible !== null) await notify(context, 'received', 'returnorder', pk)
}

/**
 * Moves the returned quantities to the location, in quarantine: whole items as they are, parts of larger ones split off. Returns the
 * returned items by line; the items are still to be written.
 */
async function moveBack(
  context: OrderRequest,
  lines: readonly Line[],
  items: ReadonlyMap<number, LockedItem>,
  { location, notes }: { location: number; notes?: string },
): Promise<ReadonlyMap<number, number>> {
  const status = STOCK_STATUS.QUARANTINED.key
  const changes = { status, location, customer: null, sales_order: null, belongs_to: null }
  const returned = new Map<number, number>()
  const splits: { line: Line; split: Split }[] = []
  const customers = new Map(lines.map((line) => [line.pk, items.get(line.item)?.customer ?? null]))
  for (const line of lines) {
    const item = items.get(line.item) as LockedItem
    if (compare(line.quantity, item.quantity) < 0) {
      splits.push({ line, split: splitOff(item, line.quantity, changes, undefined) })
    } else {
      Object.assign(item, changes, { pendingWrite: 'changed' })
      returned.set(line.pk, item.pk)
    }
  }
  await storeSplits(
    context,
    splits.map(({ split }) => split),
    {
      furtherEntries: (createdItems) => {
        for (const [index, { line }] of splits.entries()) returned.set(line.pk, createdItems[index] as number)
        return lines.map((line) => {
          const customer = customers.get(line.pk)
          return {
            item: returned.get(line.pk) as number,
            type: 'RETURNED_AGAINST_RETURN_ORDER',
            notes,
            deltas: { status, returnorder: context.pk, location, ...(customer === null ? {} : { customer }) },
          }
        })
      },
    },
  )
  return returned
}

/** Returns why the quantity of a line cannot be received from its item; undefined when it can. */
function findQuantityError({ quantity, received_date }: Line, item: LockedItem): ErrorMessage | undefined {
  if (received_date !== null) return undefined
  if (compare(quantity, '0') <= 0) return orderErrors.returned_quantity_must_be_positive
  if (compare(quantity, item.quantity) > 0)
    return orderErrors.returned_quantity_exceeds_item({ available: normalize(item.quantity) })
}

/** Rejects lines with a problem, each at its index in the body. */
function rejectLines(lines: readonly number[], findError: (line: number) => ErrorMessage | undefined): void {
  const errors = lines.map((line): Errors => {
    const error = findError(line)
    return error === undefined ? {} : { item: [error] }
  })
  if (errors.some((entry) => 'item' in entry)) throw invalid({ items: errors })
}

/** Reads which items were already received with another order. */
async function findReturnedItems({ tx }: OrderRequest, lines: readonly Line[]): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ item: number }>(
    `select item from return_order_line
     where item = any($1::integer[]) and not pk = any($2::integer[]) and received_date is not null`,
    [lines.map(({ item }) => item), lines.map(({ pk }) => pk)],
  )
  return new Set(rows.map(({ item }) => item))
}

/** Whether an item is not with a customer, so that there is nothing to return. */
const hasNoCustomer = (item: LockedItem): boolean => item.customer === null && item.sales_order === null
