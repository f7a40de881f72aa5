import { type Signal, signal } from '@preact/signals'
import { ApiError, get, type Page, withQuery } from '../../kit/service/api.ts'
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
  error: Signal<ApiError | undefined>
  /** Loads the children of these locations if necessary. */
  ensureLoaded(parentKeys: readonly number[]): void
  /** Loads further children of a location. */
  more(parentKey: number): Promise<void>
}

/** Loads the tree of locations level by level, as locations are expanded. */
export function locationTree(): LocationTree {
  const below = signal<ReadonlyMap<number, Level>>(new Map())
  const loadError = signal<ApiError | undefined>(undefined)
  const requested = new Set<number>()
  const running = new Set<number>()
  async function load(parentKey: number): Promise<void> {
    if (running.has(parentKey)) return
    running.add(parentKey)
    requested.add(parentKey)
    try {
      const here = below.value.get(parentKey)?.locations ?? []
      const { body } = await get<Page<Location>>(
        withQuery('/api/stock/location/', {
          parent: parentKey === TOP ? 'null' : parentKey,
          cascade: false,
          ordering: 'name',
          limit: SIZE,
          offset: here.length || undefined,
        }),
      )
      const loadedKeys = new Set(here.map(({ pk }) => pk))
      const locations = [...here, ...body.results.filter(({ pk }) => !loadedKeys.has(pk))]
      below.value = new Map(below.value).set(parentKey, { locations, total: body.count })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // the location of an old address no longer exists
      if (parentKey === TOP) loadError.value = error
    } finally {
      running.delete(parentKey)
    }
  }
  return {
    below,
    error: loadError,
    ensureLoaded(parentKeys) {
      for (const parentKey of parentKeys) if (!requested.has(parentKey)) load(parentKey)
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
  const add = (parentKey: number, depth: number) => {
    const { locations = [], total = 0 } = below.get(parentKey) ?? {}
    for (const location of locations) {
      const isOpen = open.has(location.pk)
      lines.push({ location, depth, isOpen })
      if (isOpen) add(location.pk, depth + 1)
    }
    if (total > locations.length) lines.push({ more: total - locations.length, of: parentKey, depth })
  }
  add(TOP, 0)
  return lines
}
