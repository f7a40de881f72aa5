import { setImmediate } from 'node:timers/promises'

/** Milliseconds that the templates of one print may take, with all that they read. */
export const RENDER_TIME = 30_000
/** After so many milliseconds of work other requests get their turn. */
const TURN = 20
/** Characters that the items of one print may come to. */
const OUTPUT = 20_000_000
/** Characters and list entries that the filters and ranges of one item may make. */
const MEMORY = 500_000
/** Turns of loops, blocks and included files of one print, all together: of what does least, as many take some seconds. */
const TURNS = 300_000
/** Entries of a list that a filter goes through; a print reads no more objects. */
export const MOST_ENTRIES = 20_000
/** How deep blocks, loops and included files may lie in each other. */
const DEPTH = 60

/** Characters of a template, or of a file that it includes; and tags and outputs in it: LiquidJS is slow to read very many. */
const LENGTH = 1_000_000
const TAGS = 10_000

/** A template asks for more than one may have. */
export class BoundExceeded extends Error {}

/** Refuses a template, or a file that one includes, before it is read. */
export function checkSize(source: string): void {
  if (source.length > LENGTH) throw new BoundExceeded(`A template can have at most ${LENGTH} characters.`)
  let count = 0
  for (const _ of source.matchAll(/\{[{%]/g))
    if (++count > TAGS) throw new BoundExceeded(`A template can have at most ${TAGS} tags and outputs.`)
}

/**
 * What the templates of one print may use up, whatever they say. LiquidJS asks it in place of its own limits (`check`, `use`), which
 * know neither output nor depth; `work` is called for each block that is rendered, so once for each turn of a loop.
 */
export class Bounds {
  readonly #milliseconds: number
  readonly #until: number
  #turnBegan = performance.now()
  #memory = 0
  #output = 0
  #depth = 0
  #turns = 0

  /** @param milliseconds that all of it may take from now on */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.#until = performance.now() + milliseconds
  }

  /** LiquidJS says at each tag what time it is. */
  check(now: number): void {
    if (now > this.#until) throw new BoundExceeded(`The template takes longer than ${this.#milliseconds / 1000} seconds.`)
  }

  /** LiquidJS says of its filters and ranges how much they are going to make. */
  use(count: number): void {
    this.#memory += Number(count) || 0
    if (this.#memory > MEMORY)
      throw new BoundExceeded(`The texts and lists of the template are too long: more than ${MEMORY} in total.`)
  }

  /** Text that is added to what is printed, or to what a block holds. */
  write(length: number): void {
    this.#output += length
    if (this.#output > OUTPUT) throw new BoundExceeded(`The output of the template is longer than ${OUTPUT} characters.`)
  }

  enter(): void {
    if (++this.#turns > TURNS) throw new BoundExceeded(`The loops of the template exceed ${TURNS} iterations in total.`)
    if (++this.#depth > DEPTH)
      throw new BoundExceeded(`Blocks, loops and included files of the template are nested more than ${DEPTH} levels deep.`)
  }

  leave(): void {
    this.#depth--
  }

  /** Something to wait for, so that others get their turn; undefined while it is not time yet. */
  turn(): Promise<void> | undefined {
    return performance.now() - this.#turnBegan < TURN ? undefined : this.#pause()
  }

  /** The next item of the print begins. */
  nextItem(): void {
    this.#memory = 0
    this.#depth = 0
  }

  async #pause(): Promise<void> {
    await setImmediate()
    this.#turnBegan = performance.now()
  }
}
