import { LRUCache } from 'lru-cache'
import type { Database } from '../sql/tx.ts'
import type { ListStatement } from './list-statement.ts'
import type { RegexLimits } from './regex.ts'

/** A page of a list: how many rows there are in all, those of the page as JSON text, and in a walk where the next page begins. */
export type Page = { count: number; rows: string; cursor?: string }

type Stamped<T> = { stamp: string; value: T }

/** The values of parameters by their names. */
type Values = Record<string, unknown>

/** How much of pages is remembered, in characters; one takes a byte, or two where a page holds any beyond Latin 1. */
const MAX_CACHED_LENGTH = 32 * 1024 * 1024
/** Longer pages are not remembered: one would push out many. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024
/** How much is remembered of counts: nearly all of it is what they are kept under. */
const MOST_COUNTS = 4 * 1024 * 1024
/** About what an entry takes beside its texts. */
const OVERHEAD = 500

/**
 * Pages and counts of lists as they were last read from a database. PostgreSQL is asked each time, in the snapshot of the request,
 * whether they still hold, so that nothing is ever shown that another node, a script or a hand in the database changed (ADR 0008).
 */
class PageMemory {
  readonly #counts = new LRUCache<string, Stamped<number>>({
    maxSize: MOST_COUNTS,
    sizeCalculation: (_, key) => key.length + OVERHEAD,
  })
  readonly #pages = new LRUCache<string, Stamped<Page>>({
    maxSize: MAX_CACHED_LENGTH,
    maxEntrySize: MAX_PAGE_LENGTH,
    sizeCalculation: ({ value }, key) => value.rows.length + key.length + OVERHEAD,
  })

  /** The page of a list for these values of its parameters, as it is where it is read. */
  async read(statement: ListStatement, values: Values, database: Database, limits: RegexLimits | undefined): Promise<Page> {
    // text and values decide what PostgreSQL answers, whoever asks: what is not in them cannot be in the page
    const given = (without: ReadonlySet<string>) =>
      JSON.stringify(statement.names.flatMap((name) => (without.has(name) ? [] : [values[name]])))
    const pageKey = `${statement.id} ${given(NOT_IN_PAGE)}`
    const countKey = `${statement.id} ${given(NOT_COUNTED)}`
    const isKept = !statement.isOfTheMoment
    const page = isKept ? this.#pages.get(pageKey) : undefined
    const count = isKept ? this.#counts.get(countKey) : undefined
    const all: Values = { ...values, knownPage: page?.stamp ?? null, knownCount: count?.stamp ?? null }
    const { text, name, names } = statement
    const [row] = await database.texts({ text, name, values: names.map((name) => all[name]), ...limits })
    if (!row) throw new Error('a list statement gives one row')
    const [pageStamp, countStamp, counted, rows, cursor] = row as [string, string, string | null, string | null, string | null]
    if (page?.stamp === pageStamp) return page.value
    const now = {
      count: counted === null ? (count as Stamped<number>).value : Number(counted),
      rows: rows as string,
      ...(cursor && { cursor }),
    }
    if (isKept) {
      this.#counts.set(countKey, { stamp: countStamp, value: now.count })
      this.#pages.set(pageKey, { stamp: pageStamp, value: now })
    }
    return now
  }
}

/** Parameters on which neither page nor count depends. */
const NOT_IN_PAGE = new Set(['knownPage', 'knownCount'])
/** Parameters on which the count of a list does not depend. */
const NOT_COUNTED = new Set([...NOT_IN_PAGE, 'limit', 'offset', 'after'])

const memories = new WeakMap<Database, PageMemory>()

/** A page of a list, out of what is remembered of the database as far as that still holds. */
export function readPage(
  statement: ListStatement,
  values: Record<string, unknown>,
  database: Database,
  limits?: RegexLimits,
): Promise<Page> {
  const { origin } = database
  const memory = memories.get(origin) ?? new PageMemory()
  memories.set(origin, memory)
  return memory.read(statement, values, database, limits)
}
