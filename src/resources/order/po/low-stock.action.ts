import { Type } from 'typebox'
import { action, Json, view } from '../../../kit/definition/action.ts'
import { readKey } from '../../../kit/definition/filter.ts'
import * as input from '../../../kit/definition/input.ts'
import { type Access, requireAccess } from '../../../kit/request/caller.ts'
import { invalid, invalidQuery, Problem } from '../../../kit/request/problem.ts'
import { queryThrough, queryWithin } from '../../../kit/sql/run-query.ts'
import { toJsonNumber } from '../../../kit/values/decimal.ts'
import { writeJson } from '../../../kit/values/json.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { create } from '../../../kit/writing/write.ts'
import { buildOrder } from '../../build/build.table.ts'
import { BUILD_ORDER } from '../../build/build-kind.ts'
import { part } from '../../part/part.resource.ts'
import { part as partTable } from '../../part/part.table.ts'
import { lockReferences, reserveNextReference } from '../next-reference.ts'
import { orderErrors } from '../order-errors.ts'
import { purchaseOrderLine } from '../po-line/po-line.resource.ts'
import { purchaseOrder } from './po.resource.ts'
import { PURCHASE_ORDER } from './po-kind.ts'
import { type Proposal, type ReorderLine, type Shortage, suggestReorders } from './reorder-suggestions.ts'

/** Maximum number of parts per request. */
const MAX_PARTS = 200

const shortageFields = {
  part: Type.Integer({ description: 'The part.' }),
  name: Type.String({ description: 'Its full name.' }),
  units: Type.Union([Type.String(), Type.Null()], {
    description: 'The unit of its quantities; empty or null for pieces.',
  }),
  minimum_stock: Type.Number({
    description: 'The minimum stock, in units of the part; with `build`, the quantity that its lines still need.',
  }),
  in_stock: Type.Number({
    description:
      'The quantity in stock, variants included; with `build`, the available quantity of all items that its lines can use.',
  }),
  coming: Type.Number({ description: 'The incoming quantity, from suppliers and production.' }),
  lacks: Type.Number({ description: 'The remaining shortage, after the variants ordered by this request.' }),
}
const lineFields = {
  ...shortageFields,
  supplier_part: Type.Integer({ description: 'The supplier part to order.' }),
  SKU: Type.String({ description: 'The SKU of the supplier.' }),
  pack_quantity: Type.Number({ description: 'The quantity in one pack, in units of the part.' }),
  quantity: Type.Number({ description: 'The number of packs to order, enough to cover the shortage.' }),
}
const supplierFields = {
  supplier: Type.Integer({ description: 'The supplier.' }),
  supplier_name: Type.String({ description: 'Its name.' }),
  currency: Type.String({ description: 'The currency of the supplier.' }),
}
const otherFields = {
  without_supplier: Type.Array(
    Type.Object({
      ...shortageFields,
      reason: Type.String({
        enum: ['inactive', 'not_purchaseable', 'no_supplier'],
        description: 'Why it is not ordered: it is inactive, is not purchasable, or has no active supplier.',
      }),
    }),
    { description: 'Shortages that cannot be ordered.' },
  ),
  enough: Type.Array(Type.Integer(), {
    description: 'Parts with no shortage left, given incoming stock and the variants ordered by this request.',
  }),
}

const contract = { path: '/api/order/po/low-stock/', access: PURCHASE_ORDER.access }

const CALCULATION =
  'Orders the shortage of each part: the difference to its `minimum_stock`, or with `build` the quantity that the lines of that build order still need, less stock on hand and on order. Orders whole packs and order multiples, from its default supplier part, otherwise the cheapest one of an active supplier, otherwise the first. Quantities ordered of variants count for their templates.'

const proposal = view({
  ...contract,
  summary: 'Preview the order for low stock',
  description: `Returns the orders that \`POST\` here would create, by supplier. ${CALCULATION} Requires permission to view parts, and build orders if one is named.`,
  query: {
    part: `Only these parts, by their keys, separated by commas; by default the ${MAX_PARTS} parts with the largest shortages.`,
    build: 'The key of a build order: orders the shortage of its lines instead of the shortage to the minimum stock.',
  },
  response: Type.Object({
    orders: Type.Array(Type.Object({ ...supplierFields, lines: Type.Array(Type.Object(lineFields)) })),
    ...otherFields,
  }),
  async read(request) {
    const build = readBuild(request.query.build)
    requireViewAccess(request, build)
    const parts = readKeys(request.query.part)
    const shortage = await suggestReorders(request, queryThrough(request), { parts, build }, MAX_PARTS)
    return formatResponse(
      shortage,
      shortage.proposals.map((entry) => ({ ...entry, lines: entry.lines.map(convertQuantities) })),
    )
  },
})

