import { invalid } from '../../../kit/request/problem.ts'
import { compare, type Decimal, normalize } from '../../../kit/values/decimal.ts'
import { ErrorMessage } from '../../../kit/values/message.ts'
import { buildErrors } from '../../build/build-errors.ts'
import { type BuildRequest, lockActiveBuild } from '../../build/change-status.ts'
import { allocationWrites } from '../../build/item/allocate.ts'
import { type AllocatableLine, findAllocationErrors } from '../../build/item/allocation-rules.ts'
import { lockStockItems, unallocatedQuantity } from '../../stock/movement/locked-items.ts'
import { findExpiryError } from '../../stock/usable-stock.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import type { BuildAllocationUndo } from '../history/undo/build-allocation.ts'
import { createScanProblem } from '../response.ts'
import { NO_STOCK_ITEM } from '../scan.ts'
import {
  getMissingQuantity,
  readMatchingLines,
  readOutputs,
  readScannedPart,
  type ScannedPart,
  selectBestLines,
} from './choose-line.ts'

/** An allocation that a scan requests. */
type AllocationRequest = {
  item: number
  line: number | null
  output: number | null
  /** In units of the part; without it, as much as fits. */
  quantity: Decimal | undefined
  /** Whether expired stock is rejected, unless the settings allow it. */
  checkExpiry: boolean
  /** Details of the scan, returned with some errors. */
  scanFields: Record<string, unknown>
}

/** The allocation, as in the operation's response. */
export type ScannedAllocation = {
  stock_item: number
  part: number
  build: number
  build_line: number
  /** The output that it goes into; null for one that is not tracked. */
  output: number | null
  quantity: Decimal
}

/**
 * Allocates a scanned stock item to the build order `pk`, like the order's own operation, but never more than the line, or the output, is
 * short of: the order is locked before any of it is read, then the item and the output.
 * @throws Problem 400 with `error`
 */
export async function allocateScanned(
  context: BuildRequest,
  request: AllocationRequest,
): Promise<{ allocation: ScannedAllocation; undo: BuildAllocationUndo }> {
  const { tx } = context
  const createError = (error: ErrorMessage, more: Record<string, unknown> = {}) =>
    createScanProblem(context, error, { ...request.scanFields, ...more })
  const build = await lockActiveBuild(context)
  const scannedPart = await readScannedPart(tx, request.item)
  if (!scannedPart) throw createError(NO_STOCK_ITEM)
  const line = await chooseLine(context, scannedPart, request.line)
  const { output, missing } = await chooseOutput(context, line, request.output)
  const items = await lockStockItems(tx, output === null ? [request.item] : [request.item, output])
  const item = items.get(request.item)
  if (!item) throw createError(NO_STOCK_ITEM)
  const available = unallocatedQuantity(item)
  const maximum = compare(missing, available) < 0 ? missing : available
  const quantity = item.serial ? '1' : (request.quantity ?? normalize(maximum))
  const allocation = { stock_item: item.pk, part: item.part, build: build.pk, build_line: line.pk, output, quantity }
  // an item that is not in stock has nothing available either: report that it is not in stock instead
  if (item.in_stock && compare(available, '0') <= 0) throw createError(FULLY_ALLOCATED, allocation)
  if (compare(quantity, missing) > 0)
    throw createError(barcodeErrors.barcode_line_short_of({ missing: normalize(missing) }), allocation)
  const outputItem = output === null ? null : items.get(output)
  const errors = findAllocationErrors(line, item, scannedPart.trackable, quantity, outputItem, { output: 'output' })
  const [firstError] = Object.values(errors).flat()
  if (firstError !== undefined) throw ErrorMessage.is(firstError) ? createError(firstError, allocation) : invalid(errors)
  const expiryError = request.checkExpiry ? findExpiryError(context, item, 'build') : undefined
  if (expiryError) throw createError(expiryError, allocation)
  const [, [stored] = []] = await tx.pipeline(
    ...allocationWrites([{ build_line: line.pk, stock_item: item.pk, quantity, output }]),
    {
      text: `select pk, quantity::text from build_allocation
        where build_line = $1 and stock_item = $2 and install_into is not distinct from $3`,
      values: [line.pk, item.pk, output],
    },
  )
  const { pk, quantity: after } = stored as { pk: number; quantity: Decimal }
  return {
    allocation,
    undo: { kind: 'build-allocation', allocation: pk, line: line.pk, item: item.pk, output, quantity, after },
  }
}

const FULLY_ALLOCATED = barcodeErrors.barcode_item_fully_allocated

/** Returns the requested line, otherwise the only one of the best matches for the part. @throws Problem 400 when there is none, or more than one */
async function chooseLine(
  context: BuildRequest,
  scannedPart: ScannedPart,
  requestedKey: number | null,
): Promise<AllocatableLine> {
  const matchingLines = await readMatchingLines(context.tx, context.pk, scannedPart)
  const lines = requestedKey === null ? matchingLines : matchingLines.filter(({ pk }) => pk === requestedKey)
  if (lines.length === 0) throw createScanProblem(context, barcodeErrors.barcode_build_line_not_found)
  if (lines.every(({ consumable }) => consumable)) throw createScanProblem(context, buildErrors.consumable_not_allocated)
  const candidates = selectBestLines(lines, scannedPart)
  const [line, another] = candidates
  if (line === undefined) throw createScanProblem(context, barcodeErrors.barcode_build_line_full)
  if (another === undefined) return line
  throw createScanProblem(context, barcodeErrors.barcode_line_ambiguous, {
    candidates: candidates.map(({ pk }) => pk),
    action_required: true,
  })
}

/** Returns the output and its shortage: for a tracked component the requested output, or the only one with a shortage. */
async function chooseOutput(
  context: BuildRequest,
  line: AllocatableLine,
  requestedKey: number | null,
): Promise<{ output: number | null; missing: Decimal }> {
  if (!line.trackable) return { output: requestedKey, missing: getMissingQuantity(line) }
  const outputs = await readOutputs(context.tx, line)
  if (outputs.length === 0) throw createScanProblem(context, barcodeErrors.barcode_without_output)
  const requestedOutputs = requestedKey === null ? outputs : outputs.filter(({ pk }) => pk === requestedKey)
  if (requestedOutputs.length === 0) throw createScanProblem(context, buildErrors.output_must_be_of_build)
  const candidates = requestedOutputs.filter(({ missing }) => compare(missing, '0') > 0)
  const [output, another] = candidates
  if (output === undefined) throw createScanProblem(context, barcodeErrors.barcode_outputs_full)
  if (another !== undefined)
    throw createScanProblem(context, barcodeErrors.allocation_incomplete, {
      build_line: line.pk,
      candidates: candidates.map(({ pk }) => pk),
      action_required: true,
    })
  return { output: output.pk, missing: output.missing }
}
