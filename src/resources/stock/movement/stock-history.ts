import type { Statement } from '../../../database/text-query.ts'
import { listStatusChoices } from '../../../kit/definition/status.ts'
import type { Decimal } from '../../../kit/values/decimal.ts'

/** Events in the history of a stock item, with their display texts (docs/interface/stock.md#history-codes). */
export const HISTORY = {
  LEGACY: { code: 0, text: 'Legacy stock tracking entry' },
  CREATED: { code: 1, text: 'Stock item created' },
  EDITED: { code: 5, text: 'Edited stock item' },
  ASSIGNED_SERIAL: { code: 6, text: 'Assigned serial number' },
  STOCK_COUNT: { code: 10, text: 'Stock counted' },
  STOCK_ADD: { code: 11, text: 'Stock manually added' },
  STOCK_REMOVE: { code: 12, text: 'Stock manually removed' },
  STOCK_SERIALIZED: { code: 13, text: 'Serialized stock items' },
  RETURNED_TO_STOCK: { code: 15, text: 'Returned to stock' },
  STOCK_MOVE: { code: 20, text: 'Location changed' },
  STOCK_UPDATE: { code: 25, text: 'Stock updated' },
  INSTALLED_INTO_ASSEMBLY: { code: 30, text: 'Installed into assembly' },
  REMOVED_FROM_ASSEMBLY: { code: 31, text: 'Removed from assembly' },
  INSTALLED_CHILD_ITEM: { code: 35, text: 'Installed component item' },
  REMOVED_CHILD_ITEM: { code: 36, text: 'Removed component item' },
  SPLIT_FROM_PARENT: { code: 40, text: 'Split from parent item' },
  SPLIT_CHILD_ITEM: { code: 42, text: 'Split child item' },
  MERGED_STOCK_ITEMS: { code: 45, text: 'Merged stock items' },
  DISASSEMBLED: { code: 46, text: 'Disassembled into components' },
  CREATED_FROM_DISASSEMBLY: { code: 47, text: 'Created from disassembly' },
  CONVERTED_TO_VARIANT: { code: 48, text: 'Converted to variant' },
  BUILD_OUTPUT_CREATED: { code: 50, text: 'Build order output created' },
  BUILD_OUTPUT_COMPLETED: { code: 55, text: 'Build order output completed' },
  BUILD_OUTPUT_REJECTED: { code: 56, text: 'Build order output rejected' },
  BUILD_CONSUMED: { code: 57, text: 'Consumed by build order' },
  SHIPPED_AGAINST_SALES_ORDER: { code: 60, text: 'Shipped against Sales Order' },
  RECEIVED_AGAINST_PURCHASE_ORDER: { code: 70, text: 'Received against Purchase Order' },
  RETURNED_AGAINST_RETURN_ORDER: { code: 80, text: 'Returned against Return Order' },
  SENT_TO_CUSTOMER: { code: 100, text: 'Sent to customer' },
  RETURNED_FROM_CUSTOMER: { code: 105, text: 'Returned from customer' },
} as const

type HistoryName = keyof typeof HISTORY

/** The same events as a table of statuses. */
export const stockHistoryCode = {
  name: 'StockHistoryCode',
  codes: Object.fromEntries(
    Object.entries(HISTORY).map(([name, { code, text }]) => [name, { key: code, label: text, color: 'secondary' }]),
  ),
}

/** The codes with their texts, as required by labels and OPTIONS. */
export const HISTORY_CHOICES = listStatusChoices(stockHistoryCode.codes)

/** An event of an item: its new values, by name. Quantities are exact numbers (`jsonNumber`). */
export type HistoryEvent = { type: HistoryName; deltas?: Record<string, unknown>; notes?: string | null }

/**
 * An event and its stock item. `change` is the difference in quantity, in units of its part, as returned by `setQuantity`; without it the
 * quantity is unchanged. `backTo` is set by entries that undo others: the newest entry before those, 0 for none.
 */
export type HistoryEntry = HistoryEvent & { item: number; change?: Decimal; backTo?: number }

/** The caller that causes an event; `scannedAt` is the time of the scan that caused it, if that was earlier. */
export type HistoryContext = { caller: { pk: number }; scannedAt?: string }

/** Maximum length of an entry's notes, in characters. */
export const MAX_HISTORY_NOTES = 512

/**
 * Writes history entries of stock items, in order, under the account of the caller. Each records the change of the quantity, which clients
 * do not see: the quantity on hand is the opening quantity plus the sum of these changes (ADR 0015).
 */
export function historyWrites(context: HistoryContext, entries: readonly HistoryEntry[]): Statement[] {
  if (entries.length === 0) return []
  const rows = entries.map((entry) => toHistoryColumns(context, entry))
  return [
    {
      text: `insert into stock_tracking (item, tracking_type, deltas, quantity_change, notes, "user", back_to)
     select item, tracking_type, deltas::json, change, notes, $6, back_to
     from unnest($1::integer[], $2::integer[], $3::text[], $4::numeric[], $5::text[], $7::integer[])
       with ordinality entry (item, tracking_type, deltas, change, notes, back_to, entry_index)
     order by entry_index`,
      values: [
        entries.map(({ item }) => item),
        rows.map(({ type }) => type),
        rows.map(({ deltas }) => JSON.stringify(deltas)),
        entries.map(({ change }) => change ?? '0'),
        rows.map(({ notes }) => notes),
        context.caller.pk,
        entries.map(({ backTo }) => backTo ?? null),
      ],
    },
  ]
}

/** Returns the stored form of an event. All code that writes events uses it. */
export const toHistoryColumns = ({ scannedAt }: HistoryContext, { type, deltas, notes }: HistoryEvent) => ({
  type: HISTORY[type].code,
  deltas: { ...deltas, ...(scannedAt === undefined ? {} : { scanned: scannedAt }) },
  notes: [...(notes ?? '')].slice(0, MAX_HISTORY_NOTES).join(''),
})
