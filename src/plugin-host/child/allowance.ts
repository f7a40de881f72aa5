import type { Readable } from 'node:stream'

/** How much of something may be used: so much a second, and what was not used is kept up to a limit. */
export class Allowance {
  readonly #perSecond: number
  readonly #most: number
  #left: number
  #since = performance.now()

  /** @param most what can be kept, and is there at first */
  constructor(perSecond: number, most: number) {
    this.#perSecond = perSecond
    this.#most = most
    this.#left = most
  }

  /** Uses some, even more than there is. @returns the milliseconds until nothing is owed */
  use(amount: number): number {
    this.#fill()
    this.#left -= amount
    return this.#left >= 0 ? 0 : (-this.#left / this.#perSecond) * 1000
  }

  /** Uses one if there is one. */
  useOne(): boolean {
    this.#fill()
    if (this.#left < 1) return false
    this.#left--
    return true
  }

  #fill(): void {
    const now = performance.now()
    this.#left = Math.min(this.#most, this.#left + ((now - this.#since) / 1000) * this.#perSecond)
    this.#since = now
  }
}

/**
 * Reads a stream no faster than an allowance lets it: its writer waits.
 * @param take what to do with each piece
 * @param cost what a piece has used
 */
export function readWithin(stream: Readable, allowance: Allowance, take: (chunk: Buffer) => number): void {
  stream.on('data', (chunk: Buffer) => {
    const milliseconds = allowance.use(take(chunk))
    if (milliseconds === 0) return
    stream.pause()
    setTimeout(() => stream.resume(), milliseconds).unref()
  })
}
