import { getTableName } from 'drizzle-orm'
import type { Body, Resource, WriteRequest } from '../definition/resource.ts'
import { readByKeys } from '../reading/objects.ts'
import { invalid, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import { quote } from '../sql/sql.ts'
import { readBulkKeys } from './bulk.ts'
import { lockRows, reviewUpdate, translateErrors, updateReviewed } from './write.ts'

/**
 * Makes those changes of several locked objects that are not single PATCHes, such as those with entries of their own in a history. Returns
 * the rest of the body.
 */
export type ChangeFirst = (request: WriteRequest, keys: readonly number[]) => Promise<Body>

/** PUT and PATCH on a list change only the given fields of each object. */
const OPTIONS = { partial: true, defaults: false }

/**
 * PUT and PATCH on a list: changes the objects that `items` names as single PATCHes with the other fields would, all of them or none.
 * @returns the response as JSON: the objects as GET shows them, in the order of the body
 * @throws Problem 400 with the errors of the first object that cannot be changed; their pointers name it by its position in `items`
 */
export async function updateMany(resource: Resource, request: WriteRequest, changeFirst?: ChangeFirst): Promise<string> {
  const { items, ...body } = request.body
  const keys = readBulkKeys(items)
  const { tx, caller, services, flags } = request
  const write = { ...request, body, ifMatch: undefined }
  const versions = new Map<number, string | undefined>()
  // plugins are called before anything is locked
  for (const key of keys) versions.set(key, await reviewUpdate(resource, key, write, OPTIONS))
  await translateErrors(resource, async () => {
    tx.lockShared()
    await resource.locksFirst?.(tx, keys, body)
    const found = await lockRows(resource, keys, write)
    const unknown = keys.filter((key) => !found.has(key))
    if (unknown.length) throw invalid({ non_field_errors: [requestErrors.unknown_bulk_items({ keys: unknown.slice(0, 10) })] })
    const remaining = await changeFirst?.(write, keys)
    const rest = remaining ? { ...write, body: remaining } : write
    if (remaining && Object.keys(remaining).length === 0) return
    for (const key of remaining ? await selectExisting(resource, keys, write) : keys)
      await translateErrors(resource, () => updateReviewed(resource, key, rest, OPTIONS, versions.get(key))).catch((error) => {
        throw placeErrors(error, keys.indexOf(key))
      })
  })
  const objects = await readByKeys(resource, keys, flags, { caller, services, executor: tx })
  return `{"success":"Changed ${objects.length} objects","items":[${objects.join(',')}]}`
}

/** The errors of one object, each below the object's position among the items: `/items/3/category`. */
const placeErrors = (error: unknown, index: number): unknown =>
  error instanceof Problem
    ? error.with({ fieldErrors: error.fieldErrors.map((entry) => ({ ...entry, pointer: `/items/${index}${entry.pointer}` })) })
    : error

/** The objects that still exist, after a part of the write may have deleted some. */
async function selectExisting({ table }: Resource, keys: readonly number[], { tx }: WriteRequest): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(`select pk from ${quote(getTableName(table))} where pk = any($1::integer[])`, [
    keys,
  ])
  const existing = new Set(rows.map(({ pk }) => pk))
  return keys.filter((key) => existing.has(key))
}
