import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { add, compare, type Decimal, isZero, toJsonNumber } from '../../kit/values/decimal.ts'
import type { PendingWrite } from '../../plugin-host/call-in-write.ts'
import { setting } from '../../settings/live.ts'
import { NO_RECORDER, recordAdjustment } from './adjustment/record-adjustment.ts'
import { locationInput } from './location/location-input.ts'
import { type Adjustment, adjustmentBody, adjustmentResponse, echo, requireItems } from './movement/adjustment.ts'
import { NOT_AS_EXPECTED, requireExpected } from './movement/expectations.ts'
import { allocationProblem, type LockedItem, lockRequestedItems, stockItemWrites } from './movement/locked-items.ts'
import { findStockErrors } from './movement/plugin-validation.ts'
import { findImpossibleEntries, type SerializedRule } from './movement/serialized-items.ts'
import { computeTakenQuantities, EXCESS_QUANTITY_HELP } from './movement/source-items.ts'
import { copyItem, type Split, splitOff, storeSplits } from './movement/split-stock.ts'
import { type HistoryEntry, historyWrites } from './movement/stock-history.ts'
import { type ItemStatus, readItemStatuses, statusDeltas } from './read-status.ts'
import { stockErrors } from './stock-errors.ts'
import { locationProblem, locationStatement, parseReferences, referencesStatement } from './stock-item-rules.ts'

export const transferStock = action({
  method: 'POST',
  path: '/api/stock/transfer/',
  summary: 'Transfer stock to a location',
  description: `Moves items, all or none, in the given order. A quantity below that of the item is split off as a new item, unless the item has a serial number: then that is rejected. \`batch\`, \`status\` and \`packaging\` apply to the moved stock. A quantity of 0 does nothing. The history and the response have the moved quantity: ${EXCESS_QUANTITY_HELP}`,
  errors: {
    invalid:
      'No item is named; an item does not exist, has less than the quantity to move, a serial number and more than the quantity to move, or too little unallocated stock; an item is not in stock while STOCK_ALLOW_OUT_OF_STOCK_TRANSFER is off; or the location does not exist or is structural.',
    expectation_failed: NOT_AS_EXPECTED,
  },
  example: { body: { items: [{ pk: 26, quantity: 100 }], location: 16, notes: 'Screws for the next batch' } },
  access: roles('stock'),
  body: {
    ...adjustmentBody(),
    location: locationInput('The destination'),
  },
  response: adjustmentResponse({ location: Type.Integer() }),
  async run(context) {
    const { tx } = context
    const { undoable, ...body } = context.body as unknown as Body
    const { location, notes } = body
    requireItems(body.items)
    const items = await lockRequestedItems(
      tx,
      body.items.map(({ pk }) => pk),
      'pk',
    )
    requireExpected(items, body.items)
    // the data for the rules of new items is read together with the location
    const isSplit = body.items.some(({ quantity }, index) => compare(quantity, (items[index] as LockedItem).quantity) < 0)
    const [locationRows = [], referenceRows] = await tx.pipeline(
      locationStatement(location),
      ...(isSplit ? [referencesStatement(items.map((item) => ({ ...item, location })))] : []),
    )
    const problem = locationProblem(locationRows, location)
    if (problem) throw invalid({ location: [problem] })
    const isImpossible = findImpossibleEntries(context, items, body.items, WHOLE_OR_NOTHING)
    const quantities = computeTakenQuantities(context, items, body.items)
    const canMove = (item: LockedItem) => (context.config.wire.movesUncountedStock ? isPresent(item) : item.in_stock)
    if (!setting(context, 'STOCK_ALLOW_OUT_OF_STOCK_TRANSFER') && !items.every(canMove))
      throw invalidObject(stockErrors.stock_item_not_in_stock)

    rejectAllocated(items, quantities)
    await validateBatchCodes(context, items, body.items)

    const statuses = await readItemStatuses(tx, body.items)
    const recorder = undoable ? recordAdjustment(context, 'move', items) : NO_RECORDER
    const splits: Split[] = []
    const moves: HistoryEntry[] = []
    for (const [index, item] of items.entries()) {
      const { quantity: requestedQuantity, batch, status, packaging } = body.items[index] as Adjustment
      const quantity = quantities[index] as Decimal
      const changes = { ...(batch ? { batch } : {}), ...statuses.get(status ?? 0), ...(packaging ? { packaging } : {}) }
      if (isZero(requestedQuantity)) continue
      if (isImpossible[index]) quantities[index] = '0'
      else if (compare(quantity, item.quantity) === 0) moves.push(...moveEntireItem(item, location, changes, notes))
      // an item that was moved as a whole earlier has nothing left
      else if (!isZero(quantity)) splits.push(splitOff(item, quantity, { ...changes, location }, notes))
    }
    const writes = [...recorder.before, ...stockItemWrites(items), ...historyWrites(context, moves)]
    if (splits.length === 0) tx.atCommit(...writes)
    else await tx.pipeline(...writes)
    const newKeys = await storeSplits(context, splits, { references: referenceRows && parseReferences(referenceRows) })
    const adjustment = recorder.after({
      splits: new Map(splits.map(({ source }, index) => [source.pk, newKeys[index] as number])),
    })
    tx.atCommit(...adjustment.writes)
    return { ...echo(context, body, items, quantities), ...(undoable ? { adjustment: adjustment.id } : {}) }
  },
})

