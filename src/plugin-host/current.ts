import type { Found } from './discover.ts'
import { type PluginDetails, shownOf } from './plugin-details.ts'
import type { PluginRow } from './rows.ts'
import type { Manifest } from './running.ts'
import type { Active } from './start-plugin.ts'

/** What is found and runs on this node at one moment. It is never changed, but replaced. */
export type Current = {
  found: ReadonlyMap<string, Found>
  rows: ReadonlyMap<string, PluginRow>
  active: ReadonlyMap<string, Active>
  /** By the key of each plugin that lies here, as JSON: what clients are told of it. */
  shown: string
}

/** Before anything was looked for. */
export const NOTHING: Current = { found: new Map(), rows: new Map(), active: new Map(), shown: '{}' }

/** The same, with what clients are told of it. */
export function withShown(current: Omit<Current, 'shown'>, manifests: ReadonlyMap<string, Manifest>): Current {
  const shown: Record<string, PluginDetails> = {}
  for (const [key, found] of current.found) shown[key] = shownOf(found, manifests.get(key), current.active.has(key))
  return { ...current, shown: JSON.stringify(shown) }
}

/** Plugins in the order in which they are asked: that in which they are found. */
export const inOrder = ({ found }: Current, active: ReadonlyMap<string, Active>): ReadonlyMap<string, Active> =>
  new Map([...found.keys()].flatMap((key) => (active.has(key) ? [[key, active.get(key) as Active]] : [])))

export const byKey = (rows: readonly PluginRow[]): ReadonlyMap<string, PluginRow> => new Map(rows.map((row) => [row.key, row]))
