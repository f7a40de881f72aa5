import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Resource } from '../definition/resource.ts'
import { notFound } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { findReferencedTable, quote } from '../sql/sql.ts'
import { readPathKey } from './http.ts'

/** Resources narrowed to one object each, by the key of that object: their statements are kept, like those of any resource. */
const narrowed = new WeakMap<Resource, LRUCache<number, Resource>>()

/**
 * The resource within the object in the path, for a path such as `/api/selection/{list}/entry/`; any other resource as it is.
 * @throws Problem 404 if there is no such object
 */
export async function narrowToParent(
  resource: Resource,
  params: Readonly<Record<string, string>>,
  { database }: Pick<Services, 'database'>,
): Promise<Resource> {
  const { parent } = resource
  if (!parent) return resource
  const text = params[parent.name] ?? ''
  if (!/^\d+$/.test(text)) throw notFound()
  const key = readPathKey(text)
  const table = findReferencedTable(parent)
  const [row] = table
    ? await database.read({ text: `select from ${quote(getTableName(table))} where pk = $1`, values: [key] })
    : []
  if (!row) throw notFound()
  const cached = narrowed.get(resource) ?? new LRUCache<number, Resource>({ max: 100 })
  narrowed.set(resource, cached)
  const own = cached.get(key) ?? narrow(resource, parent.name, key)
  cached.set(key, own)
  return own
}

const narrow = (resource: Resource, column: string, key: number): Resource => ({
  ...resource,
  rows: () => ({ sql: `{${column}} = {@value}::integer`, values: [key] }),
  async rules(write) {
    if (!write.before) write.hidden[column] = key
    await resource.rules?.(write)
  },
})
