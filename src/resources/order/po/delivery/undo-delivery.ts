import { invalidObject } from '../../../../kit/request/problem.ts'
import type { Services } from '../../../../kit/services/services.ts'
import { compare, type Decimal } from '../../../../kit/values/decimal.ts'
import { deleteDeliveries } from '../../../barcode/received-codes.ts'
import { findLaterUses, type ItemState, readStates, reportChanges } from '../../../stock/adjustment/item-state.ts'
import { lockStockItems, type StockContext, stockItemWrites } from '../../../stock/movement/locked-items.ts'
import { orderErrors } from '../../order-errors.ts'
import { recomputeTotals } from '../../recompute-totals.ts'
import { PURCHASE_ORDER } from '../po-kind.ts'
import { PO_STATUS } from '../po-status.ts'

/** Goods of an order that were received in one request. */
export type RecordedReceipt = {
  order: number
  /** Packs received per line. */
  lines: readonly { line: number; packs: Decimal }[]
  /** The created stock, in its state after receiving. */
  items: readonly ItemState[]
  /** Whether this delivery completed every line, and so the order. */
  closed: boolean
  /** The barcodes that were scanned to receive the goods. */
  codes: readonly string[]
}

const SELECT_PARTS = `select supplier_part.part from purchase_order_line line join supplier_part on supplier_part.pk = line.part where line."order" = $2`

/**
 * Undoes a delivery: deletes its stock, reduces the received quantities, reopens an order that it completed, and allows its barcodes to be
 * received again. Takes locks in the same order as receiving.
 * @throws Problem 400, naming the changes since then
 */
export async function undoDelivery(
  context: StockContext & Services,
  { order: pk, lines, items, closed, codes }: RecordedReceipt,
) {
  const { tx } = context
  const order = await tx.first<{ status: number }>('select status from purchase_order where pk = $1 for no key update', [pk])
  const rows = await tx.query<{ pk: number; received: Decimal }>(
    `select pk, received::text as received from purchase_order_line
     where pk = any($1::integer[]) and "order" = $2 order by pk for no key update`,
    [lines.map(({ line }) => line), pk],
  )
  const receivedByLine = new Map(rows.map((row) => [row.pk, row.received]))
  const pks = items.map((item) => item.pk)
  // reopening an order makes the remaining quantities of all its lines outstanding
  const parts = { text: SELECT_PARTS, values: [pk] }
  const locked = [...(await lockStockItems(tx, pks, { parts })).values()]
  const reasons = reportChanges(await findLaterUses(tx, items, await readStates(tx, pks)))
  const reopensOrder = closed && order?.status === PO_STATUS.COMPLETE.key
  const missingLines = lines.filter(({ line }) => !order || !receivedByLine.has(line))
  if (missingLines.length > 0)
    reasons.push(...missingLines.map(({ line }) => orderErrors.purchase_order_line_gone({ line, order: pk })))
  else if (order?.status !== PO_STATUS.PLACED.key && !reopensOrder)
    reasons.push(orderErrors.purchase_order_no_longer_placed({ order: pk }))
  else
    for (const { line, packs } of lines)
      if (compare(receivedByLine.get(line) as Decimal, packs) < 0)
        reasons.push(orderErrors.line_received_less({ line, received: receivedByLine.get(line) as Decimal }))
  if (reasons.length > 0) throw invalidObject(...reasons)

  for (const item of locked) item.pendingWrite = 'deleted'
  await tx.pipeline(...stockItemWrites(locked))
  await tx.query(
    `update purchase_order_line line set received = line.received - undone.packs
     from unnest($1::integer[], $2::numeric[]) undone (line, packs) where line.pk = undone.line`,
    [lines.map(({ line }) => line), lines.map(({ packs }) => packs)],
  )
  if (reopensOrder)
    await tx.query('update purchase_order set status = $2, complete_date = null, received_by = null where pk = $1', [
      pk,
      PO_STATUS.PLACED.key,
    ])
  await deleteDeliveries(tx, codes)
  await recomputeTotals(context, PURCHASE_ORDER, [pk])
}
