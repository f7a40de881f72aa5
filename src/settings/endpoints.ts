import { invalid, notFound } from '../kit/request/problem.ts'
import { valueErrors } from '../kit/values/value-errors.ts'
import { findSetting, isServed } from './registry.ts'
import type { SettingRow, SettingStore } from './store.ts'
import { type SettingContext, validateValue } from './value.ts'
import { toWireSetting, type WireSetting } from './wire.ts'

/** Query parameters of a list of settings. */
export type SettingListQuery = { search?: string; ordering?: string }

/**
 * Lists the settings of a store that match the search: the key contains each word, ignoring case. Sorted by creation, unless `ordering`
 * names `pk`, `key` or `name`, with a minus for descending, separated by commas.
 */
export async function listSettings(
  store: SettingStore,
  query: SettingListQuery,
  context: SettingContext,
): Promise<WireSetting[]> {
  return listRows(store, await store.all(), query, context)
}

/** Lists settings like `listSettings`, from given rows, such as those of the cache. */
export function listRows(
  { settings, owner }: Pick<SettingStore, 'settings' | 'owner'>,
  rows: readonly SettingRow[],
  { search = '', ordering = '' }: SettingListQuery,
  context: SettingContext,
): WireSetting[] {
  const words = search.toUpperCase().split(/[\s,]+/)
  return rows
    .filter((row) => isServed(row.key) && words.every((word) => row.key.toUpperCase().includes(word)))
    .map((row) => toWireSetting(row, findSetting(settings, row.key)?.setting, owner, context))
    .sort(createComparator(ordering))
}

/** Reads one setting, its key in any case; 404 for an unknown key. */
export async function readSetting(store: SettingStore, key: string, context: SettingContext): Promise<WireSetting> {
  const entry = requireSetting(store, key)
  return toWireSetting(await store.row(entry.key), entry.setting, store.owner, context)
}

/**
 * PUT or PATCH of one setting: only `value` counts. Returns the setting afterwards; rejects with 400 or 404. The caller must invalidate the
 * cache after the commit of a global setting.
 */
export async function writeSetting(
  store: SettingStore,
  key: string,
  method: 'PUT' | 'PATCH',
  body: { readonly value?: unknown },
  context: SettingContext,
): Promise<WireSetting> {
  const entry = requireSetting(store, key)
  if (body.value === undefined) {
    if (method === 'PUT') throw invalid({ value: [valueErrors.required] })
    return readSetting(store, key, context)
  }
  const row = await store.save(entry.key, validateValue(entry.key, entry.setting, body.value, context))
  return toWireSetting(row, entry.setting, store.owner, context)
}

function requireSetting(store: SettingStore, key: string) {
  const entry = findSetting(store.settings, key)
  if (!entry) throw notFound()
  return entry
}

const COMPARABLE = new Set(['pk', 'key', 'name'])

/** Creates a comparator for `ordering`: by `pk`, `key` or `name`, and by `pk` for equal ones. */
export function createComparator(
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