/** Whether an item is there to be moved: quarantined or damaged stock is, though it may not count as in stock. */
const isPresent = ({ in_stock, quantity, customer, sales_order, belongs_to, consumed_by, is_building }: LockedItem): boolean =>
  in_stock ||
  (compare(quantity, '0') > 0 && !is_building && [customer, sales_order, belongs_to, consumed_by].every((key) => key === null))

/** A serialized item is not split. More than there is of it is another error. */
const WHOLE_OR_NOTHING: SerializedRule = {
  accepts: (quantity, item) => isZero(quantity) || compare(quantity, item.quantity) >= 0,
  error: stockErrors.serialized_item_is_one,
}

type Body = { items: Adjustment[]; notes?: string; location: number; undoable?: boolean }

/** Lets plugins validate the batch codes that items receive. */
async function validateBatchCodes(
  context: PendingWrite,
  items: readonly LockedItem[],
  entries: readonly Adjustment[],
): Promise<void> {
  const errors: Errors[] = []
  for (const [index, { quantity, batch }] of entries.entries()) {
    const item = items[index] as LockedItem
    const isNew = batch && batch !== item.batch
    errors.push(isNew ? await findStockErrors(context, [{ ...copyItem(item, quantity), batch }], { batch: 'batch' }) : {})
  }
  if (errors.some((entry) => Object.keys(entry).length)) throw invalid({ items: errors })
}

/** Rejects splitting off allocated stock; a whole item moves with its allocations. Several quantities of one item are added up. */
function rejectAllocated(items: readonly LockedItem[], quantities: readonly Decimal[]): void {
  const totals = new Map<LockedItem, Decimal>()
  const errors = items.map((item, index): Errors => {
    const sum = add(totals.get(item) ?? '0', quantities[index] as Decimal)
    totals.set(item, sum)
    const problem = item.serial || compare(sum, item.quantity) === 0 ? undefined : allocationProblem(item, sum)
    return problem === undefined ? {} : { quantity: [problem] }
  })
  if (errors.some((entry) => 'quantity' in entry)) throw invalid({ items: errors })
}

type Changes = Pick<Adjustment, 'batch' | 'packaging'> & Partial<ItemStatus>

/** Moves a whole item. An unchanged item is not written and gets no history entry. */
function moveEntireItem(item: LockedItem, location: number, changes: Changes, notes: string | undefined): HistoryEntry[] {
  const { pk, quantity, status, status_custom_key: state } = item
  const isMoved = item.location !== location
  const isChanged = isMoved || Object.entries(changes).some(([name, value]) => item[name as keyof Changes] !== value)
  if (!isChanged && !notes) return []
  Object.assign(item, { location, ...changes, pendingWrite: 'changed' })
  const { status: next = status, status_custom_key: nextState = state, ...rest } = changes
  const isSame = next === status && nextState === state
  const deltas = { ...(isSame ? {} : statusDeltas({ status: next, status_custom_key: nextState })), ...rest }
  return isMoved
    ? [{ item: pk, type: 'STOCK_MOVE', deltas: { location, ...deltas, quantity: toJsonNumber(quantity) }, notes }]
    : [{ item: pk, type: 'STOCK_UPDATE', deltas, notes }]
}
