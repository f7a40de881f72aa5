import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { boolean, orNull } from '../../kit/definition/input.ts'
import { roles } from '../../kit/request/caller.ts'
import { QUANTITY_TOO_LARGE } from '../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import { isTooLarge } from '../../kit/values/decimal.ts'
import { readRates } from '../currency/rates.ts'
import { locationInput } from './location/location-input.ts'
import { historyNotes, MAX_ITEMS } from './movement/adjustment.ts'
import { checkItems, itemList } from './movement/item-list.ts'
import { type LockedItem, lockRequestedItems, stockItemWrites } from './movement/locked-items.ts'
import { mergeItems, mergeProblem } from './movement/merge-stock.ts'
import { historyWrites } from './movement/stock-history.ts'
import { stockErrors } from './stock-errors.ts'
import { checkLocation } from './stock-item-rules.ts'

export const mergeStock = action({
  method: 'POST',
  path: '/api/stock/merge/',
  summary: 'Merge stock items',
  description:
    'Adds the quantities of the other items to the first item, moves it to the location and deletes the others with their history. The purchase price becomes the average of the known prices, weighted by quantity, in the currency of the first known price; prices without an exchange rate are ignored.',
  errors: {
    invalid:
      'Fewer than two items, or a duplicate; items of different parts, supplier parts or statuses; an item that has a serial number, contains others, is installed, sold or in production; or a location that does not exist or is structural.',
  },
  example: { body: { items: [{ item: 68 }, { item: 112 }], location: 9, notes: 'Left over from the kit' } },
  access: roles('stock'),
  body: {
    items: itemList(`The stock items, at least two and at most ${MAX_ITEMS}; the first one remains.`),
    location: locationInput('The location of the merged item'),
    notes: historyNotes(),
    allow_mismatched_suppliers: boolean({
      default: false,
      help: 'Whether the items may have different supplier parts; the supplier part of the first item remains.',
    }),
    allow_mismatched_status: boolean({
      default: false,
      help: 'Whether the items may have different statuses; the status of the first item remains.',
    }),
  },
  response: Type.Object({
    items: Type.Array(Type.Object({ item: orNull(Type.Integer()) })),
    location: Type.Integer(),
    notes: Type.Optional(Type.String()),
    allow_mismatched_suppliers: Type.Boolean(),
    allow_mismatched_status: Type.Boolean(),
  }),
  async run(context) {
    const { tx, body } = context
    const items = await lockRequestedItems(
      tx,
      body.items.map(({ item }) => item),
      'item',
    )
    checkItems(items, mergeProblem)
    checkCompatible(items, body)
    const problem = await checkLocation(tx, body.location)
    if (problem) throw invalid({ location: [problem] })
    const [survivor, ...others] = items as [LockedItem, ...LockedItem[]]
    const entry = mergeItems(survivor, others, body.location, await readRates(tx), body.notes)
    if (isTooLarge(survivor.quantity)) throw invalid({ items: [QUANTITY_TOO_LARGE] })
    tx.atCommit(...stockItemWrites(items), ...historyWrites(context, [entry]))
    // the others no longer exist
    if (!context.config.wire.changedResponses) return body
    return { ...body, items: body.items.map(({ item }, index) => ({ item: index === 0 ? item : null })) }
  },
})

function checkCompatible(
  items: readonly LockedItem[],
  allowed: { allow_mismatched_suppliers: boolean; allow_mismatched_status: boolean },
): void {
  const [first, ...others] = items
  if (first === undefined || others.length === 0) throw invalidObject(stockErrors.several_stock_items_required)
  if (new Set(items).size < items.length) throw invalidObject(stockErrors.duplicate_stock_items)
  if (others.some(({ part }) => part !== first.part)) throw invalidObject(stockErrors.stock_items_of_several_parts)
  if (!allowed.allow_mismatched_suppliers && others.some((item) => item.supplier_part !== first.supplier_part))
    throw invalidObject(stockErrors.stock_items_of_several_supplier_parts)
  if (
    !allowed.allow_mismatched_status &&
    others.some((item) => item.status !== first.status || item.status_custom_key !== first.status_custom_key)
  )
    throw invalidObject(stockErrors.stock_items_of_several_statuses)
}
