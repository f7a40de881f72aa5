/** Time that a code must be out of view before it counts again, in milliseconds. */
const OUT_OF_SIGHT_MS = 1_500

/**
 * The codes in the camera image. A code that stays visible is one scan; it is another one after it was out of view for a while, such as a
 * second label with the same code.
 */
export class Sightings {
  readonly #last = new Map<string, number>()

  /**
   * Handles the codes of a frame.
   * @param now milliseconds
   * @returns the codes that are new
   */
  see(codes: readonly string[], now: number): string[] {
    for (const [code, at] of this.#last) if (now - at > OUT_OF_SIGHT_MS) this.#last.delete(code)
    const fresh = [...new Set(codes)].filter((code) => code !== '' && !this.#last.has(code))
    for (const code of codes) this.#last.set(code, now)
    return fresh
  }
}
