/** Milliseconds within which a plugin may fail once. */
const ENDS_WITHIN = 600_000
/** How often within how many milliseconds its functions may throw. */
const THROWS = 20
const THROWS_WITHIN = 60_000

/** Counts how plugins fail, and says when it is too often. */
export class Failures {
  readonly #ends = new Map<string, number>()
  readonly #throws = new Map<string, number[]>()

  /** It failed as a whole. @returns whether it did so lately already */
  failed(key: string, now = performance.now()): boolean {
    const last = this.#ends.get(key)
    this.#ends.set(key, now)
    return last !== undefined && now - last < ENDS_WITHIN
  }

  /** One of its functions threw. @returns whether that is too often */
  threw(key: string, now = performance.now()): boolean {
    const lately = (this.#throws.get(key) ?? []).filter((at) => now - at < THROWS_WITHIN)
    lately.push(now)
    this.#throws.set(key, lately)
    return lately.length >= THROWS
  }

  /** It was switched, or loaded anew, by hand: it begins anew. */
  forget(key: string): void {
    this.#ends.delete(key)
    this.#throws.delete(key)
  }
}
