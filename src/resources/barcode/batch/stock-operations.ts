import type { Action } from '../../../kit/definition/action.ts'
import { Reply } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import type { Found } from '../../../plugin-api/index.ts'
import { type ItemState, readStates } from '../../stock/adjustment/item-state.ts'
import type { UndoableAction } from '../../stock/adjustment/undo-adjustments.ts'
import { countStock } from '../../stock/count.action.ts'
import { locationInput } from '../../stock/location/location-input.ts'
import { historyNotes } from '../../stock/movement/adjustment.ts'
import { lockStockItems } from '../../stock/movement/locked-items.ts'
import { type ReleaseAllocations, releaseAllocations } from '../../stock/released/release-input.ts'
import { removeStock } from '../../stock/remove.action.ts'
import { transferStock } from '../../stock/transfer.action.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { barcodeInput } from '../barcode-input.ts'
import { recordAdjustment } from '../history/undo/adjustment.ts'
import { type Operation, operation, readCode, type ScanRequest } from '../operation.ts'
import { createScanProblem, toScanFields } from '../response.ts'
import { NO_STOCK_ITEM, requireStockItem, scan } from '../scan.ts'
import type { Scan } from '../scan-result.ts'

const quantityInput = (help: string) => input.quantity({ required: true, help })

/** Runs a stock action on the stock item of a code, through the function of that action, with the same locks and permissions. */
async function runStockAction(
  request: ScanRequest,
  name: UndoableAction,
  action: Action,
  item: number,
  body: { quantity?: Decimal; notes?: string; location?: number; release_allocations?: ReleaseAllocations },
) {
  const { tx } = request
  const { quantity, release_allocations, ...rest } = body
  const objects: Found[] = [{ kind: 'stockitem', pk: item }]
  if (body.location !== undefined) objects.push({ kind: 'stocklocation', pk: body.location })
  const before = (await lockStockItems(tx, [item])).get(item)
  if (!before) throw createScanProblem(request, NO_STOCK_ITEM)
  // with existing clients the action would skip it without an error
  const isImpossible = before.serial && quantity !== undefined && (name === 'remove' || compare(quantity, '1') !== 0)
  if (isImpossible) throw invalid({ quantity: [barcodeErrors.serialized_item_moves_whole] })
  const state = (await readStates(tx, [item])).get(item) as ItemState
  const items = [{ pk: item, quantity: quantity ?? before.quantity, release_allocations }]
  const response = await action.run({ ...request, prepared: undefined, ifMatch: undefined, body: { items, ...rest } as never })
  // runs the statements that the action deferred to the commit, since their result is read below
  await tx.runCommitStatements()
  const released = (response as { items: { released?: { pk: number }[] }[] }).items[0]?.released
  const undo = await recordAdjustment(tx, name, before, state)
  return {
    reply: new Reply(201, response),
    objects,
    undo: undo && { ...undo, released: released?.map(({ pk }) => pk) },
  }
}

export const countScanned: Operation = operation({
  name: 'count',
  access: countStock.access,
  body: {
    barcode: barcodeInput,
    quantity: quantityInput('How much of the stock item there is, in units of its part.'),
    release_allocations: releaseAllocations,
    notes: historyNotes(),
  },
  prepare: scan,
  async run(request) {
    const { barcode: _, ...fields } = request.body
    return runStockAction(request, 'count', countStock, requireStockItem(request, request.prepared), fields)
  },
})

export const removeScanned: Operation = operation({
  name: 'remove',
  access: removeStock.access,
  body: {
    barcode: barcodeInput,
    quantity: quantityInput('How much of the stock item goes, in units of its part.'),
    notes: historyNotes(),
  },
  prepare: scan,
  async run(request) {
    const { quantity, notes } = request.body
    return runStockAction(request, 'remove', removeStock, requireStockItem(request, request.prepared), { quantity, notes })
  },
})

export const moveScanned: Operation = operation({
  name: 'move',
  access: transferStock.access,
  body: {
    barcode: barcodeInput,
    location: { ...locationInput('Where the stock item goes'), required: false },
    location_barcode: { ...barcodeInput, required: false, help: 'The new location of the stock item, by its barcode.' },
    quantity: input.optional(
      input.quantity({
        help: 'The quantity to move, in units of the part; empty for all. A smaller quantity becomes a new item.',
      }),
    ),
    notes: historyNotes(),
  },
  async prepare(request, code) {
    const locationCode = readCode(request.raw.location_barcode, request)
    return { item: await scan(request, code), location: locationCode === '' ? undefined : await scan(request, locationCode) }
  },
  async run(request) {
    const { prepared } = request
    const { location, location_barcode, quantity, notes } = request.body
    if (location === undefined && location_barcode === undefined) throw invalid({ location: [valueErrors.required] })
    if (location !== undefined && location_barcode !== undefined)
      throw invalid({ location_barcode: [barcodeErrors.location_named_twice] })
    const item = requireStockItem(request, prepared.item)
    const target = location ?? requireLocation(request, prepared.location as Scan)
    return runStockAction(request, 'move', transferStock, item, { quantity, notes, location: target })
  },
})

/** Returns the key of the location that a scan found. @throws Problem 400 with `error` */
function requireLocation(request: ScanRequest, locationScan: Scan): number {
  if (locationScan.matched?.kind === 'stocklocation') return locationScan.matched.pk
  throw createScanProblem(request, barcodeErrors.barcode_without_location, toScanFields(locationScan))
}
