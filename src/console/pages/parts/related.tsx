import metadata from 'metadata:/api/part/related/'
import { useSignal } from '@preact/signals'
import { Combobox } from '../../kit/form/combobox.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { post, remove } from '../../kit/service/api.ts'
import type { RelatedParts } from './part-requests.ts'

type Properties = {
  part: number
  related: readonly RelatedParts[]
  total: number
  canAdd: boolean
  canDelete: boolean
  /** Whether a related part is being added. */
  isAdding: boolean
  reload: () => void
  onClose: () => void
}

/** The related parts of a part, in either direction. */
export function RelatedPanel({ part, related, total, canAdd, canDelete, isAdding, reload, onClose }: Properties) {
  const addedCount = useSignal(0)
  if (related.length === 0 && !isAdding) return null
  async function runAndReload(change: () => Promise<unknown>) {
    await attempt(change)
    addedCount.value++
    reload()
  }
  return (
    <Panel title={t('parts.related')}>
      <ul class="related">
        {related.map((relation) => {
          const otherPart = relation.part_1 === part ? relation.part_2_detail : relation.part_1_detail
          return (
            <li key={relation.pk}>
              <span>
                <Thumbnail url={otherPart?.thumbnail} />
                <a href={`/part/${otherPart?.pk}/`}>{otherPart?.full_name}</a> <small>{otherPart?.description}</small>
              </span>
              {canDelete && (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={t('parts.remove-related', { part: otherPart?.full_name ?? '' })}
                  onClick={() => runAndReload(() => remove(`${metadata.path}${relation.pk}/`))}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {total > related.length && <p class="quiet-text">{t('parts.and-more', { count: total - related.length })}</p>}
      {(isAdding || related.length > 0) && canAdd && (
        <Combobox
          key={addedCount.value}
          source={{ ...getSource('part'), query: { exclude_related: part, exclude_id: part } }}
          value={null}
          onPick={(otherPart) => {
            if (!otherPart) return
            onClose()
            runAndReload(() => post(metadata.path, { part_1: part, part_2: otherPart.pk }))
          }}
          placeholder={t('parts.add-related')}
          attributes={{ 'aria-label': t('parts.add-related'), autofocus: isAdding }}
        />
      )}
    </Panel>
  )
}
