/** Milliseconds within which a plugin may fail only once. */
const CRASH_WINDOW_MS = 600_000
/** Maximum number of throws of its functions, and the milliseconds in which they are counted. */
const MAX_THROWS = 20
const THROW_WINDOW_MS = 60_000

/** Counts the failures of plugins, and reports when there are too many. */
export class Failures {
  readonly #crashTimes = new Map<string, number>()
  readonly #throws = new Map<string, number[]>()

  /** Records a failure of the whole plugin. @returns whether it already failed recently */
  recordCrash(key: string, now = performance.now()): boolean {
    const last = this.#crashTimes.get(key)
    this.#crashTimes.set(key, now)
    return last !== undefined && now - last < CRASH_WINDOW_MS
  }

  /** Records a throw of one of its functions. @returns whether there are too many */
  recordThrow(key: string, now = performance.now()): boolean {
    const recentThrows = (this.#throws.get(key) ?? []).filter((time) => now - time < THROW_WINDOW_MS)
    recentThrows.push(now)
    this.#throws.set(key, recentThrows)
    return recentThrows.length >= MAX_THROWS
  }

  /** Resets the counts of a plugin that was enabled, disabled or reloaded manually. */
  reset(key: string): void {
    this.#crashTimes.delete(key)
    this.#throws.delete(key)
  }
}
