import { invalidObject } from '../../../../kit/request/problem.ts'
import { compare, type Decimal } from '../../../../kit/values/decimal.ts'
import { remove } from '../../../../kit/writing/write.ts'
import { lockForChange } from '../../../order/so-allocation/change-allocation.ts'
import { salesOrderAllocation } from '../../../order/so-allocation/so-allocation.resource.ts'
import type { Undoing } from './undoing.ts'

/** What allocating by a code did. */
export type AllocationMade = {
  kind: 'allocation'
  allocation: number
  line: number
  shipment: number
  item: number
  quantity: Decimal
}

/** Takes it back, as deleting the allocation does, which it is. @throws Problem 400, naming what happened since */
export async function undoAllocation(context: Undoing, made: AllocationMade): Promise<void> {
  const { tx, caller, exchange } = context
  await lockForChange(tx, [made.allocation], {})
  const now = await tx.first<AllocationMade & { is_open: boolean }>(
    `select line, shipment, item, quantity::text as quantity, is_open from sales_order_allocation where pk = $1 for no key update`,
    [made.allocation],
  )
  const of = `Allocation ${made.allocation}`
  if (!now) throw invalidObject(`${of} is not there any more`)
  if (!now.is_open) throw invalidObject(`${of} has left, or its order is closed`)
  const moved = (['line', 'shipment', 'item'] as const).flatMap((name) =>
    now[name] === made[name] ? [] : [`${of} is for ${name} ${now[name]}, no longer ${made[name]}`],
  )
  if (compare(now.quantity, made.quantity) !== 0) moved.push(`${of} is of ${now.quantity}, no longer ${made.quantity}`)
  if (moved.length > 0) throw invalidObject(...moved)
  await remove(salesOrderAllocation, made.allocation, { tx, caller, services: context, exchange, body: {}, flags: new Set() })
}
