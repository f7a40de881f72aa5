import metadata from 'metadata:/api/bom/substitute/'
import { useSignal } from '@preact/signals'
import { Combobox } from '../../../kit/form/combobox.tsx'
import { getSource } from '../../../kit/form/reference.ts'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { ApiError, post, remove } from '../../../kit/service/api.ts'
import type { BomLine, Substitute } from '../part-requests.ts'

type Properties = { line: BomLine; onChanged: () => void; onClose?: () => void }

/** The substitutes of a component: a search field adds one more. */
export function Substitutes({ line, onChanged, onClose }: Properties) {
  const substitutes = useSignal<readonly Substitute[]>(line.substitutes)
  const addedCount = useSignal(0)
  const problem = useSignal<string | undefined>(undefined)
  async function attempt(change: () => Promise<void>) {
    problem.value = undefined
    try {
      await change()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.text
    }
    addedCount.value++
    onChanged()
  }
  const add = (part: { pk: number } & Record<string, unknown>) =>
    attempt(async () => {
      const { body } = await post<Substitute>(metadata.path, { bom_item: line.pk, part: part.pk })
      substitutes.value = [...substitutes.value, { ...body, part_detail: { full_name: String(part.full_name ?? part.name) } }]
    })
  const removeSubstitute = (substitute: Substitute) =>
    attempt(async () => {
      await remove(`${metadata.path}${substitute.pk}/`)
      substitutes.value = substitutes.value.filter(({ pk }) => pk !== substitute.pk)
    })
  return (
    <div class="substitutes">
      {substitutes.value.length > 0 && (
        <ul>
          {substitutes.value.map((substitute) => (
            <li key={substitute.pk}>
              <span>{substitute.part_detail?.full_name}</span>
              <button
                type="button"
                class="quiet icon-only"
                aria-label={t('parts.remove-substitute', { part: substitute.part_detail?.full_name ?? '' })}
                onClick={() => removeSubstitute(substitute)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Combobox
        key={addedCount.value}
        source={{ ...getSource('part'), query: { active: true, component: true, exclude_id: line.sub_part } }}
        value={null}
        onPick={(part) => part && add(part)}
        placeholder={t('parts.add-substitute')}
        attributes={{ 'aria-label': t('parts.add-substitute'), autofocus: onClose !== undefined }}
      />
      {problem.value && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
    </div>
  )
}
