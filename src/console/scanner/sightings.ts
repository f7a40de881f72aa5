/** Milliseconds for which a code has to be out of sight before it counts once more. */
const GONE = 1_500

/**
 * The codes that a camera sees. One that stays in sight is one scan; it is one more once it was out of sight for a while, as a second
 * label that says the same is.
 */
export class Sightings {
  readonly #last = new Map<string, number>()

  /**
   * Takes what is in a picture.
   * @param now milliseconds
   * @returns the codes that are new
   */
  see(codes: readonly string[], now: number): string[] {
    for (const [code, at] of this.#last) if (now - at > GONE) this.#last.delete(code)
    const fresh = [...new Set(codes)].filter((code) => code !== '' && !this.#last.has(code))
    for (const code of codes) this.#last.set(code, now)
    return fresh
  }
}
