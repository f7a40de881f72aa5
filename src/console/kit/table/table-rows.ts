import { type Signal, signal } from '@preact/signals'
import { get, type Page, Refusal, withQuery } from '../service/api.ts'

/** How many rows are asked for at once. */
const SIZE = 100
/** How long a part of the list has to stay in view before it is asked for, in milliseconds: what is scrolled past is not. */
const PAUSE = 30
/** How many parts are kept; the ones that were asked for first go first. */
const KEPT = 60

/** The rows of a list of any length, of which those are here that came into view. */
export type Rows<Row> = {
  /** How many there are; undefined until that is known. */
  count: Signal<number | undefined>
  /** Why they could not be read, until they are; what is here stays. */
  refusal: Signal<Refusal | undefined>
  /** Changes when rows have come. */
  version: Signal<number>
  row(index: number): Row | undefined
  /** All that are here, in no order. */
  here(): Row[]
  /** Sees to it that these come. */
  want(from: number, to: number): void
  /** Rows as they are now, whether they came into view or not, in one request. @throws Refusal */
  take(from: number, to: number): Promise<Row[]>
  /** Reads all anew, as after a change; what is shown stays until the new has come. */
  again(): void
  end(): void
}

/** Rows that were read together. */
type Part<Row> = {
  rows: Row[]
  /** How often all had been read anew when these were. */
  turn: number
}

/** The first rows of a list, as a page read them along with what else it shows. */
export type FirstRows<Row> = { url: string; page: Page<Row> }

/** What gives the first rows of a list, so that a page reads them in one round trip with the rest. */
export const firstRowsOf = (url: string, query: Record<string, string | undefined>): string =>
  withQuery(url, { ...query, limit: SIZE, offset: 0 })

/**
 * @param query filters, search and order, without the window
 * @param first its first rows, where they are here already; those of another list are not taken
 */
export function rowsOf<Row>(url: string, query: Record<string, string | undefined>, first?: FirstRows<Row>): Rows<Row> {
  const known = first?.url === firstRowsOf(url, query) ? first.page : undefined
  const count = signal<number | undefined>(known?.count)
  const refusal = signal<Refusal | undefined>(undefined)
  const version = signal(0)
  const parts = new Map<number, Part<Row>>(known ? [[0, { rows: known.results, turn: 0 }]] : [])
  const asked = new Map<number, AbortController>()
  let turn = 0
  let wanted: [number, number] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(part: number): Promise<void> {
    const ending = new AbortController()
    asked.set(part, ending)
    try {
      const { body } = await get<Page<Row>>(withQuery(url, { ...query, limit: SIZE, offset: part * SIZE }), ending.signal)
      // another was asked for instead
      if (ending.signal.aborted) return
      // to be kept longest
      parts.delete(part)
      parts.set(part, { rows: body.results, turn })
      for (const old of [...parts.keys()].slice(0, Math.max(0, parts.size - KEPT))) parts.delete(old)
      count.value = body.count
      refusal.value = undefined
      version.value++
    } catch (error) {
      // the first that fails is told; those after it change nothing, or what is shown would ask again and again
      if (error instanceof Refusal) refusal.value ??= error
      else if ((error as Error).name !== 'AbortError') throw error
    } finally {
      if (asked.get(part) === ending) asked.delete(part)
    }
  }

  function drop(part: number, ending: AbortController): void {
    ending.abort()
    asked.delete(part)
  }

  const isHere = (part: number) => parts.get(part)?.turn === turn
  const firstPart = () => Math.floor(wanted[0] / SIZE)
  const lastPart = () => Math.floor(Math.max(wanted[0], wanted[1] - 1) / SIZE)
  function fill(): void {
    timer = undefined
    for (const [part, ending] of asked) if (part < firstPart() || part > lastPart()) drop(part, ending)
    for (let part = firstPart(); part <= lastPart(); part++) if (!isHere(part) && !asked.has(part)) load(part)
  }

  return {
    count,
    refusal,
    version,
    row: (index) => parts.get(Math.floor(index / SIZE))?.rows[index % SIZE],
    here: () => [...parts.values()].flatMap((part) => part.rows),
    want(from, to) {
      wanted = [from, to]
      if ((isHere(firstPart()) && isHere(lastPart())) || timer !== undefined) return
      timer = setTimeout(fill, count.value === undefined ? 0 : PAUSE)
    },
    async take(from, to) {
      const { body } = await get<Page<Row>>(withQuery(url, { ...query, limit: to - from, offset: from }))
      return body.results
    },
    again() {
      for (const [part, ending] of asked) drop(part, ending)
      turn++
      fill()
    },
    end() {
      clearTimeout(timer)
      for (const ending of asked.values()) ending.abort()
    },
  }
}
