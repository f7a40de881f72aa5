import type { Statement } from '../../../../database/text-query.ts'
import { invalidObject, notFound } from '../../../../kit/request/problem.ts'
import { buildEventStatement } from '../../../../kit/services/events.ts'
import { compare, type Decimal, subtract } from '../../../../kit/values/decimal.ts'
import { lockRow } from '../../../../kit/writing/write.ts'
import { setting } from '../../../../settings/live.ts'
import { type LockedItem, lockStockItemsByQuery, stockItemWrites } from '../../../stock/movement/locked-items.ts'
import { type Split, splitOff, storeSplits } from '../../../stock/movement/split-stock.ts'
import { stockErrors } from '../../../stock/stock-errors.ts'
import type { OrderRequest } from '../../change-status.ts'
import { findStatusError, ON_HOLD } from '../../on-hold.ts'
import { orderErrors } from '../../order-errors.ts'
import { wrongStateProblem } from '../../status-error.ts'
import { SALES_ORDER } from '../so-kind.ts'
import { salesOrderShipment } from './shipment.resource.ts'

type Allocation = { pk: number; line: number; item: number; quantity: Decimal }

/** Details of a shipment that shipping may set; omitted ones stay as they are. */
type ShipmentDetails = {
  shipment_date?: string | null
  delivery_date?: string | null
  tracking_number?: string
  invoice_number?: string
  link?: string
}

/**
 * Ships the shipment `pk` with all its allocations, each once. The only code that increases `shipped` of a line. Locks the order, the
 * shipment, and then the stock items in key order, so that nothing is removed, cancelled or shipped concurrently. All or nothing. Returns
 * the details of the shipment afterwards.
 */
export async function shipAllocations(context: OrderRequest, details: ShipmentDetails): Promise<Required<ShipmentDetails>> {
  const { tx, pk } = context
  const order = await lockOrder(context)
  const shipment = await lockRow(salesOrderShipment, pk, context)
  if (shipment.shipment_date !== null) throw invalidObject(orderErrors.shipment_sent)
  if (shipment.checked_by === null && setting(context, 'SALESORDER_SHIPMENT_REQUIRES_CHECK'))
    throw invalidObject(orderErrors.shipment_not_checked)
  const { allocations, items } = await lockAllocatedItems(context)
  if (allocations.length === 0) throw invalidObject(orderErrors.shipment_empty)
  if (order.status === ON_HOLD.key || !SALES_ORDER.states.open.includes(order.status))
    throw wrongStateProblem(context, findStatusError(order.status, orderErrors.shipment_of_closed_order))
  const missingItem = [...items.values()].find((item) => !item.in_stock)
  if (missingItem) throw invalidObject(stockErrors.stock_item_gone({ pk: missingItem.pk }))

  const moves = await moveToCustomer(context, order, allocations, items)
  const writes = [
    ...moves,
    {
      text: `update sales_order_line line set shipped = line.shipped + shipment.quantity
        from (
          select line, sum(quantity) quantity from unnest($1::integer[], $2::numeric[]) allocation (line, quantity) group by line
        ) shipment where line.pk = shipment.line`,
      values: [allocations.map(({ line }) => line), allocations.map(({ quantity }) => quantity)],
    },
    {
      text: `update sales_order_shipment set shipment_date = coalesce($2::date, current_date),
       delivery_date = case when $3 then $4::date else delivery_date end, tracking_number = coalesce($5, tracking_number),
       invoice_number = coalesce($6, invoice_number), link = coalesce($7, link)
     where pk = $1
     returning shipment_date::text, delivery_date::text, tracking_number, invoice_number, link`,
      values: [
        pk,
        details.shipment_date ?? null,
        details.delivery_date !== undefined,
        details.delivery_date ?? null,
        details.tracking_number ?? null,
        details.invoice_number ?? null,
        details.link ?? null,
      ],
    },
  ]
  const stored = (await tx.pipeline(...writes)).at(-1)?.[0]
  tx.atCommit(buildEventStatement('sales_order_shipment', [pk], 'salesordershipment.completed'))
  return stored as Required<ShipmentDetails>
}

type Order = { pk: number; status: number; customer: number | null; customer_name: string | null }

/** Locks the order of the shipment, and returns its customer. */
async function lockOrder({ tx, pk }: OrderRequest): Promise<Order> {
  const order = await tx.first<Order>(
    `select o.pk, o.status, o.customer, company.name as customer_name
     from sales_order o left join company on company.pk = o.customer
     where o.pk = (select "order" from sales_order_shipment where pk = $1) for no key update of o`,
    [pk],
  )
  if (!order) throw notFound()
  return order
}

/**
 * Locks the stock items allocated to the shipment. Its allocations are read again under these locks: merging items moves their allocations
 * to another item without locking the order.
 */
async function lockAllocatedItems({
  tx,
  pk,
}: OrderRequest): Promise<{ allocations: Allocation[]; items: Map<number, LockedItem> }> {
  for (;;) {
    const items = await lockStockItemsByQuery(tx, 'select item from sales_order_allocation where shipment = $1 and is_open', [pk])
    const allocations = await tx.query<Allocation>(
      'select pk, line, item, quantity::text from sales_order_allocation where shipment = $1 and is_open order by pk',
      [pk],
    )
    if (allocations.every(({ item }) => items.has(item))) return { allocations, items }
  }
}

/**
 * Ships the goods: whole items as they are, parts of larger ones split off. Allocations point to the shipped items before the original ones
 * are reduced, so that no item is ever overallocated.
 * @returns the writes still to run
 */
async function moveToCustomer(
  context: OrderRequest,
  order: Order,
  allocations: readonly Allocation[],
  items: ReadonlyMap<number, LockedItem>,
): Promise<Statement[]> {
  const shippedFields = { customer: order.customer, sales_order: order.pk, location: null }
  const customerDeltas = order.customer === null ? {} : { customer: order.customer, customer_name: order.customer_name }
  /** The shipped item, by allocation. */
  const splitItems = new Map<number, number>()
  const splits: { allocation: Allocation; split: Split }[] = []
  for (const allocation of allocations) {
    const item = items.get(allocation.item) as LockedItem
    if (compare(allocation.quantity, item.quantity) < 0) {
      splits.push({ allocation, split: splitOff(item, allocation.quantity, shippedFields, undefined) })
    } else {
      Object.assign(item, shippedFields, { pendingWrite: 'changed' })
      splitItems.set(allocation.pk, item.pk)
    }
    item.allocated_to_sales_orders = subtract(item.allocated_to_sales_orders, allocation.quantity)
  }
  await storeSplits(
    context,
    splits.map(({ split }) => split),
    {
      furtherEntries: (createdItems) => {
        for (const [index, { allocation }] of splits.entries()) splitItems.set(allocation.pk, createdItems[index] as number)
        return allocations.map(({ pk }) => ({
          item: splitItems.get(pk) as number,
          type: 'SHIPPED_AGAINST_SALES_ORDER',
          deltas: { ...customerDeltas, salesorder: order.pk },
        }))
      },
    },
  )
  return [
    {
      text: `update sales_order_allocation allocation set item = shipped.item, is_open = false
        from unnest($1::integer[], $2::integer[]) shipped (pk, item) where allocation.pk = shipped.pk`,
      values: [[...splitItems.keys()], [...splitItems.values()]],
    },
    ...stockItemWrites(items.values()),
    buildEventStatement('stock_item', [...new Set(splitItems.values())], 'stockitem.assignedtocustomer'),
  ]
}
