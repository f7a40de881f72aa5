import type { DiscoveredPlugin } from './discover.ts'
import { buildPluginDetails, type PluginDetails } from './plugin-details.ts'
import type { PluginRow } from './rows.ts'
import type { Manifest } from './running.ts'
import type { Active } from './start-plugin.ts'

/** The plugins found and running on this node, as an immutable snapshot that is replaced on a change. */
export type Current = {
  discovered: ReadonlyMap<string, DiscoveredPlugin>
  rows: ReadonlyMap<string, PluginRow>
  active: ReadonlyMap<string, Active>
  /** The details of each plugin on this node for clients, by key, as JSON. */
  shown: string
}

/** The snapshot before the first discovery. */
export const EMPTY_STATE: Current = { discovered: new Map(), rows: new Map(), active: new Map(), shown: '{}' }

/** Adds the details for clients. */
export function withDetails(current: Omit<Current, 'shown'>, manifests: ReadonlyMap<string, Manifest>): Current {
  const details: Record<string, PluginDetails> = {}
  for (const [key, discovered] of current.discovered)
    details[key] = buildPluginDetails(discovered, manifests.get(key), current.active.has(key))
  return { ...current, shown: JSON.stringify(details) }
}

/** Sorts active plugins in the order in which they are called, which is that of their discovery. */
export const sortByDiscovery = ({ discovered }: Current, active: ReadonlyMap<string, Active>): ReadonlyMap<string, Active> =>
  new Map([...discovered.keys()].flatMap((key) => (active.has(key) ? [[key, active.get(key) as Active]] : [])))

export const indexByKey = (rows: readonly PluginRow[]): ReadonlyMap<string, PluginRow> =>
  new Map(rows.map((row) => [row.key, row]))
