import type { Body, Write } from '../../../kit/definition/resource.ts'
import { unknownReference } from '../../../kit/request/errors.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { add, type Decimal, subtract } from '../../../kit/values/decimal.ts'
import { parseReferencedKey } from '../../../kit/values/json.ts'
import { lockStockItems } from '../../stock/movement/locked-items.ts'
import { orderErrors } from '../order-errors.ts'
import { canOverAllocate, findAllocationErrors, findOverAllocationError } from '../so-allocation/allocation-rules.ts'
import { TO_STATUS } from '../transfer-order/transfer-order-status.ts'
import { readLines } from './allocate.ts'

/** Locks the orders of these allocations, and then the stock items. */
export async function lockForChange(tx: Tx, pks: readonly number[], body: Body): Promise<void> {
  await tx.query(
    `select from transfer_order where pk in (
       select line."order" from transfer_order_line line
       where line.pk in (select line from transfer_order_allocation where pk = any($1::integer[]))
     ) order by pk for no key update`,
    [pks],
  )
  const items = await tx.query<{ item: number }>('select item from transfer_order_allocation where pk = any($1::integer[])', [
    pks,
  ])
  const newItem = parseReferencedKey(body.item)
  await lockStockItems(tx, [...items.map(({ item }) => item), ...(newItem === null ? [] : [newItem])])
}

/** Checks a PUT or PATCH of an allocation. Its previous quantity counts as available on the item, and as missing on the line. */
export async function checkAllocationChange(write: Write): Promise<void> {
  const { tx, before, after, values, errors } = write
  if (!before?.is_open) {
    errors.item = [orderErrors.allocation_transferred]
    return
  }
  const [linePk, itemPk, quantity] = [before.line as number, after('item') as number, after('quantity') as Decimal]
  const line = (await readLines(tx, [linePk])).get(linePk)
  const item = (await lockStockItems(tx, [itemPk])).get(itemPk)
  if (!line || !item) {
    // deleted since the body was read
    errors.item = [unknownReference(itemPk)]
    return
  }
  const order = await tx.first<{ status: number }>('select status from transfer_order where pk = $1', [line.order])
  if (order?.status !== TO_STATUS.ISSUED.key) errors.non_field_errors = [orderErrors.transfer_order_not_issued]
  const ownQuantity = before.quantity as Decimal
  if (before.item === itemPk) item.allocated_to_transfer_orders = subtract(item.allocated_to_transfer_orders, ownQuantity)
  line.shortage = add(line.shortage, ownQuantity)
  Object.assign(errors, findAllocationErrors(line, item, quantity, { line: 'item', item: 'item' }))
  const overAllocation = findOverAllocationError(line, quantity)
  if (overAllocation && !canOverAllocate(write, values.allow_over_allocation === true)) errors.quantity ??= [overAllocation]
}
