import { invalidObject } from '../../../../kit/request/problem.ts'
import { compare, type Decimal } from '../../../../kit/values/decimal.ts'
import { remove } from '../../../../kit/writing/write.ts'
import { buildAllocation } from '../../../build/item/build-allocation.resource.ts'
import { lockForChange } from '../../../build/item/change-allocation.ts'
import { barcodeErrors } from '../../barcode-errors.ts'
import type { UndoContext } from './undoing.ts'

/** Result of allocating stock to a build order by a scan. */
export type BuildAllocationUndo = {
  kind: 'build-allocation'
  allocation: number
  line: number
  item: number
  output: number | null
  quantity: Decimal
  /** Quantity of the item that was allocated to the line and the output after the scan. */
  after: Decimal
}

type CurrentAllocation = { line: number; item: number; output: number | null; after: Decimal; is_open: boolean }

/**
 * Undoes the allocation: restores the quantity that was allocated before the scan, and deletes the allocation if that was 0.
 * @throws Problem 400, stating what has changed since
 */
export async function undoBuildAllocation(context: UndoContext, undo: BuildAllocationUndo): Promise<void> {
  const { tx, caller, exchange } = context
  const { allocation: pk, quantity, after } = undo
  await lockForChange(tx, [pk], {})
  const current = await tx.first<CurrentAllocation>(
    `select build_line as line, stock_item as item, install_into as output, quantity::text as after, is_open
     from build_allocation where pk = $1 for no key update`,
    [pk],
  )
  if (!current) throw invalidObject(barcodeErrors.allocation_gone({ allocation: pk }))
  if (!current.is_open) throw invalidObject(barcodeErrors.allocation_shipped_or_closed({ allocation: pk }))
  const changes = (['line', 'item', 'output'] as const).flatMap((name) =>
    current[name] === undo[name]
      ? []
      : [
          barcodeErrors.allocation_for_other({
            allocation: pk,
            field: name,
            value: current[name] ?? 'none',
            value_before: undo[name] ?? 'none',
          }),
        ],
  )
  if (compare(current.after, after) !== 0)
    changes.push(barcodeErrors.allocation_quantity_changed({ allocation: pk, quantity: current.after, quantity_before: after }))
  if (changes.length > 0) throw invalidObject(...changes)
  if (compare(after, quantity) === 0)
    await remove(buildAllocation, pk, { tx, caller, services: context, exchange, body: {}, flags: new Set() })
  else await tx.query('update build_allocation set quantity = quantity - $2::numeric where pk = $1', [pk, quantity])
}
