import { type TSchema, Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { compare, type Decimal, isWhole } from '../../kit/values/decimal.ts'
import { locationInput } from './location/location-input.ts'
import { type Adjustment, adjustmentBody, adjustmentResponse, echo, requireItems } from './movement/adjustment.ts'
import { NOT_AS_EXPECTED, requireExpected } from './movement/expectations.ts'
import { lockWithRequestedItems } from './movement/locked-items.ts'
import { requireLocation } from './movement/one-item.ts'
import { computeTakenQuantities, EXCESS_QUANTITY_HELP } from './movement/source-items.ts'
import { readItemStatuses } from './read-status.ts'
import { isAway, returnItems } from './return-items.ts'
import { stockErrors } from './stock-errors.ts'

const merge = (help: string) => input.boolean({ default: false, label: 'Merge Items', help })

const { undoable: _, ...adjustment } = adjustmentBody({
  merge: merge('Whether this item is merged into the item that it was split from.'),
})

type Body = {
  items: (Adjustment & { merge: boolean })[]
  notes?: string
  location: number
  merge: boolean
}

export const returnStockItems = action({
  method: 'POST',
  path: '/api/stock/return/',
  summary: 'Return stock items to stock',
  description: `Returns items from customers, or from the items that contain them, to a location; all items or none. A quantity below that of the item is split off as a new item. \`batch\`, \`status\` and \`packaging\` apply to the returned stock. With \`merge\`, an item that is returned as a whole is merged into the item that it was split from, if that is at the location with the same part, supplier part and status. The history records it. ${EXCESS_QUANTITY_HELP[0]?.toUpperCase()}${EXCESS_QUANTITY_HELP.slice(1)}`,
  errors: {
    invalid:
      'No item is named; an item does not exist, is neither with a customer nor installed, has less than the quantity, or a serial number and another quantity than 1; or the location does not exist or is structural.',
    expectation_failed: NOT_AS_EXPECTED,
  },
  example: { body: { items: [], location: 17 }, status: 400 },
  access: roles('stock'),
  body: {
    ...adjustment,
    location: locationInput('The destination'),
    merge: merge('Whether returned items are merged into the items that they were split from.'),
  },
  get response(): TSchema {
    return adjustmentResponse({ location: Type.Integer(), merge: Type.Boolean() })
  },
  async run(context) {
    const { tx } = context
    const body = context.body as unknown as Body
    requireItems(body.items)
    const parents = await tx.query<{ parent: number }>(
      'select distinct parent from stock_item where pk = any($1::integer[]) and parent is not null',
      [body.items.map(({ pk }) => pk)],
    )
    const { items, locked } = await lockWithRequestedItems(
      tx,
      body.items.map(({ pk }) => pk),
      'pk',
      parents.map(({ parent }) => parent),
    )
    requireExpected(items, body.items)
    await requireLocation(tx, body.location)
    const errors = items.map((item, index): Errors => {
      const { quantity } = body.items[index] as Adjustment
      if (!isAway(item) || items.indexOf(item) !== index) return { pk: [stockErrors.stock_item_not_away] }
      if (compare(quantity, '0') <= 0) return { quantity: [stockErrors.quantity_must_be_positive] }
      if (item.serial && compare(quantity, '1') !== 0) return { quantity: [stockErrors.serialized_item_is_one] }
      return item.trackable && !isWhole(quantity) ? { quantity: [stockErrors.whole_quantity_required] } : {}
    })
    if (errors.some((entry) => Object.keys(entry).length > 0)) throw invalid({ items: errors })
    const quantities = computeTakenQuantities(context, items, body.items)
    const statuses = await readItemStatuses(tx, body.items)
    const entries = items.map((item, index) => {
      const { batch, packaging, status, merge: merges } = body.items[index] as Body['items'][number]
      return {
        item,
        quantity: quantities[index] as Decimal,
        changes: { ...(batch && { batch }), ...(packaging && { packaging }), ...statuses.get(status ?? 0) },
        parent: (merges || body.merge) && item.parent !== null ? locked.get(item.parent) : undefined,
      }
    })
    await returnItems(context, entries, body)
    return echo(context, body, items, quantities)
  },
})
