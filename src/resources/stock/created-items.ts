import { Type } from 'typebox'
import { Json } from '../../kit/definition/action.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { readByKeys } from '../../kit/reading/objects.ts'
import { getWrittenFlags } from '../../kit/reading/select.ts'
import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { stockItem } from './stock-item.resource.ts'

/** The response of an operation that creates stock items, for clients of API 530: these items. */
export const itemsResponse = { response: Type.Array(responseSchema(stockItem)) }

/** The stock items that a request created. */
export async function listCreated(request: Services & { tx: Tx; caller: Caller }, pks: readonly number[]): Promise<Json> {
  const { tx, caller } = request
  await tx.flush()
  const items = await readByKeys(stockItem, pks, getWrittenFlags(stockItem), { caller, services: request, executor: tx })
  return new Json(`[${items.join(',')}]`)
}
