import type { Action } from '../../../kit/definition/action.ts'
import { Reply } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { invalid } from '../../../kit/request/problem.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import type { Found } from '../../../plugin-api/index.ts'
import { type ItemState, readStates } from '../../stock/adjustment/item-state.ts'
import type { Adjusting } from '../../stock/adjustment/undo-adjustments.ts'
import { countStock } from '../../stock/count.action.ts'
import { locationInput } from '../../stock/location/location-input.ts'
import { historyNotes } from '../../stock/movement/adjustment.ts'
import { lockStockItems } from '../../stock/movement/locked-items.ts'
import { type ReleaseAllocations, releaseAllocations } from '../../stock/released/release-input.ts'
import { removeStock } from '../../stock/remove.action.ts'
import { transferStock } from '../../stock/transfer.action.ts'
import { refusal, scanned } from '../answer.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { barcodeInput } from '../barcode-input.ts'
import { rememberAdjustment } from '../history/undo/adjustment.ts'
import { type Operation, operation, type Working } from '../operation.ts'
import { NO_STOCK_ITEM, scan, scanStockItem } from '../scan.ts'

const quantity = (help: string) => input.quantity({ required: true, help })

/** What the action does to stock, to the stock item of a code: through the same function, with the same locks and rights. */
async function act(
  request: Working<input.Shape>,
  name: Adjusting,
  action: Action,
  item: number,
  body: { quantity?: Decimal; notes?: string; location?: number; release_allocations?: ReleaseAllocations },
) {
  const { quantity, release_allocations, ...rest } = body
  const objects: Found[] = [{ kind: 'stockitem', pk: item }]
  if (body.location !== undefined) objects.push({ kind: 'stocklocation', pk: body.location })
  return request.carryOut(async (tx) => {
    const before = (await lockStockItems(tx, [item])).get(item)
    if (!before) throw refusal(request, NO_STOCK_ITEM)
    // the action would leave it alone and not say so
    const isLeftAlone = before.serial && quantity !== undefined && (name === 'remove' || compare(quantity, '1') !== 0)
    if (name !== 'move' && isLeftAlone) throw invalid({ quantity: [barcodeErrors.serialized_item_moves_whole] })
    const state = (await readStates(tx, [item])).get(item) as ItemState
    const items = [{ pk: item, quantity: quantity ?? before.quantity, release_allocations }]
    const answer = await action.run({
      ...request,
      tx,
      asked: undefined,
      ifMatch: undefined,
      body: { items, ...rest } as never,
    })
    // what the action left for the commit is read back here
    await tx.runLast()
    const released = (answer as { items: { released?: { pk: number }[] }[] }).items[0]?.released
    const undo = await rememberAdjustment(tx, name, before, state)
    return {
      reply: new Reply(201, answer),
      objects,
      undo: undo && { ...undo, released: released?.map(({ pk }) => pk) },
    }
  })
}

export const countScanned: Operation = operation({
  name: 'count',
  access: countStock.access,
  body: {
    barcode: barcodeInput,
    quantity: quantity('How much of the stock item there is, in units of its part.'),
    release_allocations: releaseAllocations,
    notes: historyNotes(),
  },
  async work(request) {
    const { barcode, ...counted } = request.body
    return act(request, 'count', countStock, (await scanStockItem(request, barcode)).pk, counted)
  },
})

export const removeScanned: Operation = operation({
  name: 'remove',
  access: removeStock.access,
  body: {
    barcode: barcodeInput,
    quantity: quantity('How much of the stock item goes, in units of its part.'),
    notes: historyNotes(),
  },
  async work(request) {
    const { barcode, quantity, notes } = request.body
    return act(request, 'remove', removeStock, (await scanStockItem(request, barcode)).pk, { quantity, notes })
  },
})

export const moveScanned: Operation = operation({
  name: 'move',
  access: transferStock.access,
  body: {
    barcode: barcodeInput,
    location: { ...locationInput('Where the stock item goes'), required: false },
    location_barcode: { ...barcodeInput, required: false, help: 'Where the stock item goes, by the code of the location.' },
    quantity: input.optional(
      input.quantity({
        help: 'How much of it goes, in units of its part; without it all. Less than all becomes an item of its own.',
      }),
    ),
    notes: historyNotes(),
  },
  async work(request) {
    const { barcode, location, location_barcode, quantity, notes } = request.body
    if (location === undefined && location_barcode === undefined) throw invalid({ location: [valueErrors.required] })
    if (location !== undefined && location_barcode !== undefined)
      throw invalid({ location_barcode: [barcodeErrors.location_named_twice] })
    const { pk: item } = await scanStockItem(request, barcode)
    const to = location ?? (await scanLocation(request, location_barcode as string))
    return act(request, 'move', transferStock, item, { quantity, notes, location: to })
  },
})

/** The location of a code. @throws Problem 400 with `error` */
async function scanLocation(request: Working<input.Shape>, code: string): Promise<number> {
  const found = await scan(request, code)
  if (found.matched?.kind === 'stocklocation') return found.matched.pk
  throw refusal(request, barcodeErrors.barcode_without_location, scanned(found))
}
