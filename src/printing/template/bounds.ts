import { setImmediate } from 'node:timers/promises'

/** Time limit in milliseconds for the templates of one print, including everything that they read. */
export const RENDER_TIMEOUT_MS = 30_000
/** Milliseconds of work after which other requests get their turn. */
const MAX_TURN_MS = 20
/** Maximum characters that the items of one print produce. */
const MAX_OUTPUT_CHARACTERS = 20_000_000
/** Maximum characters and list entries that the filters and ranges of one item produce. */
const MAX_MEMORY_UNITS = 500_000
/** Maximum loop iterations, blocks and included files of one print in total; even the cheapest ones take some seconds in this number. */
const MAX_LOOP_ITERATIONS = 300_000
/** Maximum entries of a list that a filter processes; a print reads at most as many objects. */
export const MAX_LIST_ENTRIES = 20_000
/** Maximum nesting of blocks, loops and included files. */
const MAX_DEPTH = 60

/** Maximum characters of a template, or of a file that it includes; and maximum tags and outputs in it: LiquidJS is slow to read very many. */
export const MAX_TEMPLATE_CHARACTERS = 1_000_000
const MAX_TEMPLATE_TAGS = 10_000

/** A template exceeds a limit. */
export class TemplateLimitExceeded extends Error {}

/** Checks the size of a template, or of a file that one includes, before it is read. */
export function checkSize(source: string): void {
  if (source.length > MAX_TEMPLATE_CHARACTERS)
    throw new TemplateLimitExceeded(`A template can have at most ${MAX_TEMPLATE_CHARACTERS} characters.`)
  let count = 0
  for (const _ of source.matchAll(/\{[{%]/g))
    if (++count > MAX_TEMPLATE_TAGS)
      throw new TemplateLimitExceeded(`A template can have at most ${MAX_TEMPLATE_TAGS} tags and outputs.`)
}

/**
 * Limits on the resources of one print's templates. LiquidJS calls it instead of its own limits (`check`, `use`), which cover neither
 * output nor depth; `enter` is called for each rendered block, so once for each loop iteration.
 */
export class Bounds {
  readonly #milliseconds: number
  readonly #deadline: number
  #turnStart = performance.now()
  #memory = 0
  #output = 0
  #depth = 0
  #iterations = 0

  /** @param milliseconds time limit for the whole print, from now on */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#deadline = performance.now() + milliseconds
  }

  /** LiquidJS passes the current time at each tag. */
  check(now: number): void {
    if (now > this.#deadline)
      throw new TemplateLimitExceeded(`The template takes longer than ${this.#milliseconds / 1000} seconds.`)
  }

  /** LiquidJS passes how much its filters and ranges are about to produce. */
  use(count: number): void {
    this.#memory += Number(count) || 0
    if (this.#memory > MAX_MEMORY_UNITS)
      throw new TemplateLimitExceeded(`The texts and lists of the template are too long: more than ${MAX_MEMORY_UNITS} in total.`)
  }

  /** Counts text that is added to the output, or to a block. */
  write(length: number): void {
    this.#output += length
    if (this.#output > MAX_OUTPUT_CHARACTERS)
      throw new TemplateLimitExceeded(`The output of the template is longer than ${MAX_OUTPUT_CHARACTERS} characters.`)
  }

  enter(): void {
    if (++this.#iterations > MAX_LOOP_ITERATIONS)
      throw new TemplateLimitExceeded(`The loops of the template exceed ${MAX_LOOP_ITERATIONS} iterations in total.`)
    if (++this.#depth > MAX_DEPTH)
      throw new TemplateLimitExceeded(
        `Blocks, loops and included files of the template are nested more than ${MAX_DEPTH} levels deep.`,
      )
  }

  leave(): void {
    this.#depth--
  }

  /** Returns a promise to await, so that other requests can run; undefined while it is not time yet. */
  turn(): Promise<void> | undefined {
    return performance.now() - this.#turnStart < MAX_TURN_MS ? undefined : this.#pause()
  }

  /** Starts the next item of the print. */
  nextItem(): void {
    this.#memory = 0
    this.#depth = 0
  }

  async #pause(): Promise<void> {
    await setImmediate()
    this.#turnStart = performance.now()
  }
}
