import type { Errors } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import { buildEventStatement } from '../../../kit/services/events.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { lockRow } from '../../../kit/writing/write.ts'
import { notify } from '../../notifications/notify.ts'
import { findAllocationError, type LockedItem, lockStockItems, stockItemWrites } from '../../stock/movement/locked-items.ts'
import { requireLocation } from '../../stock/movement/one-item.ts'
import { historyWrites } from '../../stock/movement/stock-history.ts'
import { STOCK_STATUS } from '../../stock/stock-status.ts'
import type { OrderRequest } from '../change-state.ts'
import { findStatusError } from '../on-hold.ts'
import { orderErrors } from '../order-errors.ts'
import { recomputeTotals } from '../recompute-totals.ts'
import { returnOrder } from './ro.resource.ts'
import { RETURN_ORDER } from './ro-kind.ts'
import { RO_STATUS } from './ro-status.ts'

type Line = { pk: number; order: number; item: number; received_date: string | null }

/**
 * Receives the items of these return order lines, each line once. Locks the order and then the stock items in key order, so that nothing is
 * received twice. 400 for a line that cannot be received.
 */
export async function receiveReturnedItems(context: OrderRequest, lines: readonly number[], location: number): Promise<void> {
  const { tx, pk } = context
  const order = await lockRow(returnOrder, pk, context)
  const linesByKey = new Map(
    (
      await tx.query<Line>('select pk, "order", item, received_date::text from return_order_line where pk = any($1::integer[])', [
        lines,
      ])
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
    return findAllocationError(item)
  })
  const entries = [...items.values()].map((item) => {
    const customer = item.customer === null ? {} : { customer: item.customer }
    Object.assign(item, {
      status: STOCK_STATUS.QUARANTINED.key,
      location,
      customer: null,
      sales_order: null,
      belongs_to: null,
      pendingWrite: 'changed',
    })
    return {
      item: item.pk,
      type: 'RETURNED_AGAINST_RETURN_ORDER' as const,
      deltas: { status: STOCK_STATUS.QUARANTINED.key, returnorder: pk, location, ...customer },
    }
  })
  await tx.pipeline(...stockItemWrites(items.values()), ...historyWrites(context, entries), {
    text: 'update return_order_line set received_date = current_date where pk = any($1::integer[])',
    values: [outstandingLines.map((line) => line.pk)],
  })
  tx.atCommit(buildEventStatement('return_order', [pk], 'returnorder.received'))
  await recomputeTotals(context, RETURN_ORDER, [pk])
  if (outstandingLines.length && order.responsible !== null) await notify(context, 'received', 'returnorder', pk)
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
