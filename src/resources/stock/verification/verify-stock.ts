import { setTimeout as pause } from 'node:timers/promises'
import type { ReadSnapshot } from '../../../kit/sql/tx.ts'
import { type GlobalValues, globalSettings } from '../../../settings/registry.ts'
import { type SettingRow, snapshot } from '../../../settings/store.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { objectNameExpression } from './objects.ts'

/** Maximum number of objects that a check lists; it counts all. */
const MAX_LISTED_OBJECTS = 100

/**
 * Pause of a gentle run after a check, as a multiple of the check's duration: the run then takes less than half of one processor, of two,
 * and others keep four fifths of their speed (`npm run bench -- --items 1000000 --only verification`).
 */
const REST = 1.5

/** An object that violates a check. */
export type BrokenObject = {
  model: string
  pk: number
  /** Display name; null when it can no longer be derived. */
  name: string | null
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
  isGentle: boolean
  signal?: AbortSignal
}

/** Number of checks. */
export const CHECKS = checks.length

/** Runs every check in one snapshot. */
export async function verifyStock(read: ReadSnapshot, { onProgress, isGentle, signal }: Options): Promise<Finding[]> {
  const rows = await read<SettingRow>('select pk, key, value from setting')
  const settings = snapshot<GlobalValues>(globalSettings, rows)
  const findings: Finding[] = []
  for (const [at, check] of checks.entries()) {
    const started = performance.now()
    findings.push(await executeCheck(check, read, check.when?.(settings) ?? true))
    await onProgress?.(at + 1)
    if (isGentle) await pause((performance.now() - started) * REST, undefined, { signal })
  }
  return findings
}

/** Runs one check. A check that does not apply has no violations. */
async function executeCheck({ name, holds, remark, broken }: Check, read: ReadSnapshot, hasToHold: boolean): Promise<Finding> {
  if (!hasToHold) return { name, holds, damage: !remark, count: 0, objects: [] }
  const rows = await read<BrokenObject & { count: number }>(
    `select shown.model, shown.pk, ${objectNameExpression} as name, shown.problem, shown.count
     from (
       select broken.*, (count(*) over ())::integer as count from (${broken}) broken order by model, pk limit ${MAX_LISTED_OBJECTS}
     ) shown order by model, pk`,
  )
  const objects = rows.map(({ count: _, ...object }) => object)
  return { name, holds, damage: !remark, count: rows[0]?.count ?? 0, objects }
}

/** Whether the data is consistent. */
export const isRight = (findings: readonly Finding[]): boolean => findings.every(({ damage, count }) => !damage || count === 0)
