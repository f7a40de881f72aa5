import { setTimeout as pause } from 'node:timers/promises'
import type { ReadSnapshot } from '../../../kit/sql/tx.ts'
import { type GlobalValues, globalSettings } from '../../../settings/registry.ts'
import { type SettingRow, snapshot } from '../../../settings/store.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { objectNameExpression, objectPageExpression } from './objects.ts'

/** Maximum number of objects that a check lists; it counts all. */
const MAX_LISTED_OBJECTS = 100

/**
 * Pause of a gentle run after a check, as a multiple of the check's duration. On a machine with two processors, the run then takes less
 * than half of one, and requests keep 80% of their speed (`npm run bench -- --items 1000000 --only verification`).
 */
const PAUSE_RATIO = 1.5

/** An object that violates a check. */
export type BrokenObject = {
  model: string
  pk: number
  /** Display name; null when it can no longer be derived. */
  name: string | null
  /** Path of its page, or of that of its order; null for kinds without one. */
  page: string | null
  /** The problem, as a sentence fragment. */
  problem: string
}

/** Result of a check. */
export type Finding = {
  name: string
  holds: string
  /** Whether a violation means damaged data. */
  damage: boolean
  /** Number of objects that violate it. */
  count: number
  /** The first of these objects, by key. */
  objects: BrokenObject[]
}

type Options = {
  /** Called with the number of completed checks after each. */
  onProgress?: (done: number) => Promise<void>
  /** Whether to pause after each check, so that others keep most of the machine. */
  isThrottled: boolean
  signal?: AbortSignal
}

/** Number of checks. */
export const CHECK_COUNT = checks.length

/** Runs every check in one snapshot. */
export async function verifyStock(read: ReadSnapshot, { onProgress, isThrottled, signal }: Options): Promise<Finding[]> {
  const rows = await read<SettingRow>('select pk, key, value from setting')
  const settings = snapshot<GlobalValues>(globalSettings, rows)
  const findings: Finding[] = []
  for (const [index, check] of checks.entries()) {
    const started = performance.now()
    findings.push(await executeCheck(check, read, check.applies?.(settings) ?? true))
    await onProgress?.(index + 1)
    if (isThrottled) await pause((performance.now() - started) * PAUSE_RATIO, undefined, { signal })
  }
  return findings
}

/** Runs one check. A check that does not apply has no violations. */
async function executeCheck(
  { name, holds, isWarning, violationsQuery }: Check,
  read: ReadSnapshot,
  applies: boolean,
): Promise<Finding> {
  if (!applies) return { name, holds, damage: !isWarning, count: 0, objects: [] }
  const rows = await read<BrokenObject & { count: number }>(
    `select listed.model, listed.pk, ${objectNameExpression} as name, ${objectPageExpression} as page, listed.problem, listed.count
     from (
       select violation.*, (count(*) over ())::integer as count from (${violationsQuery}) violation order by model, pk limit ${MAX_LISTED_OBJECTS}
     ) listed order by model, pk`,
  )
  const objects = rows.map(({ count: _, ...object }) => object)
  return { name, holds, damage: !isWarning, count: rows[0]?.count ?? 0, objects }
}

/** Whether the data is consistent. */
export const isConsistent = (findings: readonly Finding[]): boolean =>
  findings.every(({ damage, count }) => !damage || count === 0)
