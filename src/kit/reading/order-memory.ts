import { LRUCache } from 'lru-cache'
import type { Statement } from '../../database/text-query.ts'
import { nameOf } from '../sql/statement.ts'
import type { Database } from '../sql/tx.ts'
import { KnownOrder, type Place } from './known-order.ts'
import { type Asking, type Changes, keysIn, type OrderStatement } from './order-statement.ts'

type Values = Record<string, unknown>

/** What an order is known by. */
type Entry = {
  known?: KnownOrder
  /** Milliseconds that pages took lately without it, or where not all rows were known: where that is much, they are all found by it. */
  average: number
  /** All rows are to be known, as they are counted and that takes long. */
  isWhole: boolean
  /** How many rows there are up to the end of the farthest page that was asked for since it was read. */
  farthest: number
  /** Whether a page was found by it since it was read. */
  hasServed: boolean
  /** How often something had been committed when it was last asked what changed. */
  commits: number
  /** How many keys were asked for at most when it was last read, or could not be. */
  most: number
  /** Milliseconds to wait from one reading to the next, and when that ended, as `performance.now` counts. */
  wait: number
  ended: number
}

/** How much is kept of orders, in keys, each of which takes so many bytes. */
const MOST = 4_000_000
const BYTES = Int32Array.BYTES_PER_ELEMENT
/** About what an order takes beside its keys, as so many keys. */
const OVERHEAD = 500
/** Behind so many rows a page is found by its order; before them it comes as soon without, where the list is not slow. */
const FAR = 1_000
/** So many milliseconds are slow, of a list with so many rows; it is slow that is so in the average of the last pages, each a fourth of it. */
const SLOW = 10
const ROWS = 10_000
const PART = 4
/** Of pages with more rows than these it is the rows that take long. */
const LONG = 100
/** How many rows more are read than the farthest page has before its end, as rows that change may move it. */
const SPARE = 1_000
/** When so many rows changed the order is read anew. Until it is, more are looked at for each page, as long as that is the shorter way. */
const MANY = 32
const MOST_NEAR = 40
const MOST_FAR = 1_000
/** An order is read anew after this many milliseconds at the earliest, and this many times as long as reading it took. */
const WAIT = 500
const SHARE = 20
/** Where it was read in vain it is waited twice as long each time, up to so many milliseconds. */
const LONGEST_WAIT = 60_000
/** After all rows of one were read it takes this many times as long until all of another are. */
const REST = 2
/** It is tried so often to find a page by what is known; after the first time it is known what changed. */
const TRIES = 2

