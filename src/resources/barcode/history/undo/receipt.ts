import type { Tx } from '../../../../kit/sql/tx.ts'
import type { Decimal } from '../../../../kit/values/decimal.ts'
import { undoDelivery } from '../../../order/po/delivery/undo-delivery.ts'
import { PO_STATUS } from '../../../order/po/po-status.ts'
import { type ItemState, STATES } from '../../../stock/adjustment/item-state.ts'
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

/** Takes it back, and the label can be received once more. @throws Problem 400, naming what happened since */
export function undoReceipt(context: Undoing, { order, line, packs, item, others = [], closed }: ReceiptMade): Promise<void> {
  const items = [item, ...others]
  return undoDelivery(context, { order, lines: [{ line, packs }], items, closed, codes: [context.code] })
}
