import { invalidObject } from '../../../../kit/request/problem.ts'
import { compare, type Decimal } from '../../../../kit/values/decimal.ts'
import { remove } from '../../../../kit/writing/write.ts'
import { lockForChange } from '../../../order/so-allocation/change-allocation.ts'
import { salesOrderAllocation } from '../../../order/so-allocation/so-allocation.resource.ts'
import { barcodeErrors } from '../../barcode-errors.ts'
import type { UndoContext } from './undoing.ts'

/** Result of allocating stock to a sales order by a scan. */
export type AllocationUndo = {
  kind: 'allocation'
  allocation: number
  line: number
  shipment: number
  item: number
  quantity: Decimal
}

/** Undoes the allocation by deleting it. @throws Problem 400, stating what has changed since */
export async function undoAllocation(context: UndoContext, undo: AllocationUndo): Promise<void> {
  const { tx, caller, exchange } = context
  await lockForChange(tx, [undo.allocation], {})
  const current = await tx.first<AllocationUndo & { is_open: boolean }>(
    `select line, shipment, item, quantity::text as quantity, is_open from sales_order_allocation where pk = $1 for no key update`,
    [undo.allocation],
  )
  const { allocation } = undo
  if (!current) throw invalidObject(barcodeErrors.allocation_gone({ allocation }))
  if (!current.is_open) throw invalidObject(barcodeErrors.allocation_shipped_or_closed({ allocation }))
  const changes = (['line', 'shipment', 'item'] as const).flatMap((name) =>
    current[name] === undo[name]
      ? []
      : [
          barcodeErrors.allocation_for_other({
            allocation,
            field: name,
            value: String(current[name]),
            value_before: String(undo[name]),
          }),
        ],
  )
  if (compare(current.quantity, undo.quantity) !== 0)
    changes.push(
      barcodeErrors.allocation_quantity_changed({
        allocation,
        quantity: current.quantity,
        quantity_before: undo.quantity,
      }),
    )
  if (changes.length > 0) throw invalidObject(...changes)
  await remove(salesOrderAllocation, undo.allocation, { tx, caller, services: context, exchange, body: {}, flags: new Set() })
}
