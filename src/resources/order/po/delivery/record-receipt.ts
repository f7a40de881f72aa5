import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { boolean, optional, orNull } from '../../../../kit/definition/input.ts'
import type { Caller } from '../../../../kit/request/caller.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import { type ItemState, STATES_QUERY } from '../../../stock/adjustment/item-state.ts'
import { MAX_UNDOABLE_ITEMS } from '../../../stock/adjustment/record-adjustment.ts'
import { PO_STATUS } from '../po-status.ts'
import type { PlannedItem } from '../receipt.ts'
import { sumPacks } from '../receive-lines.ts'
import type { RecordedReceipt } from './undo-delivery.ts'

/** Name of the receive action among the actions that can be undone. */
export const RECEIVE_ACTION = 'receive'

/** Request field that makes a delivery undoable, and the response field for it. */
export const undoable = optional(
  boolean({
    help: `Whether the delivery can be undone. It cannot if it creates more than ${MAX_UNDOABLE_ITEMS} stock items.`,
  }),
)
export const undoIdSchema = Type.Optional(
  orNull(
    Type.String({
      format: 'uuid',
      description: `With \`undoable\`: the UUID for undoing the delivery within a day; null for more than ${MAX_UNDOABLE_ITEMS} stock items.`,
    }),
  ),
)

const INSERT_DELIVERY = `insert into stock_adjustment (id, "user", action, before, after, items)
  select $2::uuid, $3::integer, '${RECEIVE_ACTION}', '[]', (select json_agg(state) from (${STATES_QUERY} order by pk) state),
    json_build_object('order', pk, 'closed', status = ${PO_STATUS.COMPLETE.key}, 'lines', $5::json, 'codes', $6::json)
  from purchase_order where pk = $4::integer`

/**
 * Stores a delivery, so that it can be undone. Its stock must have been stored already.
 * @param createdItems keys of the created stock
 * @returns the UUID for undoing it; null if it cannot be undone
 */
export function recordDelivery(
  { tx, caller, pk }: { tx: Tx; caller: Caller; pk: number },
  planned: readonly PlannedItem[],
  createdItems: readonly number[],
): string | null {
  if (createdItems.length > MAX_UNDOABLE_ITEMS) return null
  const id = randomUUID()
  const lines = [...sumPacks(planned.map(({ item }) => item))].map(([line, packs]) => ({ line, packs }))
  const codes = planned.flatMap(({ item }) => item.barcode ?? [])
  tx.atCommit({
    text: INSERT_DELIVERY,
    values: [[...createdItems], id, caller.pk, pk, JSON.stringify(lines), JSON.stringify(codes)],
  })
  return id
}

/** A stored delivery. */
export type StoredDelivery = { after: readonly ItemState[]; items: Omit<RecordedReceipt, 'items'>; undone: string | null }
