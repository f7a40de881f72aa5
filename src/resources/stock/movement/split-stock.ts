import type { Services } from '../../../kit/services/services.ts'
import { type Decimal, subtract, toJsonNumber } from '../../../kit/values/decimal.ts'
import { statusDeltas } from '../read-status.ts'
import type { StockReferences } from '../stock-item-rules.ts'
import { testResultWrites } from '../test/copy-test-results.ts'
import { createStockItems, type NewStockItem } from './create-stock-items.ts'
import { type LockedItem, type StockContext, setQuantity } from './locked-items.ts'
import { type HistoryEntry, historyWrites } from './stock-history.ts'

/** A quantity of an item that becomes an item of its own. `sourceEntry` is the history entry of its source. */
export type Split = { source: LockedItem; newItem: NewStockItem; sourceEntry: Omit<HistoryEntry, 'item'> }

/** Fields in which the new item can differ. */
type Changes = Partial<
  Pick<
    NewStockItem,
    | 'batch'
    | 'status'
    | 'status_custom_key'
    | 'packaging'
    | 'location'
    | 'customer'
    | 'sales_order'
    | 'belongs_to'
    | 'consumed_by'
    | 'is_building'
  >
>

/** Copies an item with another quantity, without its serial number, its barcode and its stocktake date. */
export const copyItem = (item: LockedItem, quantity: Decimal): NewStockItem => ({
  part: item.part,
  quantity,
  location: item.location,
  status: item.status,
  status_custom_key: item.status_custom_key,
  batch: item.batch,
  packaging: item.packaging,
  supplier_part: item.supplier_part,
  purchase_order: item.purchase_order,
  purchase_price: item.purchase_price,
  purchase_price_currency: item.purchase_price_currency,
  expiry_date: item.expiry_date,
  delete_on_deplete: item.delete_on_deplete,
  customer: item.customer,
  sales_order: item.sales_order,
  belongs_to: item.belongs_to,
  build: item.build,
  consumed_by: item.consumed_by,
  is_building: item.is_building,
  owner: item.owner,
  link: item.link,
  notes: item.notes,
  tags: item.tags,
  parent: item.pk,
})

/**
 * Splits a quantity, in units of the part and less than the whole, off a locked item. The item is stored with the other locked items, and
 * then the split quantity with `storeSplits`.
 */
export function splitOff(source: LockedItem, quantity: Decimal, changes: Changes, notes: string | undefined): Split {
  const newItem = { ...copyItem(source, quantity), ...changes }
  if (changes.status_custom_key === undefined && newItem.status !== source.status) newItem.status_custom_key = null
  const change = setQuantity(source, subtract(source.quantity, quantity))
  const { location, batch, status, status_custom_key = null, packaging } = changes
  const locationDelta = location ? { location } : {}
  const details = {
    ...(batch ? { batch } : {}),
    ...(status ? statusDeltas({ status, status_custom_key }) : {}),
    ...(packaging ? { packaging } : {}),
  }
  return {
    source,
    newItem: {
      ...newItem,
      history: {
        type: 'SPLIT_FROM_PARENT',
        deltas: { stockitem: source.pk, quantity: toJsonNumber(quantity), ...locationDelta, ...details },
        notes,
      },
    },
    sourceEntry: {
      type: 'SPLIT_CHILD_ITEM',
      change,
      deltas: { removed: toJsonNumber(quantity), quantity: toJsonNumber(source.quantity), ...locationDelta },
      notes,
    },
  }
}

/**
 * Creates the new items, with the test results of their sources, and the history entries that name both items. Returns the new keys in
 * order.
 * @param options.furtherEntries further history entries, computed from the new keys, in order
 * @param options.references data about everything that the new items refer to
 */
export async function storeSplits(
  context: Services & StockContext,
  splits: readonly Split[],
  {
    furtherEntries = () => [],
    references,
  }: { furtherEntries?: (pks: readonly number[]) => readonly HistoryEntry[]; references?: StockReferences } = {},
): Promise<number[]> {
  const pks = await createStockItems(
    context,
    splits.map(({ newItem }) => newItem),
    { references },
  )
  await context.tx.pipeline(
    ...historyWrites(context, [
      ...splits.map(({ source, sourceEntry }, index) => ({
        ...sourceEntry,
        item: source.pk,
        deltas: { ...sourceEntry.deltas, stockitem: pks[index] },
      })),
      ...furtherEntries(pks),
    ]),
    ...testResultWrites(
      splits.map(({ source }) => source.pk),
      pks,
    ),
  )
  return pks
}
