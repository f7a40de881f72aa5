import { type Action, action, Json } from '../../kit/definition/action.ts'
import { type Reading, readShape } from '../../kit/definition/input.ts'
import type { Body, WriteRequest } from '../../kit/definition/resource.ts'
import { buildBulkResponse, getBulkShape } from '../../kit/http/operation.ts'
import { readWriteFlags } from '../../kit/reading/select.ts'
import { roles } from '../../kit/request/caller.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalid, Problem } from '../../kit/request/problem.ts'
import { isObject } from '../../kit/values/json.ts'
import { rejectAll } from '../../kit/writing/bulk.ts'
import { checkReferences } from '../../kit/writing/references.ts'
import { updateMany } from '../../kit/writing/update-many.ts'
import { toWriteRequest } from '../../kit/writing/write.ts'
import { countStock } from './count.action.ts'
import { stockItem } from './stock-item.resource.ts'
import { transferStock } from './transfer.action.ts'

/** PUT and PATCH of several stock items: as those of other lists, but quantities are counted, and locations are changed by transfers. */
export const changeStockItems: readonly Action[] = (['PUT', 'PATCH'] as const).map((method) =>
  action({
    method,
    path: '/api/stock/',
    summary: 'Change several stock items',
    description:
      'Changes the given fields of each stock item that `items` names, as a PATCH of each would: all of them or none. A `quantity` is counted and a `location` is a transfer, each with its entry in the history of the items. Returns the items like GET.',
    errors: { invalid: 'No item is named, an item does not exist, or one of them rejects the change.' },
    example: { body: { items: [22], packaging: 'Tray' } },
    access: roles('stock'),
    body: getBulkShape(stockItem),
    readsBody: true,
    status: 200,
    response: buildBulkResponse(stockItem),
    async run(request) {
      rejectAll(request.query)
      const flags = readWriteFlags(stockItem, request.query, request.config.wire)
      return new Json(await updateMany(stockItem, { ...toWriteRequest(request), flags }, countAndTransfer))
    },
  }),
)

/**
 * The quantity and the location in a PATCH of several stock items: they are counted and transferred, as their own operations do, with the
 * entries of these in their histories. Returns the rest of the body.
 */
async function countAndTransfer(request: WriteRequest, pks: readonly number[]): Promise<Body> {
  const { quantity, ...rest } = request.body
  if (quantity !== undefined) await runFor(countStock, request, { items: pks.map((pk) => ({ pk, quantity })) })
  if (rest.location !== undefined && rest.location !== null && rest.location !== '') {
    // the location stays in the rest of the body, for items that are not in stock
    const items = await request.tx.query(
      `select pk, quantity from stock_item where pk = any($1::integer[]) and quantity > 0
         and location is distinct from $2::text::integer order by pk`,
      [pks, toKey(rest.location)],
    )
    if (items.length) await runFor(transferStock, request, { items, location: rest.location })
  }
  return rest
}

/** The location as a key, to skip the items that are there; an invalid one is rejected by the transfer. */
const toKey = (location: unknown): string | null =>
  (typeof location === 'string' || typeof location === 'number') && /^\d{1,9}$/.test(String(location)) ? String(location) : null

/** Runs an action on several stock items in the transaction of the request. Its errors are those of the first rejected item. */
async function runFor(action: Action, { tx, caller, services, exchange }: WriteRequest, body: Body): Promise<void> {
  const reading: Reading = { references: [], services }
  const { values, errors } = readShape(action.body ?? {}, body, reading)
  await checkReferences(tx, reading)
  if (Object.keys(errors).length) throw toItemProblem(errors)
  const request = { ...services, tx, caller, exchange, params: {}, query: {}, url: '', pk: 0, raw: body, body: values }
  try {
    await action.run(request as unknown as Parameters<Action['run']>[0])
  } catch (error) {
    throw error instanceof Problem && error.code === 'invalid' ? toItemProblem(error.body as Errors) : error
  }
  await tx.flush()
}

/** The errors of the first item that has any, in place of a list of all items. */
function toItemProblem({ items, ...errors }: Errors): Problem {
  const first = Array.isArray(items) ? items.find((entry) => isObject(entry) && Object.keys(entry).length > 0) : items
  return invalid({ ...errors, ...(isObject(first) ? (first as Errors) : first === undefined ? {} : { items: first as never }) })
}
