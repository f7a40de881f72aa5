import { useSignal } from '@preact/signals'
import { t } from '../../kit/language/language.ts'
import { Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { get, type Page } from '../../kit/service/api.ts'
import type { TrackEntry } from '../stock/history.tsx'
import { getHistoryUrl, ItemHistory } from '../stock/item-history.tsx'

/** The history of all stock of a part, also of items that are gone; loaded on request. */
export function PartStockHistory({ part, units }: { part: number; units: string | null }) {
  const newest = useSignal<Page<TrackEntry> | undefined>(undefined)
  const load = () =>
    attempt(async () => {
      newest.value = (await get<Page<TrackEntry>>(getHistoryUrl({ part }))).body
    })
  if (newest.value) return <ItemHistory source={{ part }} newest={newest.value} units={units} />
  return (
    <Panel title={t('stock.history')}>
      <button type="button" class="quiet" onClick={load}>
        {t('parts.show-stock-history')}
      </button>
    </Panel>
  )
}
