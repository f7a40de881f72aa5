import { spawnSync } from 'node:child_process'

/** Variable in which a run passes the slowness of this machine, relative to an idle one, to its processes. */
const SLOWNESS_VARIABLE = 'STOCKROOM_TEST_SLOWNESS'

/** Duration of an empty process on an idle machine, in milliseconds. */
const TYPICAL_START_MS = 60

/** Bounds of the factor: timeouts are never shorter than usual, and never so long that a hanging run goes unnoticed. */
const SLOWNESS_BOUNDS = [1, 8] as const

/** Measures the slowness of this machine for the processes of this run: called before they start. */
export function measureSlowness(): void {
  if (process.env[SLOWNESS_VARIABLE]) return
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    spawnSync(process.execPath, ['--eval', '0'])
    return performance.now() - start
  })
  const median = times.sort((one, other) => one - other)[2] as number
  process.env[SLOWNESS_VARIABLE] = String(Math.min(SLOWNESS_BOUNDS[1], Math.max(SLOWNESS_BOUNDS[0], median / TYPICAL_START_MS)))
}

/**
 * Returns a timeout for the machine that runs the tests: at least twice the given one, and extended by the machine's slowness, so that only
 * faults exceed it.
 * @param milliseconds a generous timeout for an idle machine
 */
export const scaleTimeout = (milliseconds: number): number =>
  Math.round(milliseconds * 2 * Number(process.env[SLOWNESS_VARIABLE] ?? 1))
