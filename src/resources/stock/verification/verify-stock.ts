import { setTimeout as pause } from 'node:timers/promises'
import type { ReadSnapshot } from '../../../kit/sql/tx.ts'
import { type GlobalValues, globalSettings } from '../../settings/registry.ts'
import { type SettingRow, snapshot } from '../../settings/store.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { nameOfShown } from './objects.ts'

/** The most objects that a check names; it counts all. */
const MOST_NAMED = 100

/**
 * How long a gentle run rests after a check, by how long that took: it then takes less than half of one processor, of two, and others keep
 * four fifths of their speed (`npm run bench -- --items 1000000 --only verification`).
 */
const REST = 1.5

/** An object that breaks what a check asks for. */
export type BrokenObject = {
  model: string
  pk: number
  /** What people call it; null for one that cannot be called anything any more. */
  name: string | null
  /** What is wrong with it, as half a sentence. */
  problem: string
}

/** What a check found. */
export type Finding = {
  name: string
  holds: string
  /** Whether something is broken where it does not hold. */
  damage: boolean
  /** How many objects break it. */
  count: number
  /** The first of them, by their keys. */
  objects: BrokenObject[]
}

type Options = {
  /** Told how many checks are done, after each. */
  onProgress?: (done: number) => Promise<void>
  /** Rests after each check, so that others keep most of the machine. */
  isGentle: boolean
  signal?: AbortSignal
}

/** How many checks there are. */
export const CHECKS = checks.length

/** Carries out every check in one snapshot. */
export async function verifyStock(read: ReadSnapshot, { onProgress, isGentle, signal }: Options): Promise<Finding[]> {
  const rows = await read<SettingRow>('select pk, key, value from setting')
  const settings = snapshot<GlobalValues>(globalSettings, rows)
  const findings: Finding[] = []
  for (const [at, check] of checks.entries()) {
    const started = performance.now()
    findings.push(await carryOut(check, read, check.when?.(settings) ?? true))
    await onProgress?.(at + 1)
    if (isGentle) await pause((performance.now() - started) * REST, undefined, { signal })
  }
  return findings
}

/** What does not have to hold now is broken by nothing. */
async function carryOut({ name, holds, remark, broken }: Check, read: ReadSnapshot, hasToHold: boolean): Promise<Finding> {
  if (!hasToHold) return { name, holds, damage: !remark, count: 0, objects: [] }
  const rows = await read<BrokenObject & { count: number }>(
    `select shown.model, shown.pk, ${nameOfShown} as name, shown.problem, shown.count
     from (
       select broken.*, (count(*) over ())::integer as count from (${broken}) broken order by model, pk limit ${MOST_NAMED}
     ) shown order by model, pk`,
  )
  const objects = rows.map(({ count: _, ...object }) => object)
  return { name, holds, damage: !remark, count: rows[0]?.count ?? 0, objects }
}

/** Whether nothing is broken. */
export const isRight = (findings: readonly Finding[]): boolean => findings.every(({ damage, count }) => !damage || count === 0)
