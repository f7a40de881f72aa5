import type { Body, Write } from '../../../kit/definition/resource.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { parseReferencedKey } from '../../../kit/values/json.ts'
import { lockStockItems } from '../../stock/movement/locked-items.ts'
import { orderErrors } from '../order-errors.ts'
import { SALES_ORDER } from '../so/so-kind.ts'
import {
  canOverAllocate,
  findAllocationErrors,
  findOverAllocationError,
  findUntestedItems,
  readLines,
} from './allocation-rules.ts'

/** Locks the orders of these allocations and of the line that a change names, and then the stock items. */
export async function lockForChange(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  await tx.query(
    `select from sales_order where pk in (
       select line."order" from sales_order_line line
       where line.pk in (select line from sales_order_allocation where pk = any($1::integer[]) union all select $2::integer)
     ) order by pk for no key update`,
    [pks, parseReferencedKey(body.line)],
  )
  const items = await tx.query<{ item: number }>('select item from sales_order_allocation where pk = any($1::integer[])', [pks])
  const newItem = parseReferencedKey(body.item)
  await lockStockItems(tx, [...items.map(({ item }) => item), ...(newItem === null ? [] : [newItem])])
}

/** Checks a PUT or PATCH of an allocation. Its previous quantity counts as available on the item, and as missing on the line. */
export async function checkAllocationChange(write: Write): Promise<void> {
  const { tx, before, after, values, errors } = write
  if (!before?.is_open) {
    errors.item = [orderErrors.allocation_shipped]
    return
  }
  const [linePk, itemPk, shipment] = [after('line') as number, after('item') as number, after('shipment') as number | null]
  const quantity = after('quantity') as Decimal
  const line = (await readLines(tx, [linePk])).get(linePk)
  const item = (await lockStockItems(tx, [itemPk])).get(itemPk)
  if (!line || !item) {
    // deleted since the body was read
    if (!line) errors.line = [unknownReference(linePk)]
    if (!item) errors.item = [unknownReference(itemPk)]
    return
  }
  const order = await tx.first<{ status: number }>('select status from sales_order where pk = $1', [line.order])
  if (!SALES_ORDER.states.open.includes(order?.status as number)) errors.line = [orderErrors.sales_order_of_line_not_open]
  const newShipment = await tx.first<{ order: number; shipment_date: string | null }>(
    'select "order", shipment_date from sales_order_shipment where pk = $1',
    [shipment],
  )
  if (newShipment && newShipment.order !== line.order) {
    errors.line = [orderErrors.order_does_not_match_shipment]
    errors.shipment = [orderErrors.shipment_does_not_match_order]
  } else if (newShipment?.shipment_date) errors.shipment = [orderErrors.shipment_shipped]

  const ownQuantity = before.quantity as Decimal
  if (before.item === itemPk) item.allocated_to_sales_orders = subtract(item.allocated_to_sales_orders, ownQuantity)
  if (before.line === linePk) line.shortage = add(line.shortage, ownQuantity)
  Object.assign(errors, findAllocationErrors(line, item, quantity, { line: 'line', item: 'item' }))
  if (itemPk !== before.item && (await findUntestedItems(write, [itemPk])).has(itemPk))
    errors.item ??= [orderErrors.stock_tests_not_passed]
  const overAllocation = findOverAllocationError(line, quantity)
  if (overAllocation && !canOverAllocate(write, values.allow_over_allocation === true)) errors.quantity ??= [overAllocation]
}
