import { invalid } from '../../../kit/request/problem.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import type { OrderRequest } from '../../order/change-status.ts'
import { orderErrors } from '../../order/order-errors.ts'
import { allocate, lockOpenOrder } from '../../order/so-allocation/allocate.ts'
import { readLines } from '../../order/so-allocation/allocation-rules.ts'
import { type LockedItem, lockStockItems, unallocatedQuantity } from '../../stock/movement/locked-items.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import type { AllocationUndo } from '../history/undo/allocation.ts'
import { createScanProblem } from '../response.ts'
import { findShortLines, listOpenShipments } from './choose-line.ts'

/** An allocation that a scan requests. */
type AllocationRequest = {
  item: number
  line: number | null
  shipment: number | null
  /** In units of the part; undefined for as much as fits. */
  quantity: number | undefined
  /** Whether expired stock is rejected, unless the settings allow it. */
  checkExpiry: boolean
  /** Fields about the scan, added to some errors. */
  scanFields: Record<string, unknown>
}

/** The allocation, as the operation returns it. */
export type ScannedAllocation = {
  stock_item: number
  part: number
  sales_order: number
  line_item: number
  shipment: number
  quantity: number | Decimal
}

/**
 * Allocates a scanned stock item to the order `pk`, with the allocate operation of the order: the order is locked before any of it is read,
 * then the item.
 * @throws Problem 400 with `error`
 */
export async function allocateScanned(
  context: OrderRequest,
  request: AllocationRequest,
): Promise<{ allocation: ScannedAllocation; undo: AllocationUndo }> {
  const { tx, pk } = context
  const createError = (error: ErrorMessage, more: Record<string, unknown> = {}) => createScanProblem(context, error, more)
  await lockOpenOrder(context)
  const item = (await lockStockItems(tx, [request.item])).get(request.item)
  if (!item) throw createError(barcodeErrors.barcode_without_stock_item, request.scanFields)
  const line_item = request.line ?? (await findOnlyLine(context, item.part))
  const line = (await readLines(tx, [line_item])).get(line_item)
  if (line?.order !== pk) throw createError(barcodeErrors.barcode_line_of_other_order)
  const shipment = await chooseShipment(context, request.shipment)
  if (line.part === null || !item.part_path.includes(line.part))
    throw createError(barcodeErrors.barcode_item_not_for_line, request.scanFields)

  const quantity = chooseQuantity(item, line.shortage, request.quantity)
  const allocation = { stock_item: item.pk, part: item.part, sales_order: pk, line_item, shipment, quantity }
  const quantityText = String(quantity)
  if (compare(quantityText, '0') <= 0 || compare(quantityText, unallocatedQuantity(item)) > 0)
    throw createError(
      compare(line.shortage, '0') <= 0 ? createLineShortError(line.shortage) : barcodeErrors.barcode_stock_insufficient,
      allocation,
    )
  if (compare(quantityText, line.shortage) > 0) throw createError(createLineShortError(line.shortage), allocation)
  if (shipment === null) {
    const candidates = await listOpenShipments(tx, pk)
    throw createError(barcodeErrors.allocation_incomplete, { ...allocation, candidates, action_required: true })
  }
  await allocate(context, {
    shipment,
    entries: [{ line_item, stock_item: item.pk, quantity: quantityText }],
    allowOverAllocation: false,
    checkExpiry: request.checkExpiry,
    toProblem: ([errors = {}]) => {
      const [firstError] = Object.values(errors).flat()
      return ErrorMessage.is(firstError) ? createError(firstError, allocation) : invalid(errors)
    },
  })
  const newest = await tx.first<{ pk: number }>(
    'select pk from sales_order_allocation where item = $1 order by pk desc limit 1',
    [item.pk],
  )
  const undoFields = { line: line_item, shipment, item: item.pk, quantity: quantityText }
  return {
    allocation: { ...allocation, shipment },
    undo: { kind: 'allocation', allocation: newest?.pk as number, ...undoFields },
  }
}

const createLineShortError = (missing: Decimal): ErrorMessage =>
  barcodeErrors.barcode_line_short_of({ missing: compare(missing, '0') > 0 ? normalize(missing) : '0' })

/** 1 for an item with a serial number; otherwise the requested quantity, or as much as fits. */
function chooseQuantity(item: LockedItem, missing: Decimal, requestedValue: number | undefined): number | Decimal {
  if (item.serial) return 1
  if (requestedValue !== undefined) return requestedValue
  const available = unallocatedQuantity(item)
  return normalize(compare(missing, available) < 0 ? missing : available)
}

/** Returns the only line of the order to which a part can be allocated. @throws Problem 400 for none or several */
async function findOnlyLine(context: OrderRequest, part: number): Promise<number> {
  const candidates = await findShortLines(context.tx, context.pk, part)
  const [line, another] = candidates
  if (line === undefined) throw createScanProblem(context, barcodeErrors.barcode_line_not_found)
  if (another === undefined) return line
  throw createScanProblem(context, barcodeErrors.barcode_line_ambiguous, { candidates, action_required: true })
}

/** The requested shipment, or the only one not shipped yet; null if there are none or several. */
async function chooseShipment(context: OrderRequest, requestedValue: number | null): Promise<number | null> {
  const { tx, pk } = context
  if (requestedValue === null) {
    const open = await listOpenShipments(tx, pk)
    return open.length === 1 ? (open[0] as number) : null
  }
  const shipmentRow = await tx.first<{ order: number }>('select "order" from sales_order_shipment where pk = $1', [
    requestedValue,
  ])
  if (shipmentRow?.order !== pk) throw createScanProblem(context, orderErrors.shipment_does_not_match_order)
  return requestedValue
}
