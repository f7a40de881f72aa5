import { type Signal, signal } from '@preact/signals'
import { ApiError, get, type Page, withQuery } from '../../kit/service/api.ts'
import type { Location } from './location-details.ts'

/** Maximum number of locations of one level in one request. */
const PAGE_SIZE = 200

/** The key of the top level. */
export const TOP_LEVEL = 0

/** The loaded part of a level. */
type Level = { locations: readonly Location[]; total: number }

/** The expanded locations, with their child locations. */
export type LocationTree = {
  /** Direct child locations, by the key of their parent. */
  childrenByParent: Signal<ReadonlyMap<number, Level>>
  error: Signal<ApiError | undefined>
  /** Loads the children of these locations if necessary. */
  ensureLoaded(parentKeys: readonly number[]): void
  /** Loads further children of a location. */
  loadMore(parentKey: number): Promise<void>
}

/** Loads the tree of locations level by level, as locations are expanded. */
export function createLocationTree(): LocationTree {
  const childrenByParent = signal<ReadonlyMap<number, Level>>(new Map())
  const loadError = signal<ApiError | undefined>(undefined)
  const requestedKeys = new Set<number>()
  const loadingKeys = new Set<number>()
  async function load(parentKey: number): Promise<void> {
    if (loadingKeys.has(parentKey)) return
    loadingKeys.add(parentKey)
    requestedKeys.add(parentKey)
    try {
      const loadedLocations = childrenByParent.value.get(parentKey)?.locations ?? []
      const { body } = await get<Page<Location>>(
        withQuery('/api/stock/location/', {
          parent: parentKey === TOP_LEVEL ? 'null' : parentKey,
          cascade: false,
          ordering: 'name',
          limit: PAGE_SIZE,
          offset: loadedLocations.length || undefined,
        }),
      )
      const loadedKeys = new Set(loadedLocations.map(({ pk }) => pk))
      const locations = [...loadedLocations, ...body.results.filter(({ pk }) => !loadedKeys.has(pk))]
      childrenByParent.value = new Map(childrenByParent.value).set(parentKey, { locations, total: body.count })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a location in an old URL may no longer exist
      if (parentKey === TOP_LEVEL) loadError.value = error
    } finally {
      loadingKeys.delete(parentKey)
    }
  }
  return {
    childrenByParent,
    error: loadError,
    ensureLoaded(parentKeys) {
      for (const parentKey of parentKeys) if (!requestedKeys.has(parentKey)) load(parentKey)
    },
    loadMore: load,
  }
}

/** A line of the tree: a location, or a button for locations of a level that are not loaded. */
export type TreeLine =
  | { location: Location; depth: number; isExpanded: boolean }
  | { remaining: number; parentKey: number; depth: number; location?: undefined; isExpanded?: undefined }

/** The visible lines, from top to bottom. */
export function listVisibleLines(childrenByParent: ReadonlyMap<number, Level>, expandedKeys: ReadonlySet<number>): TreeLine[] {
  const lines: TreeLine[] = []
  const add = (parentKey: number, depth: number) => {
    const { locations = [], total = 0 } = childrenByParent.get(parentKey) ?? {}
    for (const location of locations) {
      const isExpanded = expandedKeys.has(location.pk)
      lines.push({ location, depth, isExpanded })
      if (isExpanded) add(location.pk, depth + 1)
    }
    if (total > locations.length) lines.push({ remaining: total - locations.length, parentKey, depth })
  }
  add(TOP_LEVEL, 0)
  return lines
}
