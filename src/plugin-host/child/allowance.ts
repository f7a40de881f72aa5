import type { Readable } from 'node:stream'

/** A rate limit: an amount per second, with unused amounts saved up to a limit. */
export class Allowance {
  readonly #perSecond: number
  readonly #maxAmount: number
  #remaining: number
  #since = performance.now()

  /** @param maxAmount the maximum that can be saved, which is also the initial amount */
  constructor(perSecond: number, maxAmount: number) {
    this.#perSecond = perSecond
    this.#maxAmount = maxAmount
    this.#remaining = maxAmount
  }

  /** Uses an amount, even more than is available. @returns the milliseconds until the debt is paid */
  use(amount: number): number {
    this.#fill()
    this.#remaining -= amount
    return this.#remaining >= 0 ? 0 : (-this.#remaining / this.#perSecond) * 1000
  }

  /** Uses one unit if one is available. */
  useOne(): boolean {
    this.#fill()
    if (this.#remaining < 1) return false
    this.#remaining--
    return true
  }

  #fill(): void {
    const now = performance.now()
    this.#remaining = Math.min(this.#maxAmount, this.#remaining + ((now - this.#since) / 1000) * this.#perSecond)
    this.#since = now
  }
}

/**
 * Reads a stream no faster than an allowance permits: its writer waits.
 * @param processChunk processes a chunk, and returns its cost
 */
export function readThrottled(stream: Readable, allowance: Allowance, processChunk: (chunk: Buffer) => number): void {
  stream.on('data', (chunk: Buffer) => {
    const milliseconds = allowance.use(processChunk(chunk))
    if (milliseconds === 0) return
    stream.pause()
    setTimeout(() => stream.resume(), milliseconds).unref()
  })
}
