import metadata from 'metadata:/api/bom/'
import { useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { Edit } from '../../../kit/form/edit.tsx'
import { t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import type { ApiResponse } from '../../../kit/service/api.ts'
import { remove } from '../../../kit/service/saves.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import type { BomLine } from '../part-requests.ts'
import { Substitutes } from './substitutes.tsx'

const FIELDS = [
  'raw_amount',
  'reference',
  'attrition',
  'setup_quantity',
  'rounding_multiple',
  'overage',
  'note',
  'optional',
  'consumable',
  'inherited',
  'allow_variants',
]

type Properties = {
  line: BomLine
  /** Takes the line from the response, so that reopening the dialog immediately starts with it. */
  onSaved: (response: ApiResponse<BomLine>) => void
  onChanged: () => void
  onClose: () => void
}

/** The dialog of one BOM line: the fields that a phone has no room for, the substitutes, and a button that deletes the line. */
export function BomLineDialog({ line, onSaved, onChanged, onClose }: Properties) {
  const isDeleting = useSignal(false)
  const title = line.sub_part_detail?.full_name ?? t('parts.bom')
  if (isDeleting.value)
    return (
      <Confirm
        title={t('parts.delete-line', { part: title })}
        button={t('delete')}
        onConfirm={async () => {
          await remove(`${metadata.path}${line.pk}/`, line.etag)
          onChanged()
        }}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={title} onClose={onClose}>
      <Edit<BomLine>
        metadata={metadata}
        url={`${metadata.path}${line.pk}/`}
        start={{ body: line, etag: line.etag }}
        names={FIELDS}
        without="rest"
        onSaved={(response) => {
          onSaved(response)
          onClose()
        }}
        onCancel={onClose}
      />
      <h3>{t('parts.substitutes')}</h3>
      <Substitutes line={line} onChanged={onChanged} />
      <div class="buttons">
        <button
          type="button"
          class="danger"
          onClick={() => {
            isDeleting.value = true
          }}
        >
          <Icon name="trash" />
          {t('parts.delete-from-bom')}
        </button>
      </div>
    </Dialog>
  )
}
