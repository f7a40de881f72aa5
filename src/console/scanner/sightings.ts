/** Time that a code must be out of view before it counts again, in milliseconds. */
const OUT_OF_SIGHT_MS = 1_500

/** Frames that must be without a code before it counts again: on a slow phone, a blurred one alone takes longer than that time. */
const OUT_OF_SIGHT_FRAMES = 3

/** The time that a code was out of view: the time of the first frame without it, and the number of these frames. */
type Absence = { since: number; frames: number }

/**
 * The codes in the camera image. A code that stays visible is one scan, however long each frame takes. It becomes another scan after it was
 * out of view for a while, as with a second label that has the same code.
 */
export class Sightings {
  /** Undefined for the codes of the latest frame. */
  readonly #absences = new Map<string, Absence | undefined>()

  /**
   * Handles the codes of a frame.
   * @param now milliseconds
   * @returns the codes that are new
   */
  addFrame(codes: readonly string[], now: number): string[] {
    for (const [code, absence] of this.#absences) {
      if (codes.includes(code)) continue
      const { since, frames } = absence ?? { since: now, frames: 0 }
      if (frames + 1 >= OUT_OF_SIGHT_FRAMES && now - since >= OUT_OF_SIGHT_MS) this.#absences.delete(code)
      else this.#absences.set(code, { since, frames: frames + 1 })
    }
    const newCodes = [...new Set(codes)].filter((code) => code !== '' && !this.#absences.has(code))
    for (const code of codes) this.#absences.set(code, undefined)
    return newCodes
  }
}
