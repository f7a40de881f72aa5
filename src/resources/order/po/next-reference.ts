import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../settings/live.ts'
import { nextReference } from '../reference.ts'

/** How many references are tried in one statement when the first ones are taken. */
const BATCH = 100

/**
 * Takes the reference after the highest for a new order. Two requests at the same time get different ones: the second
 * waits until the first has stored its order. The lock is shared by every writer of a reference, in a trigger.
 */
export async function takeNextReference(services: Services, tx: Tx): Promise<string> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('reference'), hashtext('purchase_order'))`)
  return freeReference(services, (text, values) => tx.query(text, values))
}

/** The reference that a new order would get at this moment. */
export const suggestReference = (services: Services): Promise<string> =>
  freeReference(services, (text, values) => services.database.read({ text, values }))

type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

async function freeReference(services: Services, query: Query): Promise<string> {
  const pattern = setting(services, 'PURCHASEORDER_REFERENCE_PATTERN')
  const now = new Date()
  const [highest] = await query('select reference_int from purchase_order order by reference_int desc, pk desc limit 1', [])
  for (let after = (highest?.reference_int as number | undefined) ?? 0; ; after += BATCH) {
    const wanted = Array.from({ length: BATCH }, (_, step) => nextReference(pattern, after + step, now))
    const rows = await query('select reference from purchase_order where reference = any($1::text[])', [wanted])
    const taken = new Set(rows.map((row) => row.reference))
    const free = wanted.find((reference) => !taken.has(reference))
    if (free !== undefined) return free
  }
}
