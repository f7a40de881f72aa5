import { type Signal, signal } from '@preact/signals'
import { get, type Page, Refusal, withQuery } from '../../kit/service/api.ts'
import type { Location } from './location-details.ts'

/** How many places of one level are read at once. */
const SIZE = 200

/** The key under which the outermost places are. */
export const TOP = 0

/** What of a level is here. */
type Level = { locations: readonly Location[]; total: number }

/** The places that were opened, and those in them. */
export type LocationTree = {
  /** What is directly in a place, by its key. */
  below: Signal<ReadonlyMap<number, Level>>
  refusal: Signal<Refusal | undefined>
  /** Sees to it that what is in these places comes. */
  want(places: readonly number[]): void
  /** Reads further ones of those in a place. */
  more(place: number): Promise<void>
}

/** Reads the tree of places level by level, as places are opened. */
export function locationTree(): LocationTree {
  const below = signal<ReadonlyMap<number, Level>>(new Map())
  const refusal = signal<Refusal | undefined>(undefined)
  const asked = new Set<number>()
  const running = new Set<number>()
  async function load(place: number): Promise<void> {
    if (running.has(place)) return
    running.add(place)
    asked.add(place)
    try {
      const here = below.value.get(place)?.locations ?? []
      const { body } = await get<Page<Location>>(
        withQuery('/api/stock/location/', {
          parent: place === TOP ? 'null' : place,
          cascade: false,
          ordering: 'name',
          limit: SIZE,
          offset: here.length || undefined,
        }),
      )
      const known = new Set(here.map(({ pk }) => pk))
      const locations = [...here, ...body.results.filter(({ pk }) => !known.has(pk))]
      below.value = new Map(below.value).set(place, { locations, total: body.count })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // a place of an old address that there is no more
      if (place === TOP) refusal.value = error
    } finally {
      running.delete(place)
    }
  }
  return {
    below,
    refusal,
    want(places) {
      for (const place of places) if (!asked.has(place)) load(place)
    },
    more: load,
  }
}

/** A line of the tree: a place, or that a level has more places than are here. */
export type Line =
  | { location: Location; depth: number; isOpen: boolean }
  | { more: number; of: number; depth: number; location?: undefined; isOpen?: undefined }

/** What is seen, from top to bottom. */
export function linesOf(below: ReadonlyMap<number, Level>, open: ReadonlySet<number>): Line[] {
  const lines: Line[] = []
  const add = (place: number, depth: number) => {
    const { locations = [], total = 0 } = below.get(place) ?? {}
    for (const location of locations) {
      const isOpen = open.has(location.pk)
      lines.push({ location, depth, isOpen })
      if (isOpen) add(location.pk, depth + 1)
    }
    if (total > locations.length) lines.push({ more: total - locations.length, of: place, depth })
  }
  add(TOP, 0)
  return lines
}
