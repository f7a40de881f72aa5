import { type Signal, signal } from '@preact/signals'
import { get, type Page, Refusal, withQuery } from '../../kit/api.ts'
import type { Location } from './location-facts.ts'

/** How many places of one level are read; more are found by the search. */
const MOST = 500

/** The key under which the outermost places are. */
export const TOP = 0

/** The places that were opened, and those in them. */
export type LocationTree = {
  /** What is directly in a place, by its key. */
  below: Signal<ReadonlyMap<number, readonly Location[]>>
  refusal: Signal<Refusal | undefined>
  /** Sees to it that what is in these places comes. */
  want(places: readonly number[]): void
}

/** Reads the tree of places level by level, as places are opened. */
export function locationTree(): LocationTree {
  const below = signal<ReadonlyMap<number, readonly Location[]>>(new Map())
  const refusal = signal<Refusal | undefined>(undefined)
  const asked = new Set<number>()
  async function load(place: number): Promise<void> {
    asked.add(place)
    try {
      const parent = place === TOP ? 'null' : place
      const { body } = await get<Page<Location>>(
        withQuery('/api/stock/location/', { parent, cascade: false, ordering: 'name', limit: MOST }),
      )
      below.value = new Map(below.value).set(place, body.results)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // a place of an old address that there is no more
      if (place === TOP) refusal.value = error
    }
  }
  return {
    below,
    refusal,
    want(places) {
      for (const place of places) if (!asked.has(place)) load(place)
    },
  }
}

/** A place of the tree as it stands in its line. */
export type Line = { location: Location; depth: number; isOpen: boolean }

/** The places that are seen, from top to bottom. */
export function linesOf(below: ReadonlyMap<number, readonly Location[]>, open: ReadonlySet<number>): Line[] {
  const lines: Line[] = []
  const add = (place: number, depth: number) => {
    for (const location of below.get(place) ?? []) {
      const isOpen = open.has(location.pk)
      lines.push({ location, depth, isOpen })
      if (isOpen) add(location.pk, depth + 1)
    }
  }
  add(TOP, 0)
  return lines
}
