import { getTableName } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import { giveCodes, misledCodes } from '../../resources/barcode/give-codes.ts'
import * as barcode from '../../resources/barcode/kinds.ts'
import type { Kind } from './kinds.ts'

/** An object that was loaded with a code of another; what a scan of it finds. */
export type SharedCode = { model: string; pk: number; problem: string }

/**
 * Gives the loaded objects their codes. An existing system lets several have the same: a scan finds the first of them, as it did there.
 * The others keep what they have for an answer.
 * @param loaded the kinds that were loaded
 * @returns those others
 */
export async function settleCodes(client: PoolClient, loaded: readonly Kind[]): Promise<SharedCode[]> {
  const tables = new Set(loaded.map(({ table }) => getTableName(table)))
  const kinds = barcode.kinds.filter(({ resource }) => tables.has(getTableName(resource.table)))
  if (kinds.length === 0) return []
  await client.query(giveCodes(kinds))
  return (await client.query<SharedCode>(`${misledCodes(kinds)} order by place, pk`)).rows
}

/** More codes than this are counted rather than listed. */
const MOST_LISTED = 100

/** What is told of codes that several objects have, line by line. */
export function describeShared(shared: SharedCode[]): string[] {
  const lines = shared.slice(0, MOST_LISTED).map(({ model, pk, problem }) => `${model} ${pk}: ${problem}`)
  const more = shared.length - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}
