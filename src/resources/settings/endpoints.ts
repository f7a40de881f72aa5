import { invalid, notFound } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { findSetting, isServed } from './registry.ts'
import type { SettingRow, SettingStore } from './store.ts'
import { type SettingContext, storedText } from './value.ts'
import { type WireSetting, wireSetting } from './wire.ts'

/** What a list of settings may be asked for. */
export type SettingListQuery = { search?: string; ordering?: string }

/**
 * Every setting of a store that fits the search: each word stands in the key, whatever the case. The order is that of
 * creation, unless `ordering` names `pk`, `key` or `name`, with a minus for descending, separated by commas.
 */
export async function listSettings(
  store: SettingStore,
  query: SettingListQuery,
  context: SettingContext,
): Promise<WireSetting[]> {
  return listRows(store, await store.all(), query, context)
}

/** As `listSettings`, from rows that are already at hand, such as those of the cache. */
export function listRows(
  { settings, owner }: Pick<SettingStore, 'settings' | 'owner'>,
  rows: readonly SettingRow[],
  { search = '', ordering = '' }: SettingListQuery,
  context: SettingContext,
): WireSetting[] {
  const words = search.toUpperCase().split(/[\s,]+/)
  return rows
    .filter((row) => isServed(row.key) && words.every((word) => row.key.toUpperCase().includes(word)))
    .map((row) => wireSetting(row, findSetting(settings, row.key)?.setting, owner, context))
    .sort(comparison(ordering))
}

/** One setting, its key in any case; 404 for a key that does not exist. */
export async function readSetting(store: SettingStore, key: string, context: SettingContext): Promise<WireSetting> {
  const known = existing(store, key)
  return wireSetting(await store.row(known.key), known.setting, store.owner, context)
}

/**
 * PUT or PATCH of one setting: only `value` counts. Answers the setting as it is afterwards; refuses with 400 or 404.
 * Who calls it for a global setting forgets the cache after commit.
 */
export async function writeSetting(
  store: SettingStore,
  key: string,
  method: 'PUT' | 'PATCH',
  body: { readonly value?: unknown },
  context: SettingContext,
): Promise<WireSetting> {
  const known = existing(store, key)
  if (body.value === undefined) {
    if (method === 'PUT') throw invalid({ value: [valueErrors.required] })
    return readSetting(store, key, context)
  }
  const row = await store.save(known.key, storedText(known.key, known.setting, body.value, context))
  return wireSetting(row, known.setting, store.owner, context)
}

function existing(store: SettingStore, key: string) {
  const known = findSetting(store.settings, key)
  if (!known) throw notFound()
  return known
}

const COMPARABLE = new Set(['pk', 'key', 'name'])

/** The order that `ordering` asks for: by `pk`, `key` or `name`, and by `pk` where they are the same. */
export function comparison(
  ordering: string,
): (a: Pick<WireSetting, 'pk' | 'key' | 'name'>, b: Pick<WireSetting, 'pk' | 'key' | 'name'>) => number {
  const names = ordering.split(',').filter((name) => COMPARABLE.has(name.replace(/^-/, '')))
  return (a, b) => {
    for (const name of names) {
      const field = name.replace(/^-/, '') as 'pk' | 'key' | 'name'
      const order = a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0
      if (order !== 0) return name.startsWith('-') ? -order : order
    }
    return a.pk - b.pk
  }
}
