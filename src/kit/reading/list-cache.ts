import { LRUCache } from 'lru-cache'
import type { Database } from '../sql/tx.ts'
import type { ListStatement } from './list-statement.ts'
import type { RegexLimits } from './regex.ts'

/** A page of a list: the total number of rows, those of the page as JSON text, and, when reading by cursor, where the next page begins. */
export type Page = { count: number; rows: string; cursor?: string }

type Versioned<T> = { version: string; value: T }

/** Values of parameters by name. */
type Values = Record<string, unknown>

/** Maximum characters of cached pages; a character takes one byte, or two if its page holds any beyond Latin 1. */
const MAX_CACHED_LENGTH = 32 * 1024 * 1024
/** Maximum characters of a page to cache: a longer one would evict many others. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024
/** Maximum size of cached counts. Nearly all of it is for their keys. */
const MAX_COUNTS_BYTES = 4 * 1024 * 1024
/** Approximate size of an entry without its strings. */
const ENTRY_OVERHEAD = 500

/**
 * Pages and counts of lists as they were last read from a database. Each request asks PostgreSQL, in its own snapshot, whether they are
 * still valid, so that a change by another node, a script or a manual statement is never missed (ADR 0008).
 */
class PageCache {
  readonly #counts = new LRUCache<string, Versioned<number>>({
    maxSize: MAX_COUNTS_BYTES,
    sizeCalculation: (_, key) => key.length + ENTRY_OVERHEAD,
  })
  readonly #pages = new LRUCache<string, Versioned<Page>>({
    maxSize: MAX_CACHED_LENGTH,
    maxEntrySize: MAX_PAGE_LENGTH,
    sizeCalculation: ({ value }, key) => value.rows.length + key.length + ENTRY_OVERHEAD,
  })

  /** Reads the page of a list for these parameter values. */
  async read(statement: ListStatement, values: Values, database: Database, limits: RegexLimits | undefined): Promise<Page> {
    // the result depends only on the text and the values of the statement, for any caller
    const cacheKey = (excludedNames: ReadonlySet<string>) =>
      JSON.stringify(statement.names.flatMap((name) => (excludedNames.has(name) ? [] : [values[name]])))
    const pageKey = `${statement.id} ${cacheKey(NOT_IN_PAGE)}`
    const countKey = `${statement.id} ${cacheKey(NOT_COUNTED)}`
    const isCacheable = !statement.dependsOnNow
    const page = isCacheable ? this.#pages.get(pageKey) : undefined
    const count = isCacheable ? this.#counts.get(countKey) : undefined
    const allValues: Values = { ...values, knownPage: page?.version ?? null, knownCount: count?.version ?? null }
    const { text, name, names } = statement
    const [row] = await database.queryAsText({ text, name, values: names.map((name) => allValues[name]), ...limits })
    if (!row) throw new Error('a list statement must return one row')
    const [pageVersion, countVersion, countText, rows, cursor] = row as [
      string,
      string,
      string | null,
      string | null,
      string | null,
    ]
    if (page?.version === pageVersion) return page.value
    const newPage = {
      count: countText === null ? (count as Versioned<number>).value : Number(countText),
      rows: rows as string,
      ...(cursor && { cursor }),
    }
    if (isCacheable) {
      this.#counts.set(countKey, { version: countVersion, value: newPage.count })
      this.#pages.set(pageKey, { version: pageVersion, value: newPage })
    }
    return newPage
  }
}

/** Parameters that affect neither page nor count. */
const NOT_IN_PAGE = new Set(['knownPage', 'knownCount'])
/** Parameters that do not affect the count of a list. */
const NOT_COUNTED = new Set([...NOT_IN_PAGE, 'limit', 'offset', 'after'])

const caches = new WeakMap<Database, PageCache>()

/** Reads a page of a list, using the cached page and count if they are still valid. */
export function readPage(
  statement: ListStatement,
  values: Record<string, unknown>,
  database: Database,
  limits?: RegexLimits,
): Promise<Page> {
  const { origin } = database
  const cache = caches.get(origin) ?? new PageCache()
  caches.set(origin, cache)
  return cache.read(statement, values, database, limits)
}