/** The orders of lists as they were lately read from a database (ADR 0045). */
export class OrderMemory {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: MOST,
    sizeCalculation: ({ known }, key) => (known?.size ?? 0) + Math.ceil(key.length / BYTES) + OVERHEAD,
  })
  readonly #database: Database
  /** One is read at a time: the database has others to serve. Until when not all rows of one are, as `performance.now` counts. */
  #isBusy = false
  #rests = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * A page, found by what is known of its order.
   * @param database where it is looked for: that of which this is, or one moment of it
   * @param find looks for it there, and gives it, or nothing where the order is no longer that of `standing`
   * @returns undefined where it is not known
   */
  async page<Page extends { count: number }>(
    order: OrderStatement,
    values: Values,
    { offset, limit }: { offset: number; limit: number },
    database: Database,
    find: (place: Place & { standing: string }) => Promise<Page | undefined>,
  ): Promise<Page | undefined> {
    const entry = this.#entries.get(keyOf(order, values))
    const known = entry?.known
    if (!known || (offset < FAR && !isSlow(entry))) return undefined
    const [first, whole] = order.keys
    const end = offset + limit
    const most = isSlow(entry) || end > first.most ? MOST_FAR : MOST_NEAR
    const started = performance.now()
    // what this process changed itself it need not be told that it did
    let isBehind = entry.commits !== this.#database.commits
    for (let tries = 0; tries < TRIES; tries++) {
      if (isBehind) {
        entry.commits = this.#database.commits
        const [row] = await database.texts(prepared(order.changes, { counted: known.counted }))
        const changes = JSON.parse(row?.[0] as string) as Changes
        const isKnown = known.catchUp(changes)
        if (!isKnown && entry.known === known) delete entry.known
        if (!isKnown || known.changed > most) break
        // one moment of it may be over in which the order was that: there it never will be
        if (database !== this.#database && known.standing !== changes.standing) break
      }
      const place = known.placeOf(offset, limit)
      const page = place && (await find({ ...place, standing: known.standing }))
      if (page) {
        entry.hasServed = true
        if (entry.most < whole.most) judge(entry, order, { limit, took: performance.now() - started, count: page.count })
        entry.farthest = Math.max(entry.farthest, end)
        const isToGrow = entry.isWhole && entry.most < whole.most
        if (known.changed > MANY || isToGrow) this.#read(order, values, entry, end)
        return page
      }
      if (!place) break
      isBehind = true
    }
    return undefined
  }

  /**
   * Is told of a page that was found without its order, which is read where that is worth it.
   * @param page.took milliseconds
   * @param page.count of the rows of the list
   */
  missed(order: OrderStatement, values: Values, page: { offset: number; limit: number; took: number; count: number }): void {
    const { offset, limit, count } = page
    if (count <= FAR || (offset < FAR && count < ROWS)) return
    const key = keyOf(order, values)
    const known = this.#entries.get(key)
    const entry = known ?? { average: 0, isWhole: false, farthest: 0, hasServed: true, commits: 0, most: 0, wait: 0, ended: 0 }
    if (!known) this.#keep(key, entry)
    judge(entry, order, page)
    if (offset >= FAR || isSlow(entry)) this.#read(order, values, entry, offset + limit)
  }

  /**
   * Reads an order, beside whatever is done meanwhile; not too often. What is far behind is read when it is read again.
   * @param end how many rows there are up to the end of a page that was asked for
   */
  #read(order: OrderStatement, values: Values, entry: Entry, end: number): void {
    const [first, whole] = order.keys
    const reaching = order.keys.find(({ most }) => most >= entry.farthest + SPARE) ?? first
    const asking = entry.isWhole ? whole : reaching
    entry.farthest = Math.max(entry.farthest, end)
    const started = performance.now()
    if (this.#isBusy || (asking === whole && started < this.#rests)) return
    // for whoever asks for pages that are farther behind it is sooner read so far
    if (started < entry.ended + (asking.most > entry.most ? Math.min(WAIT, entry.wait) : entry.wait)) return
    this.#isBusy = true
    const { commits } = this.#database
    this.#database
      .texts(sent(asking, values))
      .then(([row]) => {
        const [changes, texts] = row as [string, string | null]
        const keys = keysIn(texts)
        const known = new KnownOrder(keys, keys.length < asking.most, JSON.parse(changes))
        const took = performance.now() - started
        entry.wait = Math.max(WAIT, SHARE * took, entry.hasServed ? 0 : Math.min(2 * entry.wait, LONGEST_WAIT))
        // where the order comes so much sooner than the pages it is not the order that makes them slow, but perhaps the number of rows
        const average = entry.isWhole || (asking === first && 2 * took > entry.average) ? entry.average : 0
        const farthest = entry.farthest > asking.most ? entry.farthest : 0
        Object.assign(entry, { known, average, commits, most: asking.most, hasServed: false, farthest })
        this.#keep(keyOf(order, values), entry)
      })
      .catch(() => {
        // whoever asks for the page is told why it cannot be read; what is nearer may be
        Object.assign(entry, { most: asking.most, wait: LONGEST_WAIT, farthest: 0 })
      })
      .finally(() => {
        entry.ended = performance.now()
        if (asking === whole) this.#rests = entry.ended + REST * (entry.ended - started)
        this.#isBusy = false
      })
  }

  /** Keeps it as the one used last. What is set again is weighed only where it is another object: of the same it is not seen that it grew. */
  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }
}

const isSlow = ({ average }: Entry): boolean => average > SLOW

/** Takes in what a page took. */
function judge(
  entry: Entry,
  { isCounted, keys: [first, whole] }: OrderStatement,
  page: { limit: number; took: number; count: number },
): void {
  if (page.count < ROWS || page.limit > LONG) return
  entry.average += (page.took - entry.average) / PART
  entry.isWhole = isCounted && isSlow(entry) && page.count > first.most - SPARE && page.count <= whole.most - SPARE
}

const keyOf = ({ id, names }: OrderStatement, values: Values) => `${id} ${JSON.stringify(names.map((name) => values[name]))}`

const sent = ({ text, names }: Asking, values: Values): Statement => ({ text, values: names.map((name) => values[name]) })

/**
 * What is asked before pages is prepared. What reads an order is not: it is planned in less time than it takes, beside the requests, and
 * there are only so many names, which they need.
 */
const prepared = (asking: Asking, values: Values): Statement => ({ ...sent(asking, values), name: nameOf(asking.text) })
