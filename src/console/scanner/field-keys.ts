import { getControlCharacter, getMedian, isModifier, isTerminator, MIN_CERTAIN_LENGTH, type Stroke } from './scan-keys.ts'

/** Maximum pause between two keys of a scanner, in milliseconds: slow ones send a key every 300 ms. */
const MAX_PAUSE_MS = 450
/** Minimum number of characters of a scan by a scanner that is faster than people, and by a slower one. */
const MIN_FAST_LENGTH = 2
const MIN_SLOW_LENGTH = 4
/** Maximum spread of the pauses of a slow scanner, in milliseconds and as a fraction of the median. Those of people differ more. */
const MAX_SPREAD_MS = 50
const MAX_SPREAD_RATIO = 0.4

/** The classification of a key in a text field, beyond the default action of the browser. */
export type StrokeKind =
  /** The browser handles it. */
  | undefined
  /** The key that ends a scan. */
  | 'end'
  /** A second end key, as some scanners send: it is ignored. */
  | 'repeated-end'
  /** A control character of the code. */
  | { control: string }

/**
 * Detects in a text field the key that ends a scan, as opposed to Enter and Tab pressed by people, and control characters of a code, as opposed
 * to shortcuts of the browser. The browser handles the characters themselves, however fast they arrive. Scanners type evenly; people do not,
 * and pause before Enter.
 */
export class FieldKeys {
  /** Maximum time until the next key of a fast scanner, in milliseconds. */
  readonly #delay: number
  #pauses: number[] = []
  #count = 0
  #lastTime = Number.NEGATIVE_INFINITY
  #terminatorDeadline = Number.NEGATIVE_INFINITY

  /** @param delay the setting `BARCODE_INPUT_DELAY` */
  constructor(delay: number) {
    this.#delay = delay
  }

  press(stroke: Stroke): StrokeKind {
    if (isModifier(stroke)) return undefined
    const { key, ctrlKey, altKey, metaKey, altGraph, repeat, isComposing, timeStamp } = stroke
    if (isTerminator(stroke)) return this.#terminate(timeStamp)
    if (repeat || isComposing || metaKey) return this.reset()
    const pause = timeStamp - this.#lastTime
    if (pause > MAX_PAUSE_MS || pause < 0) this.reset()
    if (ctrlKey && !altKey && !altGraph) {
      const control = getControlCharacter(stroke, this.#count >= MIN_CERTAIN_LENGTH && this.#isEven(this.#pauses))
      if (control === undefined) return this.reset()
      if (/[\r\n\t]/.test(control)) return this.#terminate(timeStamp) ?? 'repeated-end'
      this.#add(timeStamp)
      return { control }
    }
    if ([...key].length === 1 || key === 'Dead') this.#add(timeStamp)
    else this.reset()
    return undefined
  }

  #add(timeStamp: number): void {
    if (this.#count > 0) this.#pauses.push(timeStamp - this.#lastTime)
    this.#count++
    this.#lastTime = timeStamp
    this.#terminatorDeadline = Number.NEGATIVE_INFINITY
  }

  #terminate(timeStamp: number): 'end' | 'repeated-end' | undefined {
    if (timeStamp <= this.#terminatorDeadline) return 'repeated-end'
    const pauses = [...this.#pauses, timeStamp - this.#lastTime]
    const isScan =
      pauses.every((pause) => pause <= MAX_PAUSE_MS) &&
      (Math.max(...pauses) <= this.#delay
        ? this.#count >= MIN_FAST_LENGTH
        : this.#count >= MIN_SLOW_LENGTH && this.#isEven(pauses))
    const medianPause = getMedian(pauses)
    this.reset()
    if (!isScan) return undefined
    this.#terminatorDeadline = timeStamp + Math.max(this.#delay, 1.5 * medianPause)
    return 'end'
  }

  /** Whether the pauses are even enough for a scanner. */
  #isEven(pauses: readonly number[]): boolean {
    const median = getMedian(pauses)
    if (median <= this.#delay) return true
    return Math.max(...pauses) - Math.min(...pauses) <= Math.max(MAX_SPREAD_MS, MAX_SPREAD_RATIO * median)
  }

  /** Resets the state, as the next key belongs to other input. */
  reset(): undefined {
    this.#pauses = []
    this.#count = 0
    this.#lastTime = Number.NEGATIVE_INFINITY
  }
}
