import { getTableName } from 'drizzle-orm'
import type { Services } from '../../kit/services/services.ts'
import { queryThrough, queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { nextReference } from '../../settings/reference-pattern.ts'
import { type Referenced, tableName } from './order-kind.ts'

/** Number of references to try in one statement when the first ones are taken. */
const BATCH = 100

/** The pattern that references of a type of order must match. */
export const referencePattern = (services: Pick<Services, 'settings'>, kind: Referenced): string =>
  setting(services, `${kind.settings}_REFERENCE_PATTERN`)

/**
 * Takes the reference after the highest for a new order. Concurrent requests get different ones: the second waits until the first has
 * stored its order. A trigger takes the same lock for every writer of a reference.
 */
export async function reserveNextReference(services: Services, tx: Tx, kind: Referenced): Promise<string> {
  await lockReferences(tx, kind)
  return freeReference(services, kind, queryWithin(tx))
}

/** Locks the references of a type of order against other writers. It must precede row locks. */
export const lockReferences = (tx: Tx, kind: Referenced): Promise<unknown> =>
  tx.query(`select pg_advisory_xact_lock(hashtext('reference'), hashtext($1))`, [getTableName(kind.table)])

/** The reference that a new order would get now. */
export const suggestReference = (services: Services, kind: Referenced): Promise<string> =>
  freeReference(services, kind, queryThrough(services))

type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

async function freeReference(services: Services, kind: Referenced, query: Query): Promise<string> {
  const pattern = referencePattern(services, kind)
  const table = tableName(kind.table)
  const now = new Date()
  const [highest] = await query(`select reference_int from ${table} order by reference_int desc, pk desc limit 1`, [])
  for (let after = (highest?.reference_int as number | undefined) ?? 0; ; after += BATCH) {
    const candidates = Array.from({ length: BATCH }, (_, step) => nextReference(pattern, after + step, now))
    const rows = await query(`select reference from ${table} where reference = any($1::text[])`, [candidates])
    const existing = new Set(rows.map((row) => row.reference))
    const available = candidates.find((reference) => !existing.has(reference))
    if (available !== undefined) return available
  }
}
