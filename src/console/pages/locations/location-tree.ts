import { type Signal, signal } from '@preact/signals'
import { get, type Page, Refusal, withQuery } from '../../kit/service/api.ts'
import type { Location } from './location-details.ts'

/** Locations of one level per request. */
const SIZE = 200

/** The key of the top level. */
export const TOP = 0

/** The loaded part of a level. */
type Level = { locations: readonly Location[]; total: number }

/** The expanded locations, with their child locations. */
export type LocationTree = {
  /** Direct child locations, by the key of their parent. */
  below: Signal<ReadonlyMap<number, Level>>
  refusal: Signal<Refusal | undefined>
  /** Loads the children of these locations if necessary. */
  want(places: readonly number[]): void
  /** Loads further children of a location. */
  more(place: number): Promise<void>
}

/** Loads the tree of locations level by level, as locations are expanded. */
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
      // the location of an old address no longer exists
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

/** A line of the tree: a location, or a button for locations of a level that are not loaded. */
export type Line =
  | { location: Location; depth: number; isOpen: boolean }
  | { more: number; of: number; depth: number; location?: undefined; isOpen?: undefined }

/** The visible lines, from top to bottom. */
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
