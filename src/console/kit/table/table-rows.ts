import { type Signal, signal } from '@preact/signals'
import { ApiError, get, type Page, withQuery } from '../service/api.ts'

/** Rows per request. */
const ROWS_PER_REQUEST = 100
/** Milliseconds that a part of the list has to stay in view before it is requested: parts that are scrolled past are not. */
const REQUEST_DELAY_MS = 30
/** Maximum number of cached parts; the oldest requests are dropped first. */
const MAX_CACHED_PARTS = 60

/** The rows of a list of any length; those that came into view are loaded. */
export type Rows<Row> = {
  /** Total number of rows; undefined until it is known. */
  count: Signal<number | undefined>
  /** The error of a read, until one succeeds; loaded rows stay. */
  error: Signal<ApiError | undefined>
  /** Changes when rows have arrived. */
  version: Signal<number>
  row(index: number): Row | undefined
  /** All loaded rows, in no particular order. */
  loadedRows(): Row[]
  /** Requests these rows if they are not loaded. */
  ensureLoaded(startIndex: number, endIndex: number): void
  /** Fetches the current rows in one request, whether they have been in view or not. @throws ApiError */
  fetchRows(startIndex: number, endIndex: number): Promise<Row[]>
  /** Reloads all rows, as after a change; displayed rows stay until the new ones have arrived. */
  reload(): void
  dispose(): void
}

/** Rows that were loaded together. */
type Part<Row> = {
  rows: Row[]
  /** Number of reloads of the list at the time of this load. */
  generation: number
}

/** The first rows of a list, which a page has loaded with its other data. */
export type FirstRows<Row> = { url: string; page: Page<Row> }

/** URL of the first rows of a list, so that a page loads them in one round trip with the rest. */
export const buildFirstRowsUrl = (url: string, query: Record<string, string | undefined>): string =>
  withQuery(url, { ...query, limit: ROWS_PER_REQUEST, offset: 0 })

/**
 * @param query filters, search and order, without limit and offset
 * @param first its first rows, if they are loaded already; those of another list are ignored
 */
export function createRows<Row>(url: string, query: Record<string, string | undefined>, first?: FirstRows<Row>): Rows<Row> {
  const firstPage = first?.url === buildFirstRowsUrl(url, query) ? first.page : undefined
  const count = signal<number | undefined>(firstPage?.count)
  const loadError = signal<ApiError | undefined>(undefined)
  const version = signal(0)
  const parts = new Map<number, Part<Row>>(firstPage ? [[0, { rows: firstPage.results, generation: 0 }]] : [])
  const pendingRequests = new Map<number, AbortController>()
  let generation = 0
  let visibleRange: [number, number] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(part: number): Promise<void> {
    const controller = new AbortController()
    pendingRequests.set(part, controller)
    try {
      const { body } = await get<Page<Row>>(
        withQuery(url, { ...query, limit: ROWS_PER_REQUEST, offset: part * ROWS_PER_REQUEST }),
        controller.signal,
      )
      // replaced by another request
      if (controller.signal.aborted) return
      // moves the part to the end of the cache
      parts.delete(part)
      parts.set(part, { rows: body.results, generation })
      for (const old of [...parts.keys()].slice(0, Math.max(0, parts.size - MAX_CACHED_PARTS))) parts.delete(old)
      count.value = body.count
      loadError.value = undefined
      version.value++
    } catch (error) {
      // reports the first failure; later ones change nothing, or the display would keep sending requests
      if (error instanceof ApiError) loadError.value ??= error
      else if ((error as Error).name !== 'AbortError') throw error
    } finally {
      if (pendingRequests.get(part) === controller) pendingRequests.delete(part)
    }
  }

  function cancel(part: number, controller: AbortController): void {
    controller.abort()
    pendingRequests.delete(part)
  }

  const isLoaded = (part: number) => parts.get(part)?.generation === generation
  const getFirstPart = () => Math.floor(visibleRange[0] / ROWS_PER_REQUEST)
  const getLastPart = () => Math.floor(Math.max(visibleRange[0], visibleRange[1] - 1) / ROWS_PER_REQUEST)
  function loadVisible(): void {
    timer = undefined
    for (const [part, controller] of pendingRequests) if (part < getFirstPart() || part > getLastPart()) cancel(part, controller)
    for (let part = getFirstPart(); part <= getLastPart(); part++) if (!isLoaded(part) && !pendingRequests.has(part)) load(part)
  }

  return {
    count,
    error: loadError,
    version,
    row: (index) => parts.get(Math.floor(index / ROWS_PER_REQUEST))?.rows[index % ROWS_PER_REQUEST],
    loadedRows: () => [...parts.values()].flatMap((part) => part.rows),
    ensureLoaded(startIndex, endIndex) {
      visibleRange = [startIndex, endIndex]
      if ((isLoaded(getFirstPart()) && isLoaded(getLastPart())) || timer !== undefined) return
      timer = setTimeout(loadVisible, count.value === undefined ? 0 : REQUEST_DELAY_MS)
    },
    async fetchRows(startIndex, endIndex) {
      const { body } = await get<Page<Row>>(withQuery(url, { ...query, limit: endIndex - startIndex, offset: startIndex }))
      return body.results
    },
    reload() {
      for (const [part, controller] of pendingRequests) cancel(part, controller)
      generation++
      loadVisible()
    },
    dispose() {
      clearTimeout(timer)
      for (const controller of pendingRequests.values()) controller.abort()
    },
  }
}
