import { getTableName } from 'drizzle-orm'
import type { Services } from '../../kit/services/services.ts'
import { queryThrough, queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { formatNextReference } from '../../settings/reference-pattern.ts'
import { type ReferencedOrder, tableName } from './order-kind.ts'

/** Number of references to check in one query. */
const CANDIDATES_PER_QUERY = 100

/** The pattern that references of a type of order must match. */
export const getReferencePattern = (services: Pick<Services, 'settings'>, kind: ReferencedOrder): string =>
  setting(services, `${kind.settings}_REFERENCE_PATTERN`)

/**
 * Reserves the reference after the highest for a new order. Concurrent requests get different ones: the second waits until the first has
 * stored its order. A trigger takes the same lock whenever a reference is written.
 */
export async function reserveNextReference(services: Services, tx: Tx, kind: ReferencedOrder): Promise<string> {
  await lockReferences(tx, kind)
  return findAvailableReference(services, kind, queryWithin(tx))
}

/** Locks the references of a type of order against other writers. It must precede row locks. */
export const lockReferences = (tx: Tx, kind: ReferencedOrder): Promise<unknown> =>
  tx.query(`select pg_advisory_xact_lock(hashtext('reference'), hashtext($1))`, [getTableName(kind.table)])

/**
 * The reference that a new order would get now.
 * @param pattern a valid pattern to try; by default that of the settings
 */
export const suggestReference = (services: Services, kind: ReferencedOrder, pattern?: string): Promise<string> =>
  findAvailableReference(services, kind, queryThrough(services), pattern)

type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

async function findAvailableReference(
  services: Services,
  kind: ReferencedOrder,
  query: Query,
  pattern = getReferencePattern(services, kind),
): Promise<string> {
  const table = tableName(kind.table)
  const now = new Date()
  const [highest] = await query(`select reference_int from ${table} order by reference_int desc, pk desc limit 1`, [])
  for (let after = (highest?.reference_int as number | undefined) ?? 0; ; after += CANDIDATES_PER_QUERY) {
    const candidates = Array.from({ length: CANDIDATES_PER_QUERY }, (_, step) => formatNextReference(pattern, after + step, now))
    const rows = await query(`select reference from ${table} where reference = any($1::text[])`, [candidates])
    const existing = new Set(rows.map((row) => row.reference))
    const available = candidates.find((reference) => !existing.has(reference))
    if (available !== undefined) return available
  }
}
