import { readMemory } from '../../processes.ts'

/** Milliseconds between checks: in a tenth of a second a process allocates some 150 MB. The interval is longer if a check runs a command. */
const checkIntervalMs = process.platform === 'linux' ? 100 : 500
/** Number of checks without a sign of life before a ping: one second. */
const checksUntilPing = 1_000 / checkIntervalMs
/** Seconds that a plugin may leave pings without a response. */
const responseTimeoutSeconds = 5
const checksUntilEnd = checksUntilPing * (1 + responseTimeoutSeconds)

const megabyte = 1024 * 1024

type WatchOptions = {
  pid: number
  memoryMegabytes: number
  ping(): void
  /** Called at each check. */
  onCheck(): void
  /** Called once, with the reason. */
  end(reason: string): void
}

export type Watch = {
  /** Records a sign of life of the process. */
  reportActivity(): void
  stop(): void
}

/** Monitors a process: whether it responds, and its memory use. */
export function watch({ pid, memoryMegabytes, ping, onCheck, end }: WatchOptions): Watch {
  // Counted in checks, not by the clock: while this process is blocked, the plugin is not to blame.
  let checksWithoutActivity = 0
  let isStopped = false
  const stop = () => {
    isStopped = true
    clearInterval(timer)
  }
  const timer = setInterval(async () => {
    onCheck()
    checksWithoutActivity++
    if (checksWithoutActivity === checksUntilPing) ping()
    if (checksWithoutActivity >= checksUntilEnd) {
      stop()
      end(`it did not respond for ${responseTimeoutSeconds} seconds`)
      return
    }
    const used = await readMemory(pid)
    if (isStopped || used === undefined || used <= memoryMegabytes * megabyte) return
    stop()
    end(`it used ${Math.round(used / megabyte)} MB of memory; the limit is ${memoryMegabytes} MB`)
  }, checkIntervalMs)
  return {
    reportActivity() {
      checksWithoutActivity = 0
    },
    stop,
  }
}
