import { type TSchema, Type } from 'typebox'
import { type Action, action, type Request } from '../../../kit/definition/action.ts'
import { choice, list, object, optional, orNull, quantity, reference, type Shape, text } from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { type Errors, QUANTITY_TOO_LARGE } from '../../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { type Decimal, isTooLarge, isWhole, quantize, subtract } from '../../../kit/values/decimal.ts'
import { NO_RECORDER, recordAdjustment, undoable, undoableResponse } from '../adjustment/record-adjustment.ts'
import type { UndoableAction } from '../adjustment/undo-adjustments.ts'
import { stockLocation } from '../location/stock-location.table.ts'
import { readItemStatuses, withCustomStates } from '../read-status.ts'
import { type ReleasedEntry, releaseForCount } from '../released/release-for-count.ts'
import { type ReleaseAllocations, releaseAllocations } from '../released/release-input.ts'
import { stockErrors } from '../stock-errors.ts'
import { stockItem } from '../stock-item.table.ts'
import { checkLocation } from '../stock-item-rules.ts'
import { STOCK_STATUS_CHOICES } from '../stock-status.ts'
import { type Expectations, expectedFields, NOT_AS_EXPECTED, requireExpected } from './expectations.ts'
import { allocationProblem, type LockedItem, lockRequestedItems, type StockContext, stockItemWrites } from './locked-items.ts'
import { findImpossibleEntries, type SerializedRule } from './serialized-items.ts'
import { type HistoryEntry, historyWrites, MAX_HISTORY_NOTES } from './stock-history.ts'

/** Maximum number of stock items in one request. */
export const MAX_ITEMS = 10_000

/** Notes of the caller on the action. */
export const historyNotes = (label = 'Notes') =>
  optional(text({ max: MAX_HISTORY_NOTES, blank: true, label, help: 'A note for the history.' }))

/** A quantity of one item, in units of its part; a transfer can include changes to the moved stock. */
export type Adjustment = {
  pk: number
  quantity: Decimal
  batch?: string
  status?: number | null
  packaging?: string
  /** Only used by counts. */
  release_allocations?: ReleaseAllocations
} & Expectations

const adjustmentFields = {
  pk: reference(() => stockItem, {
    required: true,
    options: { model: 'stockitem', api_url: '/api/stock/' },
    label: 'stock_item',
    help: 'The stock item.',
  }),
  quantity: quantity({ required: true, help: 'The quantity, in units of its part; for a count, the counted quantity.' }),
  batch: optional(
    text({
      max: 100,
      blank: true,
      label: 'Batch Code',
      help: 'The batch code of the transferred stock; empty to leave it unchanged.',
    }),
  ),
  status: {
    ...withCustomStates(
      choice<number>(() => STOCK_STATUS_CHOICES, {
        nullable: true,
        help: 'The status, or a custom state, of the transferred stock; empty to leave it unchanged.',
      }),
    ),
    emptyIsNull: true,
  },
  packaging: optional(
    text({ max: 50, blank: true, help: 'The packaging of the transferred stock; empty to leave it unchanged.' }),
  ),
  ...expectedFields,
} satisfies Shape

/** Returns the schema for the body of an action that counts or moves several items. `extraFields` are further fields of its entries. */
export const adjustmentBody = (extraFields: Shape = {}) =>
  ({
    items: list(object({ ...adjustmentFields, ...extraFields }), {
      required: true,
      max: MAX_ITEMS,
      help: `The stock items, at least one and at most ${MAX_ITEMS}; an item that is named twice is changed twice.`,
    }),
    notes: historyNotes(),
    undoable,
  }) satisfies Shape

