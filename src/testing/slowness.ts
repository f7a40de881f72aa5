import { spawnSync } from 'node:child_process'

/** How the start of a run tells its processes by how much this machine is slower than one that has nothing else to do. */
const VARIABLE = 'STOCKROOM_TEST_SLOWNESS'

/** Milliseconds that a process which does nothing takes from its start to its end, where nothing else runs. */
const USUAL_START = 60

/** The limits of waiting are never shorter than usual, and never so long that a run which hangs is not noticed. */
const BOUNDS = [1, 8] as const

/** Measures how busy or slow this machine is, and tells the processes of this run: called before they start. */
export function measureSlowness(): void {
  if (process.env[VARIABLE]) return
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    spawnSync(process.execPath, ['--eval', '0'])
    return performance.now() - start
  })
  const median = times.sort((one, other) => one - other)[2] as number
  process.env[VARIABLE] = String(Math.min(BOUNDS[1], Math.max(BOUNDS[0], median / USUAL_START)))
}

/**
 * A limit of waiting on the machine that runs the tests: at least twice as long as given, and longer by as much as it is slow, so that only
 * what is wrong reaches it.
 * @param milliseconds that are plenty where nothing else runs
 */
export const patience = (milliseconds: number): number => Math.round(milliseconds * 2 * Number(process.env[VARIABLE] ?? 1))
