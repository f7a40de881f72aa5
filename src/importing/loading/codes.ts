import { getTableName } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { insertCodes, selectMisdirectedCodes } from '../../resources/barcode/assign-codes.ts'
import * as barcode from '../../resources/barcode/kinds.ts'
import type { RecordKind } from './kinds.ts'

/** An object whose code also belongs to another object, and what a scan of that code finds. */
export type SharedCode = { model: string; pk: number; problem: string }

/**
 * Assigns barcodes to the loaded objects. InvenTree allows duplicates: a scan finds the first object, as in InvenTree. The others keep
 * their code only in responses.
 * @param loaded the kinds that were loaded
 * @returns the other objects
 */
export async function assignCodes(client: PoolClient, loaded: readonly RecordKind[]): Promise<SharedCode[]> {
  const tables = new Set(loaded.map(({ table }) => getTableName(table)))
  const kinds = barcode.kinds.filter(({ resource }) => tables.has(getTableName(resource.table)))
  if (kinds.length === 0) return []
  await client.query(insertCodes(kinds))
  return (await client.query<SharedCode>(`${selectMisdirectedCodes(kinds)} order by place, pk`)).rows
}

/** Maximum number of listed codes; the rest is only counted. */
const MAX_LISTED_CODES = 100

/** Describes the codes that several objects share, line by line. */
export function describeShared(shared: SharedCode[]): string[] {
  const lines = shared.slice(0, MAX_LISTED_CODES).map(({ model, pk, problem }) => `${model} ${pk}: ${problem}`)
  const more = shared.length - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}
