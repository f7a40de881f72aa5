import { LRUCache } from 'lru-cache'
import { nameStatement } from '../sql/statement.ts'
import type { Database } from '../sql/tx.ts'
import { KnownOrder, type Place } from './known-order.ts'
import type { Changes, OrderStatement } from './order-statement.ts'

/** What an order is known by. */
type Entry = {
  known?: KnownOrder
  /** Pages that begin at this row or later are found by it; others come as soon without. */
  from: number
  /** Whether a page was found by it since it was read. */
  hasServed: boolean
  isRead: boolean
  /** Milliseconds to wait from one reading to the next, and when that may be, as `performance.now` counts. */
  wait: number
  next: number
}

/** How much is kept of orders, in keys; one takes four bytes. */
const MOST = 1_000_000
/** About what an order takes beside its keys, as so many keys. */
const OVERHEAD = 500
/** So many changed rows are looked at for each page before the order is read anew. */
const MANY = 32
/** An order is read anew after this many milliseconds at the earliest, and this many times as long as reading it took. */
const WAIT = 500
const SHARE = 20
/** Where it was read in vain it is waited twice as long each time, up to so many milliseconds. */
const LONGEST_WAIT = 60_000
/** It is tried so often to find a page by what is known; after the first time it is known what changed. */
const TRIES = 3

/** The orders of lists as they were lately read from a database (ADR 0045). */
export class OrderMemory {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MOST,
    sizeCalculation: ({ known }) => (known?.size ?? 0) + OVERHEAD,
  })
  readonly #database: Database
  /** One is read at a time: the database has others to serve. */
  #isBusy = false

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * A page, found by what is known of its order.
   * @param find looks for it there, and gives it, or what changed since what is known as `standing`
   * @returns undefined where it is not known
   */
  async page<Page>(
    order: OrderStatement,
    values: Record<string, unknown>,
    { offset, limit }: { offset: number; limit: number },
    find: (place: Place & { standing: string }) => Promise<{ page: Page } | { changes: Changes }>,
  ): Promise<Page | undefined> {
    const entry = this.#entries.get(keyOf(order, values))
    const known = entry?.known
    if (!known || offset < entry.from) return undefined
    for (let tries = 0; tries < TRIES; tries++) {
      const place = known.placeOf(offset, limit)
      if (!place) return undefined
      const answer = await find({ ...place, standing: known.standing })
      if ('page' in answer) {
        entry.hasServed = true
        if (known.changed > MANY) this.read(order, values, entry.from)
        return answer.page
      }
      if (!known.catchUp(answer.changes)) {
        if (entry.known === known) delete entry.known
        this.read(order, values, entry.from)
        return undefined
      }
    }
    return undefined
  }

  /**
   * Reads an order, beside whatever is done meanwhile; not too often.
   * @param from the row from which on pages are to be found by it
   */
  read(order: OrderStatement, values: Record<string, unknown>, from: number): void {
    const key = keyOf(order, values)
    const entry = this.#entries.get(key) ?? { from, hasServed: true, isRead: false, wait: WAIT, next: 0 }
    entry.from = Math.min(from, entry.from)
    const started = performance.now()
    if (this.#isBusy || started < entry.next) return
    this.#isBusy = true
    const { text, names, most } = order
    if (entry.isRead) order.name ??= nameStatement()
    entry.isRead = true
    this.#database
      .texts({ text, name: order.name, values: names.map((name) => values[name]) })
      .then(([row]) => {
        const [changes, keys] = (row as string[]).map((text) => JSON.parse(text)) as [Changes, number[]]
        const known = new KnownOrder(keys, keys.length < most, changes)
        const took = performance.now() - started
        const wait = Math.max(WAIT, SHARE * took, entry.hasServed ? 0 : Math.min(2 * entry.wait, LONGEST_WAIT))
        this.#entries.set(key, { ...entry, known, hasServed: false, wait, next: performance.now() + wait })
      })
      // whoever asks for the page is told why it cannot be read
      .catch(() => {})
      .finally(() => {
        this.#isBusy = false
      })
  }
}

const keyOf = ({ id, names }: OrderStatement, values: Record<string, unknown>) =>
  `${id} ${JSON.stringify(names.map((name) => values[name]))}`