const releasedSchema = Type.Object(
  {
    pk: Type.Integer({ description: 'Its key in `/api/stock/released/`.' }),
    allocation: Type.String({ description: 'The allocation: `sales-` or `build-` followed by its key.' }),
    sales_order: orNull(Type.Integer()),
    build: orNull(Type.Integer()),
    reference: Type.String({ description: 'The reference of the order whose allocation was released.' }),
    quantity: Type.String({ description: 'The released quantity, in units of the part.' }),
    remaining: Type.String({ description: 'The quantity that remains allocated.' }),
  },
  { description: 'An allocation that a count released in full or in part, because it found less than was allocated.' },
)

const responseFields = {
  items: Type.Array(
    Type.Object({
      pk: Type.Union([Type.Integer(), Type.Null()]),
      quantity: Type.String(),
      batch: Type.Optional(Type.String()),
      status: Type.Union([Type.Integer(), Type.Null()]),
      packaging: Type.Optional(Type.String()),
      merge: Type.Optional(Type.Boolean({ description: 'Always false: an item is never merged into another one by this.' })),
      released: Type.Optional(Type.Array(releasedSchema)),
    }),
  ),
  notes: Type.Optional(Type.String()),
  adjustment: undoableResponse,
}

export const adjustmentResponse = (extraFields: Record<string, TSchema> = {}): TSchema =>
  Type.Object({ ...responseFields, ...extraFields })

/**
 * Rejects entries that would leave more of an item than can be stored, a fraction of a trackable part, or less than is allocated, with an
 * error at every entry that lists the item.
 * @param before quantities of the items before the action: a part may have become trackable since a fraction was stored, which may stay
 */
function rejectInvalidQuantities(items: readonly LockedItem[], before: readonly Decimal[]): void {
  const errors = items.map((item, index): Errors => {
    const isFraction = item.trackable && !isWhole(item.quantity) && !isWhole(subtract(item.quantity, before[index] as Decimal))
    const problem = isTooLarge(item.quantity)
      ? QUANTITY_TOO_LARGE
      : isFraction
        ? stockErrors.whole_quantity_required
        : allocationProblem(item, '0')
    return problem === undefined ? {} : { quantity: [problem] }
  })
  if (errors.some((entry) => 'quantity' in entry)) throw invalid({ items: errors })
}

export const requireItems = (items: readonly unknown[]): void => {
  if (items.length === 0) throw invalidObject(stockErrors.stock_items_required)
}

/** Returns the parsed body to the client, with the quantities that were actually added, removed or moved; a deleted item has a null key. */
export const echo = <Body extends { items: Adjustment[] }>(
  { config }: Services,
  body: Body,
  items: readonly LockedItem[],
  quantities: readonly Decimal[],
) => ({
  ...body,
  items: body.items.map(({ expected_quantity: _, expected_location: __, release_allocations: ___, ...entry }, index) => ({
    ...(config.wire.extendedFields ? { merge: false } : {}),
    ...entry,
    pk: items[index]?.pendingWrite === 'deleted' ? null : entry.pk,
    quantity: quantize(quantities[index] as Decimal, 5),
    status: entry.status ?? null,
  })),
})

/** Adds the released allocations of an entry's item to it, if there are any. */
const addReleased = <Entry>(entry: Entry, released: readonly ReleasedEntry[] | undefined) =>
  released ? { ...entry, released } : entry

/** Changes one item and returns its history entry, or undefined when the item is unchanged. `location` is where a count found it. */
export type Adjust = (
  item: LockedItem,
  quantity: Decimal,
  context: StockContext & Services,
  location?: number,
) => Omit<HistoryEntry, 'item' | 'notes'> | undefined

/** Computes the quantities to adjust the items by from those of the body, before any item is changed. */
export type ComputeQuantities = (context: Services, items: readonly LockedItem[], entries: readonly Adjustment[]) => Decimal[]

const readQuantities: ComputeQuantities = (_context, _items, entries) => entries.map(({ quantity }) => quantity)

