import { Type } from 'typebox'
import { action, Json } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { readWriteFlags } from '../../kit/reading/select.ts'
import { roles } from '../../kit/request/caller.ts'
import { type Errors, QUANTITY_TOO_LARGE, unknownReference } from '../../kit/request/errors.ts'
import { invalid, invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import {
  add,
  compare,
  type Decimal,
  divide,
  isTooLarge,
  isWhole,
  multiply,
  quantize,
  subtract,
  toJsonNumber,
} from '../../kit/values/decimal.ts'
import { bomItem } from '../bom/bom-item.table.ts'
import { CURRENCIES } from '../currency/rates.ts'
import { stockLocation } from './location/stock-location.table.ts'
import { historyNotes, MAX_ITEMS } from './movement/adjustment.ts'
import { createStockItems, type NewStockItem } from './movement/create-stock-items.ts'
import { allocationProblem, type LockedItem, setQuantity, stockItemWrites } from './movement/locked-items.ts'
import { lockItem } from './movement/one-item.ts'
import { exceedsStockError } from './movement/source-items.ts'
import { historyWrites } from './movement/stock-history.ts'
import { readItemStatuses, statusDeltas, withCustomStates } from './read-status.ts'
import { stockErrors } from './stock-errors.ts'
import { stockItem } from './stock-item.resource.ts'
import { readReferences } from './stock-item-rules.ts'
import { STOCK_STATUS, STOCK_STATUS_CHOICES } from './stock-status.ts'

const location = (help: string) =>
  input.reference(() => stockLocation, {
    nullable: true,
    default: null as never,
    options: { model: 'stocklocation', api_url: '/api/stock/location/' },
    help,
  })

const line = {
  bom_item: input.reference(() => bomItem, {
    required: true,
    options: { model: 'bomitem', api_url: '/api/bom/' },
    label: 'BOM Item',
    help: 'The line of the BOM whose component is recovered.',
  }),
  quantity: input.quantity({
    round: false,
    required: true,
    help: 'The recovered quantity, above zero, in units of the component.',
  }),
  location: location('The location of the component; empty for the location of all.'),
  status: withCustomStates(
    input.choice<number>(() => STOCK_STATUS_CHOICES, {
      default: STOCK_STATUS.OK.key,
      help: 'The status, or a custom state, of the component.',
    }),
  ),
  purchase_price: input.optional(
    input.decimal({
      ...{ digits: 19, places: 6, min: 0, form: 'text', nullable: true },
      label: 'Purchase Price',
      help: 'The purchase price of one unit of the component; empty for a share of the price of what is disassembled.',
    }),
  ),
  purchase_price_currency: input.optional(
    input.choice<string>(() => CURRENCIES, { label: 'Currency', help: 'The currency of the purchase price.' }),
  ),
}

type Entry = {
  bom_item: number
  quantity: Decimal
  location: number | null
  status: number
  purchase_price?: Decimal | null
  purchase_price_currency?: string
}

/** See docs/interface/stock.md#rules-of-items. */
export const disassembleStock = action({
  method: 'POST',
  path: '/api/stock/{id}/disassemble/',
  summary: 'Disassemble a stock item into components',
  description:
    'Takes a quantity of an assembly apart, and creates a stock item for each recovered component; all entries of the request or none. They get the batch code, and a share of the purchase price, of the item. An item with a serial number keeps it, and gets the status Destroyed. The history of all items records it.',
  errors: {
    invalid:
      'Nothing is named; the item is not in stock, holds installed items, or has less unallocated stock than the quantity; or an entry is invalid, and `items` gives the error at its index.',
  },
  example: { params: { id: 53 }, body: { quantity: 1, items: [] }, status: 400 },
  access: roles('stock'),
  versioned: true,
  body: {
    items: input.list(input.object(line), {
      required: true,
      max: MAX_ITEMS,
      help: `The recovered components, at least one and at most ${MAX_ITEMS}.`,
    }),
    quantity: input.quantity({
      round: false,
      required: true,
      help: 'The quantity to disassemble, above zero, in units of the part.',
    }),
    location: location('The location of all components; empty for the location of the item.'),
    notes: historyNotes(),
  },
  response: Type.Array(responseSchema(stockItem)),
  async run(context) {
    const { tx, pk, body, caller } = context
    const { quantity, notes } = body
    const items = body.items as Entry[]
    if (items.length === 0) throw invalidObject(stockErrors.stock_items_required)
    const { item } = await lockItem(context, [], {
      parts: {
        text: 'select sub_part from bom_item where pk = any($2::integer[])',
        values: [items.map(({ bom_item }) => bom_item)],
      },
    })
    checkItem(item, quantity)
    const components = await readComponents(tx, item.part)
    const newItems = createComponents(item, { ...body, items }, components, await readItemStatuses(tx, items))
    const references = await readReferences(tx, newItems)

    const change = item.serial ? '0' : setQuantity(item, subtract(item.quantity, quantity))
    if (item.serial) Object.assign(item, { status: STOCK_STATUS.DESTROYED.key, status_custom_key: null, pendingWrite: 'changed' })
    const pks = await createStockItems(context, newItems, { references })
    const deltas = { removed: toJsonNumber(quantity), quantity: toJsonNumber(item.quantity) }
    await tx.pipeline(
      ...historyWrites(context, [
        { item: pk, type: 'DISASSEMBLED', change, deltas: { ...deltas, ...(item.serial && statusDeltas(item)) }, notes },
      ]),
      ...stockItemWrites([item]),
    )
    const flags = readWriteFlags(stockItem, {}, context.config.wire)
    const created = []
    for (const newPk of pks) created.push(await readDetail(stockItem, newPk, flags, { caller, services: context, executor: tx }))
    return new Json(`[${created.map((detail) => detail.body).join(',')}]`)
  },
})

/** @throws Problem 400 for an item that cannot be disassembled */
function checkItem(item: LockedItem, quantity: Decimal): void {
  if (!item.in_stock) throw invalidObject(stockErrors.stock_item_unavailable)
  if (item.holds_items) throw invalidObject(stockErrors.disassembled_item_holds_items)
  if (compare(quantity, '0') <= 0) throw invalid({ quantity: [stockErrors.quantity_must_be_positive] })
  if (compare(quantity, item.quantity) > 0) throw invalid({ quantity: [exceedsStockError(item.quantity)] })
  if (item.trackable && !isWhole(quantity)) throw invalid({ quantity: [stockErrors.whole_quantity_required] })
  const problem = allocationProblem(item, quantity)
  if (problem) throw invalid({ quantity: [problem] })
}

type Component = { part: number; trackable: boolean; virtual: boolean }

/** The components of a part's BOM, its own and the inherited lines, by line. */
async function readComponents(tx: Tx, part: number): Promise<Map<number, Component>> {
  const rows = await tx.query<Component & { pk: number }>(
    `select line.pk, component.pk as part, component.trackable, component.virtual
     from bom_lines($1) line join part component on component.pk = line.sub_part`,
    [part],
  )
  return new Map(rows.map(({ pk, ...component }) => [pk, component]))
}

/** @throws Problem 400 at the index of an invalid entry */
function createComponents(
  item: LockedItem,
  body: { items: Entry[]; quantity: Decimal; location: number | null; notes?: string },
  components: ReadonlyMap<number, Component>,
  statuses: Awaited<ReturnType<typeof readItemStatuses>>,
): NewStockItem[] {
  const errors = body.items.map(({ bom_item, quantity }): Errors => {
    const component = components.get(bom_item)
    if (!component) return { bom_item: [unknownReference(bom_item)] }
    if (component.virtual) return { bom_item: [stockErrors.virtual_component] }
    if (compare(quantity, '0') <= 0) return { quantity: [stockErrors.quantity_must_be_positive] }
    if (component.trackable && !isWhole(quantity)) return { quantity: [stockErrors.whole_quantity_required] }
    return isTooLarge(quantity) ? { quantity: [QUANTITY_TOO_LARGE] } : {}
  })
  if (errors.some((entry) => Object.keys(entry).length > 0)) throw invalid({ items: errors })
  const share = computeShare(item, body)
  return body.items.map((entry): NewStockItem => {
    const status = statuses.get(entry.status) ?? { status: entry.status, status_custom_key: null }
    const location = entry.location ?? body.location ?? item.location
    const hasPrice = entry.purchase_price != null
    return {
      part: (components.get(entry.bom_item) as Component).part,
      quantity: entry.quantity,
      location,
      ...status,
      batch: item.batch,
      purchase_order: item.purchase_order,
      parent: item.pk,
      purchase_price: hasPrice ? entry.purchase_price : share,
      ...(hasPrice
        ? entry.purchase_price_currency && { purchase_price_currency: entry.purchase_price_currency }
        : { purchase_price_currency: item.purchase_price_currency }),
      history: {
        type: 'CREATED_FROM_DISASSEMBLY',
        deltas: {
          stockitem: item.pk,
          quantity: toJsonNumber(entry.quantity),
          ...statusDeltas(status),
          ...(location && { location }),
        },
        notes: body.notes,
      },
    }
  })
}

/** The price of one recovered unit: the price of what is disassembled, shared by all units for which no price is given. */
function computeShare(item: LockedItem, { items, quantity }: { items: Entry[]; quantity: Decimal }): Decimal | null {
  if (item.purchase_price === null) return null
  const units = items
    .filter((entry) => entry.purchase_price == null)
    .reduce((sum: Decimal, entry) => add(sum, entry.quantity), '0')
  return compare(units, '0') > 0 ? quantize(divide(multiply(item.purchase_price, quantity), units), 6) : null
}
