import type { ChangedSlot, Changes } from './order-statement.ts'

/**
 * Where to look for a page: the keys of all rows that can be on it, and how many of them, in their order, come before it. And to count the
 * list: how many of its rows did not change, null where not all are known, and the keys of those that did.
 */
export type Place = { keys: number[]; skipped: number; unchanged: number | null; changed: number[] }

/**
 * In which order the rows of a list were at some moment, and which of them changed since. Those that did not change come in the same order
 * as then, whatever became of the others; so a page is among a few rows as long as few changed (ADR 0045).
 */
export class KnownOrder {
  readonly #keys: Int32Array
  /** Whether these are all rows of the list. */
  readonly #isWhole: boolean
  readonly #around: string
  #standing: string
  /** How many changes all slots together had counted (`Changes.total`). */
  #total: number
  /** How many changes each slot had counted (`Changes.slots`). */
  readonly #slots: Map<string, number>
  #counted: string | undefined
  /** The keys of what changed since, each with where it was among `#keys`; -1: nowhere. */
  readonly #changed = new Map<number, number>()

  constructor(keys: Int32Array, isWhole: boolean, { standing, around, total, slots }: Changes) {
    this.#keys = keys
    this.#isWhole = isWhole
    this.#around = around
    this.#standing = standing
    this.#total = total
    this.#slots = new Map(slots.map(([name, changes]) => [name, changes]))
  }

  /** How many changes each slot had counted up to which it is known what changed, as JSON. */
  get counted(): string {
    this.#counted ??= JSON.stringify(Object.fromEntries(this.#slots))
    return this.#counted
  }

  /** The `Changes.standing` up to which it is known what changed. */
  get standing(): string {
    return this.#standing
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#keys.length
  }

  /** How many rows changed since. */
  get changed(): number {
    return this.#changed.size
  }

  /**
   * Takes in what changed until a later moment; of an earlier one, nothing: it may tell of slots that were folded into one since.
   * @returns whether it is known which rows that were
   */
  catchUp({ standing, around, total, slots }: Changes): boolean {
    if (total < this.#total) return true
    if (around !== this.#around) return false
    const later = slots.filter(([name, changes]) => changes > this.#before(name))
    const keys = new Set<number>()
    for (const slot of later) {
      const some = keysSince(this.#before(slot[0]), slot)
      if (!some) return false
      for (const key of some) if (!this.#changed.has(key)) keys.add(key)
    }
    for (const [key, place] of placesOf(keys, this.#keys)) this.#changed.set(key, place)
    for (const [name, changes] of later) this.#slots.set(name, changes)
    if (later.length === 0) return true
    this.#standing = standing
    this.#total = total
    this.#counted = undefined
    return true
  }

  #before(slot: string): number {
    return this.#slots.get(slot) ?? 0
  }

  /**
   * Where a page is; undefined where that is farther than the order is known.
   *
   * The unchanged rows are numbered as they come. The page needs those from `offset` on, less as many as changed, since each of these may
   * have come before it. All that changed is looked at with them: what of it comes before the first of them stands before the page
   * anyway, so that as many rows are before the page as were before the first of them, and those passed over among the rows looked at.
   */
  placeOf(offset: number, limit: number): Place | undefined {
    const from = Math.max(0, offset - this.#changed.size)
    const wanted = offset + limit - from
    let at = from
    const gone = [...this.#changed.values()].filter((place) => place >= 0).sort((one, other) => one - other)
    for (const place of gone) {
      if (place > at) break
      at++
    }
    const keys: number[] = []
    for (; keys.length < wanted && at < this.#keys.length; at++) {
      const key = this.#keys[at] as number
      if (!this.#changed.has(key)) keys.push(key)
    }
    if (keys.length < wanted && !this.#isWhole) return undefined
    const changed = [...this.#changed.keys()]
    return {
      keys: [...keys, ...changed],
      skipped: offset - from,
      unchanged: this.#isWhole ? this.#keys.length - gone.length : null,
      changed,
    }
  }
}

/** The keys that a slot counted since it had counted so many changes; undefined where not all of them are kept. */
function keysSince(before: number, [, changes, latest, earlier]: ChangedSlot): number[] | undefined {
  const keys: number[] = []
  let reached = changes
  for (const [upto, some] of [[changes, latest] as const, ...earlier]) {
    if (reached <= before || upto < reached) break
    const begin = upto - some.length
    keys.push(...some.slice(Math.max(0, before - begin)))
    reached = begin
  }
  return reached <= before ? keys : undefined
}

/** So many keys are looked for one by one: that is quicker than to look at each of those among which they are. */
const FEW = 8

/** Where some keys are among others; -1: nowhere. */
function placesOf(wanted: ReadonlySet<number>, keys: Int32Array): Map<number, number> {
  const places = new Map([...wanted].map((key) => [key, wanted.size <= FEW ? keys.indexOf(key) : -1]))
  if (wanted.size <= FEW) return places
  // the end of its bits tells of nearly every key that it is not among them
  const ends = new Uint8Array(2 ** 16)
  for (const key of wanted) ends[key & 0xffff] = 1
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as number
    if (ends[key & 0xffff] && wanted.has(key)) places.set(key, at)
  }
  return places
}
