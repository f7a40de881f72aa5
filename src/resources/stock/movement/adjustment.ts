import { type TSchema, Type } from 'typebox'
import { type Action, action, type Request } from '../../../kit/definition/action.ts'
import { choice, list, object, optional, quantity, reference, type Shape, text } from '../../../kit/definition/input.ts'
import { roles } from '../../../kit/request/caller.ts'
import { invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { type Decimal, quantize } from '../../../kit/values/decimal.ts'
import { stockItem } from '../stock-item.table.ts'
import { STOCK_STATUS_CHOICES } from '../stock-status.ts'
import { type LockedItem, lockNamedItems, type StockContext, storeStockItems } from './locked-items.ts'
import { type HistoryEntry, MAX_HISTORY_NOTES, recordHistory } from './stock-history.ts'

/** The most stock items that one request can name. */
export const MAX_ITEMS = 10_000

export const historyNotes = () => optional(text({ max: MAX_HISTORY_NOTES, blank: true }))

/** Some quantity of one item, in units of its part; for a transfer with what changes on the way. */
export type Adjustment = {
  pk: number
  quantity: Decimal
  batch?: string
  status?: number | null
  packaging?: string
}

const adjustment = object({
  pk: reference(() => stockItem, { required: true, options: { model: 'stockitem', api_url: '/api/stock/' } }),
  quantity: quantity({ required: true }),
  batch: optional(text({ max: 100, blank: true })),
  status: { ...choice<number>(() => STOCK_STATUS_CHOICES, { nullable: true }), emptyIsNull: true },
  packaging: optional(text({ max: 50, blank: true })),
})

/** The body of an action that counts or moves several items. */
export const adjustmentBody = {
  items: list(adjustment, { required: true, max: MAX_ITEMS }),
  notes: historyNotes(),
} satisfies Shape

const answered = {
  items: Type.Array(
    Type.Object({
      pk: Type.Union([Type.Integer(), Type.Null()]),
      quantity: Type.String(),
      batch: Type.Optional(Type.String()),
      status: Type.Union([Type.Integer(), Type.Null()]),
      packaging: Type.Optional(Type.String()),
    }),
  ),
  notes: Type.Optional(Type.String()),
}

export const adjustmentAnswer = (more: Record<string, TSchema> = {}): TSchema => Type.Object({ ...answered, ...more })

export const requireItems = (items: readonly unknown[]): void => {
  if (items.length === 0) throw invalidObject('A list of stock items must be provided')
}

/**
 * The body as it was read, back to the client, but for the quantities, which are those that really came, went or were moved;
 * an item that is gone has no key any more.
 */
export const echo = <Body extends { items: Adjustment[] }>(
  body: Body,
  items: readonly LockedItem[],
  quantities: readonly Decimal[],
) => ({
  ...body,
  items: body.items.map((entry, at) => ({
    ...entry,
    pk: items[at]?.fate === 'deleted' ? null : entry.pk,
    quantity: quantize(quantities[at] as Decimal, 5),
    status: entry.status ?? null,
  })),
})

/** Changes one item and says what to write into its history; nothing when it leaves the item alone. */
export type Adjust = (
  item: LockedItem,
  quantity: Decimal,
  context: StockContext & Services,
) => Omit<HistoryEntry, 'item' | 'notes'> | undefined

/** The quantities to adjust the items by, worked out from those of the body, before any item is changed. */
export type Quantities = (context: Services, items: readonly LockedItem[], entries: readonly Adjustment[]) => Decimal[]

const asSent: Quantities = (_context, _items, entries) => entries.map(({ quantity }) => quantity)

/**
 * An action that changes how much there is of several stock items. Items are changed in the order of the body, so that one
 * that is named twice is changed twice; batch, status and packaging are accepted and not used. Items with a serial number
 * are left alone. Answers with the body. 400 `A list of stock items must be provided` for an empty list.
 */
export const adjustmentAction = (path: string, summary: string, adjust: Adjust, quantitiesOf: Quantities = asSent): Action =>
  action({
    method: 'POST',
    path,
    summary,
    access: roles('stock'),
    body: adjustmentBody,
    answer: adjustmentAnswer(),
    async run(context) {
      const { tx } = context
      const body = context.body as { items: Adjustment[]; notes?: string }
      requireItems(body.items)
      const items = await lockNamedItems(
        tx,
        body.items.map(({ pk }) => pk),
        'pk',
      )
      const quantities = quantitiesOf(context, items, body.items)
      const entries = items.flatMap((item, at): HistoryEntry[] => {
        if (item.serial || item.fate === 'deleted') return []
        const event = adjust(item, quantities[at] as Decimal, context as Request<Shape> & { tx: StockContext['tx'] })
        return event ? [{ ...event, item: item.pk, notes: body.notes }] : []
      })
      await storeStockItems(tx, items)
      const gone = new Set(items.filter(({ fate }) => fate === 'deleted').map(({ pk }) => pk))
      await recordHistory(
        context,
        entries.filter(({ item }) => !gone.has(item)),
      )
      return echo(body, items, quantities)
    },
  })
