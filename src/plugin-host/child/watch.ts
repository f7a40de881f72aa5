import { memoryOf } from '../../processes.ts'

/** Milliseconds from one look to the next: in a tenth of a second a process takes some 150 MB. Where a look is a command, it is rarer. */
const interval = process.platform === 'linux' ? 100 : 500
/** After how many looks without a sign of life one is asked for: each second. */
const looksToPing = 1_000 / interval
/** How many seconds a plugin may leave that without an answer. */
const patience = 5
const looksToEnd = looksToPing * (1 + patience)

const megabyte = 1024 * 1024

type Watched = {
  pid: number
  memoryMegabytes: number
  ping(): void
  /** Called every time it is looked after. */
  looked(): void
  /** Called once, with what it did. */
  end(why: string): void
}

export type Watch = {
  /** The process gave a sign of life. */
  heard(): void
  stop(): void
}

/** Looks after a process: whether it still answers, and how much memory it uses. */
export function watch({ pid, memoryMegabytes, ping, looked, end }: Watched): Watch {
  // Counted in looks, not by the clock: where this process stands still, nobody else is to blame.
  let silent = 0
  let isStopped = false
  const stop = () => {
    isStopped = true
    clearInterval(timer)
  }
  const timer = setInterval(async () => {
    looked()
    silent++
    if (silent === looksToPing) ping()
    if (silent >= looksToEnd) {
      stop()
      end(`it did not respond for ${patience} seconds`)
      return
    }
    const used = await memoryOf(pid)
    if (isStopped || used === undefined || used <= memoryMegabytes * megabyte) return
    stop()
    end(`it used ${Math.round(used / megabyte)} MB of memory; the limit is ${memoryMegabytes} MB`)
  }, interval)
  return {
    heard() {
      silent = 0
    },
    stop,
  }
}
