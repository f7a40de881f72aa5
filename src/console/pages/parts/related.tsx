import metadata from 'metadata:/api/part/related/'
import { useSignal } from '@preact/signals'
import { Chooser } from '../../kit/form/chooser.tsx'
import { sourceOfKind } from '../../kit/form/reference.ts'
import { t } from '../../kit/language/language.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Panel } from '../../kit/page/page.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { post, remove } from '../../kit/service/api.ts'
import type { Related } from './part-reading.ts'

type Properties = {
  part: number
  related: readonly Related[]
  total: number
  mayAdd: boolean
  mayDelete: boolean
  /** Whether a related part is being added. */
  isAdding: boolean
  reload: () => void
  onClose: () => void
}

/** The related parts of a part, in either direction. */
export function RelatedPanel({ part, related, total, mayAdd, mayDelete, isAdding, reload, onClose }: Properties) {
  const added = useSignal(0)
  if (related.length === 0 && !isAdding) return null
  async function tried(change: () => Promise<unknown>) {
    await attempt(change)
    added.value++
    reload()
  }
  return (
    <Panel title={t('parts.related')}>
      <ul class="related">
        {related.map((one) => {
          const otherPart = one.part_1 === part ? one.part_2_detail : one.part_1_detail
          return (
            <li key={one.pk}>
              <span>
                <a href={`/part/${otherPart?.pk}/`}>{otherPart?.full_name}</a> <small>{otherPart?.description}</small>
              </span>
              {mayDelete && (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={t('parts.remove-related', { part: otherPart?.full_name ?? '' })}
                  onClick={() => tried(() => remove(`${metadata.path}${one.pk}/`))}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      {total > related.length && <p class="quiet-text">{t('parts.and-more', { count: total - related.length })}</p>}
      {(isAdding || related.length > 0) && mayAdd && (
        <Chooser
          key={added.value}
          from={{ ...sourceOfKind('part'), query: { exclude_related: part, exclude_id: part } }}
          value={null}
          onPick={(otherPart) => {
            if (!otherPart) return
            onClose()
            tried(() => post(metadata.path, { part_1: part, part_2: otherPart.pk }))
          }}
          placeholder={t('parts.add-related')}
          attributes={{ 'aria-label': t('parts.add-related'), autofocus: isAdding }}
        />
      )}
    </Panel>
  )
}
