/** Time that a code must be out of view before it counts again, in milliseconds. */
const OUT_OF_SIGHT_MS = 1_500

/**
 * The codes in the camera image. A code that stays visible is one scan. It becomes another scan after it was out of view for a while, as
 * with a second label that has the same code.
 */
export class Sightings {
  readonly #lastSeen = new Map<string, number>()

  /**
   * Handles the codes of a frame.
   * @param now milliseconds
   * @returns the codes that are new
   */
  addFrame(codes: readonly string[], now: number): string[] {
    for (const [code, time] of this.#lastSeen) if (now - time > OUT_OF_SIGHT_MS) this.#lastSeen.delete(code)
    const newCodes = [...new Set(codes)].filter((code) => code !== '' && !this.#lastSeen.has(code))
    for (const code of codes) this.#lastSeen.set(code, now)
    return newCodes
  }
}
