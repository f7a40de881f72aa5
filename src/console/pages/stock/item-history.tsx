import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { get, type Page, withQuery } from '../../kit/service/api.ts'
import { History, type TrackEntry } from './history.tsx'

/** Number of entries loaded at a time. */
const PAGE_SIZE = 30

/** Whose history it is: that of an item, or of all items of a part, also of those that are gone. */
export type HistorySource = { item: number | string } | { part: number }

/** The URL of a history, newest first. */
export const getHistoryUrl = (source: HistorySource, offset = 0): string =>
  withQuery('/api/stock/track/', {
    ...source,
    user_detail: true,
    ordering: '-date',
    limit: PAGE_SIZE,
    offset: offset || undefined,
  })

type Properties = {
  source: HistorySource
  /** The newest entries, loaded with the page. */
  newest: Page<TrackEntry>
  units: string | null | undefined
}

/** The history of an item or a part; older entries are loaded on request, and stay. */
export function ItemHistory({ source, newest, units }: Properties) {
  const key = JSON.stringify(source)
  const loadedHistory = useSignal<{ key: string; entries: readonly TrackEntry[] }>({ key, entries: [] })
  const isBusy = useSignal(false)
  const entries = mergeEntries(newest.results, loadedHistory.value.key === key ? loadedHistory.value.entries : [])
  const olderCount = newest.count - entries.length
  useEffect(() => {
    loadedHistory.value = { key, entries }
  }, [key, newest])
  async function loadMore() {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(async () => {
      const { body } = await get<Page<TrackEntry>>(getHistoryUrl(source, entries.length))
      loadedHistory.value = { key, entries: mergeEntries(entries, body.results) }
    })
    isBusy.value = false
  }
  return (
    <Panel title={t('stock.history')}>
      <History entries={entries} units={units} showsItems={'part' in source} />
      {olderCount > 0 && (
        <button type="button" class="quiet" disabled={isBusy.value} onClick={loadMore}>
          {t('stock.older', { count: olderCount })}
        </button>
      )}
    </Panel>
  )
}

/** Merges two lists without duplicates: new entries first, then the older ones in their order. */
function mergeEntries(newer: readonly TrackEntry[], older: readonly TrackEntry[]): readonly TrackEntry[] {
  const newerKeys = new Set(newer.map(({ pk }) => pk))
  return [...newer, ...older.filter(({ pk }) => !newerKeys.has(pk))]
}
