import { invalidObject } from '../../../../kit/request/problem.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { compare, type Decimal } from '../../../../kit/values/decimal.ts'
import { PURCHASE_ORDER } from '../../../order/po/po-kind.ts'
import { PO_STATUS } from '../../../order/po/po-status.ts'
import { recomputeTotals } from '../../../order/recompute-totals.ts'
import { type ItemState, readStates, STATES, tellMoved, touchedSince } from '../../../stock/adjustment/item-state.ts'
import { lockStockItems, storeStockItems } from '../../../stock/movement/locked-items.ts'
import { lockStock } from '../../../stock/stock-item-rules.ts'
import { forgetDelivery } from '../../received-codes.ts'
import type { Undoing } from './undoing.ts'

/** What receiving by a code did. */
export type ReceiptMade = {
  kind: 'receipt'
  order: number
  line: number
  packs: Decimal
  /** The stock that was made: an item, and the others where each has a serial number of its own. */
  item: ItemState
  others?: readonly ItemState[]
  /** With it every line came in full, and the order was closed. */
  closed: boolean
}

/** What was received of a placed order: packs of a line, and the stock that was made of them. */
export type Receipt = Pick<ReceiptMade, 'order' | 'line' | 'packs'> & { items: readonly number[] }

/** What has to be known to take a receipt back, when it is done. */
export async function rememberReceipt(tx: Tx, { items, ...receipt }: Receipt): Promise<ReceiptMade> {
  const rows = await tx.query<ItemState & { closed: boolean }>(
    `select state.*, (select status = $3 from purchase_order where pk = $2) as closed from (${STATES}) state order by pk`,
    [items, receipt.order, PO_STATUS.COMPLETE.key],
  )
  const [item, ...others] = rows.map(({ closed: _, ...state }) => state)
  return { kind: 'receipt', ...receipt, item: item as ItemState, others, closed: rows[0]?.closed === true }
}

/**
 * Takes it back: the stock goes, the line lacks it again, an order that was closed with it is open again, and the label can be received
 * once more. Locks in the order of receiving.
 * @throws Problem 400, naming what happened since
 */
export async function undoReceipt(context: Undoing, made: ReceiptMade): Promise<void> {
  const { tx, code } = context
  await lockStock(tx)
  const order = await tx.first<{ status: number }>('select status from purchase_order where pk = $1 for update', [made.order])
  const line = await tx.first<{ received: Decimal }>(
    'select received::text as received from purchase_order_line where pk = $1 and "order" = $2 for no key update',
    [made.line, made.order],
  )
  const left = [made.item, ...(made.others ?? [])]
  const pks = left.map(({ pk }) => pk)
  const items = [...(await lockStockItems(tx, pks)).values()]
  const now = await readStates(tx, pks)
  const moved = tellMoved(await touchedSince(tx, left, now))
  const isClosedWithIt = made.closed && order?.status === PO_STATUS.COMPLETE.key
  if (!order || !line) moved.push(`Line ${made.line} of purchase order ${made.order} is not there any more`)
  else if (order.status !== PO_STATUS.PLACED.key && !isClosedWithIt)
    moved.push(`Purchase order ${made.order} is not placed any more`)
  else if (compare(line.received, made.packs) < 0) moved.push(`Line ${made.line} has received only ${line.received}`)
  if (moved.length > 0) throw invalidObject(...moved)

  for (const item of items) item.fate = 'deleted'
  await storeStockItems(tx, items)
  await tx.query('update purchase_order_line set received = received - $2::numeric where pk = $1', [made.line, made.packs])
  if (isClosedWithIt)
    await tx.query('update purchase_order set status = $2, complete_date = null, received_by = null where pk = $1', [
      made.order,
      PO_STATUS.PLACED.key,
    ])
  await forgetDelivery(tx, code)
  await recomputeTotals(context, PURCHASE_ORDER, [made.order])
}