const body = {
  parts: input.optional(
    input.list(
      input.reference(() => partTable),
      {
        max: MAX_PARTS,
        help: `The parts to order, if their stock is low; by default the ${MAX_PARTS} parts with the largest shortages.`,
      },
    ),
  ),
  build: input.optional(
    input.reference(() => buildOrder, {
      help: 'The build order to order for: the shortage of its lines instead of the shortage to the minimum stock.',
    }),
  ),
  description: input.text({ max: 250, default: 'Low stock', help: 'The description of the new orders.' }),
}

const order = action({
  ...contract,
  method: 'POST',
  summary: 'Order low stock',
  description: `Creates a pending purchase order for each supplier, for parts with low stock. ${CALCULATION} Quantities of open orders, including pending ones, count as incoming, so that nothing is ordered twice. Prices come from the price breaks. Returns the created orders, and the parts without a supplier. Requires permission to view parts, and build orders if one is named.`,
  example: { body: { parts: [12, 19], description: 'Low stock' } },
  body,
  response: Type.Object({
    orders: Type.Array(
      Type.Object({
        pk: Type.Integer({ description: 'The new order.' }),
        reference: Type.String({ description: 'Its reference.' }),
        ...supplierFields,
        lines: Type.Array(Type.Object({ pk: Type.Integer({ description: 'The new line.' }), ...lineFields })),
      }),
    ),
    ...otherFields,
  }),
  async run(request) {
    const { tx, body } = request
    requireViewAccess(request, body.build)
    // concurrent requests do not order the same parts twice
    await tx.query(`select pg_advisory_xact_lock(hashtext('order_low_stock'), 0)`)
    await lockReferences(tx, PURCHASE_ORDER)
    const shortage = await suggestReorders(request, queryWithin(tx), { parts: body.parts, build: body.build }, MAX_PARTS)
    // once for the parts of all orders, not order by order
    const parts = shortage.proposals.flatMap(({ lines }) => lines.map(({ part }) => part))
    await tx.query('select lock_quantities($1::integer[])', [parts])
    const createdOrders: object[] = []
    for (const entry of shortage.proposals) createdOrders.push(await createOrder(entry))
    return formatResponse(shortage, createdOrders)

    async function createOrder({ supplier, supplier_name, currency, lines }: Proposal): Promise<object> {
      const reference = await reserveNextReference(request, tx, PURCHASE_ORDER)
      const { caller, exchange } = request
      const createObject = (resource: typeof purchaseOrder, body: Record<string, unknown>) =>
        create(resource, { tx, caller, services: request, exchange, body, flags: new Set() })
      const { pk } = await createObject(purchaseOrder, { reference, supplier, description: body.description })
      const createdLines: object[] = []
      for (const suggestion of lines) {
        const { quantity, supplier_part: part } = suggestion
        const line = await createObject(purchaseOrderLine, {
          order: pk,
          part,
          quantity,
          purchase_price_currency: currency,
          merge_items: false,
        }).catch((error) => {
          throw toPartError(error, suggestion)
        })
        createdLines.push({ pk: line.pk, ...convertQuantities(suggestion) })
      }
      return { pk, reference, supplier, supplier_name, currency, lines: createdLines }
    }
  },
})

export const orderLowStock = [proposal, order]

/** Returns the error for a part that cannot be ordered, such as one with an excessive minimum stock, so that the caller can correct or omit it. */
function toPartError(error: unknown, { part, name }: ReorderLine): unknown {
  if (!(error instanceof Problem) || error.code !== 'invalid') return error
  const reasons = Object.values(error.body as Record<string, ErrorMessage[]>).flat()
  return invalid({ parts: [orderErrors.part_not_orderable({ part, name, reasons })] })
}

/** Checks that the caller can view parts, and the build order if there is one. @throws Problem 403 */
function requireViewAccess({ caller }: { caller: Parameters<Access>[0] }, build: number | undefined): void {
  requireAccess(part.access, caller, 'view')
  if (build !== undefined) requireAccess(BUILD_ORDER.access, caller, 'view')
}

/** @throws Problem 400 for an invalid key */
function readBuild(text: string | undefined): number | undefined {
  if (!text) return undefined
  const key = readKey(text)
  if (key === undefined) throw invalidQuery({ build: [orderErrors.build_key_expected] })
  return key
}

function readKeys(text: string | undefined): number[] | undefined {
  if (!text) return undefined
  const keys = text.split(',').map((entry) => readKey(entry.trim()))
  if (keys.includes(undefined) || keys.length > MAX_PARTS)
    throw invalidQuery({ part: [orderErrors.part_keys_expected({ max_parts: MAX_PARTS })] })
  return keys as number[]
}

/** Fields of a part that are quantities, sent as numbers. */
const QUANTITY_FIELDS = ['minimum_stock', 'in_stock', 'coming', 'lacks', 'pack_quantity', 'quantity']
const convertQuantities = (row: ReorderLine | Shortage['without_supplier'][number]): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, QUANTITY_FIELDS.includes(name) ? toJsonNumber(String(value)) : value]),
  )

const formatResponse = ({ without_supplier, enough }: Shortage, orders: object[]): Json =>
  new Json(writeJson({ orders, without_supplier: without_supplier.map(convertQuantities), enough }))
