import { buildEventStatement } from '../../kit/services/events.ts'
import type { Services } from '../../kit/services/services.ts'
import { compare, type Decimal } from '../../kit/values/decimal.ts'
import { readRates } from '../currency/rates.ts'
import { type LockedItem, type StockContext, stockItemWrites } from './movement/locked-items.ts'
import { mergeItems, mergeProblem } from './movement/merge-stock.ts'
import { type Split, splitOff, storeSplits } from './movement/split-stock.ts'
import { type HistoryEntry, historyWrites } from './movement/stock-history.ts'
import type { ItemStatus } from './read-status.ts'

/** A quantity of a locked item that comes back. */
export type Return = {
  item: LockedItem
  quantity: Decimal
  changes?: { batch?: string; packaging?: string } & Partial<ItemStatus>
  /** The item that it was split from, into which it is merged as a whole if they fit together; undefined to keep it. */
  parent?: LockedItem
}

/** Whether an item can be returned: it is with a customer, or installed in another one. */
export const isAway = ({ customer, sales_order, belongs_to }: LockedItem): boolean =>
  customer !== null || sales_order !== null || belongs_to !== null

/** What makes an item one in stock again. */
const BACK = { customer: null, sales_order: null, belongs_to: null, consumed_by: null }

/** Returns items, each once, to a location that can hold stock, with their history and events. All items that are away come back here. */
export async function returnItems(
  context: Services & StockContext,
  returns: readonly Return[],
  { location, notes }: { location: number; notes?: string },
): Promise<void> {
  const { tx } = context
  const customers = await tx.query<{ pk: number; name: string }>('select pk, name from company where pk = any($1::integer[])', [
    returns.flatMap(({ item }) => item.customer ?? []),
  ])
  const names = new Map(customers.map(({ pk, name }) => [pk, name]))
  const entries: HistoryEntry[] = []
  const splits: { split: Split; entry: Omit<HistoryEntry, 'item'>; isFromCustomer: boolean }[] = []
  const changed: LockedItem[] = []
  const fromCustomers: number[] = []
  for (const { item, quantity, changes = {}, parent } of returns) {
    const { pk, customer } = item
    const deltas = { location, ...(customer !== null && { customer, customer_name: names.get(customer) }) }
    const entry = { type: 'RETURNED_FROM_CUSTOMER', deltas, notes } as const
    changed.push(item)
    if (compare(quantity, item.quantity) < 0) {
      splits.push({
        isFromCustomer: customer !== null,
        split: splitOff(item, quantity, { ...BACK, ...changes, location }, notes),
        entry,
      })
      continue
    }
    if (customer !== null) fromCustomers.push(pk)
    Object.assign(item, BACK, changes, { location, pendingWrite: 'changed' })
    if (parent && canMergeInto(item, parent)) {
      entries.push(mergeItems(parent, [item], location, await readRates(tx), notes))
      changed.push(parent)
    } else entries.push({ ...entry, item: pk })
  }
  if (splits.length > 0) {
    await tx.pipeline(...stockItemWrites(changed), ...historyWrites(context, entries))
    const pks = await storeSplits(
      context,
      splits.map(({ split }) => split),
      { furtherEntries: (keys) => splits.map(({ entry }, index) => ({ ...entry, item: keys[index] as number })) },
    )
    fromCustomers.push(...pks.filter((_, index) => splits[index]?.isFromCustomer))
  } else tx.atCommit(...stockItemWrites(changed), ...historyWrites(context, entries))
  if (fromCustomers.length > 0) tx.atCommit(buildEventStatement('stock_item', fromCustomers, 'stockitem.returnedfromcustomer'))
}

const canMergeInto = (item: LockedItem, parent: LockedItem): boolean =>
  parent.location === item.location &&
  parent.part === item.part &&
  parent.supplier_part === item.supplier_part &&
  parent.status === item.status &&
  parent.status_custom_key === item.status_custom_key &&
  parent.in_stock &&
  mergeProblem(item) === undefined &&
  mergeProblem(parent) === undefined
