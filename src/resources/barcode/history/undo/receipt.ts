import type { Tx } from '../../../../kit/sql/tx.ts'
import type { Decimal } from '../../../../kit/values/decimal.ts'
import { undoDelivery } from '../../../order/po/delivery/undo-delivery.ts'
import { PO_STATUS } from '../../../order/po/po-status.ts'
import { type ItemState, STATES_QUERY } from '../../../stock/adjustment/item-state.ts'
import type { UndoContext } from './undoing.ts'

/** Result of receiving by a scan. */
export type ReceiptUndo = {
  kind: 'receipt'
  order: number
  line: number
  packs: Decimal
  /** The new stock: one item, and the others if each has its own serial number. */
  item: ItemState
  others?: readonly ItemState[]
  /** Whether this receipt completed every line and thereby the order. */
  closed: boolean
}

/** Receipt for a placed order: packs of a line, and the stock created from them. */
export type Receipt = Pick<ReceiptUndo, 'order' | 'line' | 'packs'> & { items: readonly number[] }

/** Records what is needed to undo a receipt, after it was done. */
export async function recordReceipt(tx: Tx, { items, ...receipt }: Receipt): Promise<ReceiptUndo> {
  const rows = await tx.query<ItemState & { closed: boolean }>(
    `select state.*, (select status = $3 from purchase_order where pk = $2) as closed from (${STATES_QUERY}) state order by pk`,
    [items, receipt.order, PO_STATUS.COMPLETE.key],
  )
  const [item, ...others] = rows.map(({ closed: _, ...state }) => state)
  return { kind: 'receipt', ...receipt, item: item as ItemState, others, closed: rows[0]?.closed === true }
}

/** Undoes the receipt, so that the label can be received again. @throws Problem 400, stating what has changed since */
export function undoReceipt(context: UndoContext, { order, line, packs, item, others = [], closed }: ReceiptUndo): Promise<void> {
  const items = [item, ...others]
  return undoDelivery(context, { order, lines: [{ line, packs }], items, closed, codes: [context.code] })
}