type AdjustmentAction = Pick<Action, 'path' | 'summary' | 'description' | 'errors' | 'example'> & {
  name: UndoableAction
  adjust: Adjust
  serialized: SerializedRule
  /** Whether it may leave less of an item than is allocated, releasing the allocations that its entries state. */
  canReleaseAllocations?: boolean
  /** Whether the body can name the location of the items. */
  canMove?: boolean
  computeQuantities?: ComputeQuantities
}

/** The location of a count. */
const countedLocation = optional(
  reference(() => stockLocation, {
    nullable: true,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    help: 'The location where the items were counted: they move to it. It must not be structural. Empty to leave them where they are.',
  }),
)

type Body = { items: Adjustment[]; notes?: string; undoable?: boolean; location?: number | null }

/** Creates an action that changes the quantities of several stock items. */
export const adjustmentAction = ({
  name,
  adjust,
  serialized,
  computeQuantities = readQuantities,
  canReleaseAllocations = false,
  canMove = false,
  description,
  errors: errorDocs,
  ...endpoint
}: AdjustmentAction): Action =>
  action({
    ...endpoint,
    method: 'POST',
    errors: { ...errorDocs, expectation_failed: NOT_AS_EXPECTED },
    description: `${description} Changes all items or none, in the given order, each with an entry in its history. \`batch\`, \`status\` and \`packaging\` are ignored. An item whose quantity becomes zero is deleted if its \`delete_on_deplete\` is set; the response then has \`pk: null\` for it.`,
    access: roles('stock'),
    body: {
      ...adjustmentBody(canReleaseAllocations ? { release_allocations: releaseAllocations } : {}),
      ...(canMove ? { location: countedLocation } : {}),
    },
    response: adjustmentResponse(canMove ? { location: Type.Optional(orNull(Type.Integer())) } : {}),
    async run(context) {
      const { tx } = context
      const { undoable, ...sentBody } = context.body as Body
      const { extendedFields, ignoresNewerFields } = context.config.wire
      const body = canMove && extendedFields ? { location: null, ...sentBody } : sentBody
      requireItems(body.items)
      const location = ignoresNewerFields && !extendedFields ? undefined : (body.location ?? undefined)
      const problem = location === undefined ? undefined : await checkLocation(tx, location)
      if (problem) throw invalid({ location: [problem] })
      // a status is ignored, but an unknown one is rejected, as in transfers
      await readItemStatuses(tx, body.items)
      const items = await lockRequestedItems(
        tx,
        body.items.map(({ pk }) => pk),
        'pk',
      )
      requireExpected(items, body.items)
      const isImpossible = findImpossibleEntries(context, items, body.items, serialized)
      const quantities = computeQuantities(context, items, body.items)
      const before = items.map(({ quantity }) => quantity)
      const recorder = undoable ? recordAdjustment(context, name, items) : NO_RECORDER
      const entries = items.flatMap((item, index): HistoryEntry[] => {
        if (isImpossible[index] || item.pendingWrite === 'deleted') return []
        const event = adjust(item, quantities[index] as Decimal, context as Request<Shape> & { tx: StockContext['tx'] }, location)
        return event ? [{ ...event, item: item.pk, notes: body.notes }] : []
      })
      const releases = canReleaseAllocations
        ? await releaseForCount(
            context,
            items,
            body.items.map((entry) => entry.release_allocations),
          )
        : undefined
      rejectInvalidQuantities(items, before)
      const history = historyWrites(context, [...entries, ...(releases?.entries ?? [])])
      const { id, writes } = recorder.after({ released: releases?.released })
      // the history of an item that is deleted is written before that, and stays with its part
      tx.atCommit(...recorder.before, ...history, ...stockItemWrites(items), ...writes)
      const response = echo(context, body, items, quantities)
      return {
        ...response,
        items: response.items.map((entry, index) =>
          addReleased(
            entry,
            items.lastIndexOf(items[index] as LockedItem) === index
              ? releases?.released.get(items[index] as LockedItem)
              : undefined,
          ),
        ),
        ...(undoable ? { adjustment: id } : {}),
      }
    },
  })
