import { notFound } from '../../../kit/request/problem.ts'
import { queryWithin } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { PURCHASE_ORDER } from '../../order/po/po-kind.ts'
import type { ReceivableLine } from '../../order/po/receipt.ts'
import { lockLinesStatement } from '../../order/po/receive-lines.ts'
import { type StoredOrder, totalsStatement } from '../../order/recompute-totals.ts'
import { computeBarcodeKey, hashBarcode } from '../barcode-hash.ts'
import { kinds } from '../kinds.ts'
import { findJsonTarget } from '../linked.ts'

/** The stock item type, which received goods are linked to. */
export const stockItemKinds = kinds.filter(({ key }) => key === 'stockitem')

/** Data of a label whose order is locked, with the lines that can receive its goods. */
type LockedLabel = {
  order: { status: number; supplier: number | null; responsible: number | null; line_items: number; completed_lines: number }
  /** Whether it stands for a stock item, or identifies a delivery that was received. */
  isReceived: boolean
  /** Whether it stands for an object. */
  isKnown: boolean
  /** The outstanding lines of the order for its supplier part. */
  lines: ReceivableLine[]
  /** Totals of the order. */
  totals: StoredOrder[]
}

const LINKED = 'select from linked_code where (hash = $1 or key = $2)'
const LOCKED_LABEL = `with line as materialized (
    ${lockLinesStatement('line."order" = $3 and line.part = $4 and line.received < line.quantity')}
  )
  select json_build_object('status', po.status, 'supplier', po.supplier, 'responsible', po.responsible, 'line_items', po.line_items,
      'completed_lines', po.completed_lines) as "order",
    exists (select from received_code where key = $2 and is_delivery) or exists (${LINKED} and kind = 'stockitem') as "isReceived",
    exists (${LINKED}) as "isKnown",
    (select coalesce(json_agg(line order by pk), '[]') from line) as lines
  from purchase_order po where po.pk = $3`

type Label = { text: string; order: number; supplierPart: number }

/**
 * Locks the order of a label, then its lines, and looks up the label under these locks.
 * @throws Problem 404 when the order no longer exists
 */
export async function lockLabelOrder(tx: Tx, { text, order, supplierPart }: Label): Promise<LockedLabel> {
  // a separate statement, so that the next one sees what others committed while this one waited for the lock
  const [, [row] = [], totals] = (await tx.pipeline(
    { text: 'select from purchase_order where pk = $1 for no key update', values: [order] },
    { text: LOCKED_LABEL, values: [hashBarcode(text), computeBarcodeKey(text), order, supplierPart] },
    totalsStatement(PURCHASE_ORDER, [order]),
  )) as unknown as [unknown, Omit<LockedLabel, 'totals'>[], StoredOrder[]]
  if (!row) throw notFound()
  const read = queryWithin(tx)
  return {
    ...row,
    totals,
    isReceived: row.isReceived || (await findJsonTarget(read, text, stockItemKinds)) !== undefined,
    isKnown: row.isKnown || (await findJsonTarget(read, text, kinds)) !== undefined,
  }
}
