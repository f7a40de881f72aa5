import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { errorText, formatNumber, parseTypedNumber, t } from '../../kit/language/language.ts'
import { attempt } from '../../kit/page/toast.tsx'
import { change } from '../../kit/service/api.ts'
import { getFieldLabel } from './import-field-label.ts'
import { getErrors, type ImportField, type ImportRow, type Session } from './session-details.ts'

const NUMBER_TYPES = new Set(['integer', 'float', 'decimal'])

type Properties = { session: Session; row: ImportRow & { etag?: string }; field: string; onSaved: () => void }

/** A value of a row, with its errors and the value that it replaces; a click or Enter corrects it, and the row is checked again. */
export function ImportCell({ session, row, field, onSaved }: Properties) {
  const description = session.available_fields[field]
  const isEditing = useSignal(false)
  const value = useSignal('')
  const isBusy = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  const errors = getErrors(row, field)
  useLayoutEffect(() => {
    if (!isEditing.value) return
    const control = ref.current?.querySelector<HTMLInputElement>('input, select')
    control?.focus()
    if (control?.type === 'text') control.select()
  }, [isEditing.value])
  const begin = () => {
    value.value = toText(row.data[field])
    isEditing.value = true
  }
  /** @param isLeft whether the focus moved elsewhere */
  async function save(isLeft: boolean): Promise<void> {
    if (isBusy.current || !isEditing.value) return
    if (value.value === toText(row.data[field])) {
      isEditing.value = false
    } else {
      isBusy.current = true
      const typed =
        value.value.trim() === '' ? null : NUMBER_TYPES.has(description?.type ?? '') ? parseTypedNumber(value.value) : value.value
      const body = { data: { ...row.data, [field]: typed } }
      await attempt(() => change(`/api/importer/row/${row.pk}/`, body, row.etag))
      isBusy.current = false
      isEditing.value = false
      onSaved()
    }
    // the button exists after rendering
    if (!isLeft) requestAnimationFrame(() => ref.current?.querySelector('button')?.focus())
  }
  const attributes = {
    'aria-label': getFieldLabel(field),
    'aria-invalid': errors.length > 0 ? true : undefined,
    'aria-describedby': errors.length > 0 ? id : undefined,
    value: value.value,
    onBlur: () => void save(true),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        isEditing.value = false
      } else if (event.key === 'Enter') {
        event.preventDefault()
        void save(false)
      }
    },
  }
  const set = (event: { currentTarget: { value: string } }) => {
    value.value = event.currentTarget.value
  }
  const choices = listChoices(description)
  const former = row.previous && field in row.previous && description?.type !== 'related field' ? row.previous[field] : undefined
  const content = formatCell(description, row.data[field])
  return (
    <div ref={ref} class="edit-cell import-cell" data-name={field}>
      {isEditing.value ? (
        choices ? (
          <select {...attributes} onChange={set}>
            <option value="">–</option>
            {choices.map(([choice, text]) => (
              <option key={choice} value={choice}>
                {text}
              </option>
            ))}
          </select>
        ) : (
          <input type="text" {...attributes} onInput={set} />
        )
      ) : row.complete ? (
        content
      ) : (
        <button type="button" onClick={begin} title={t('edit')} aria-describedby={errors.length > 0 ? id : undefined}>
          {content}
          <span class="visually-hidden">
            {t('edit')}: {getFieldLabel(field)}
          </span>
        </button>
      )}
      {former !== undefined && (
        <small class="import-note">{t('import.instead-of', { value: formatCell(description, former) || '–' })}</small>
      )}
      {errors.length > 0 && (
        <p class="error" id={id}>
          {errors.map(errorText).join(' ')}
        </p>
      )}
    </div>
  )
}

const toText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** The values of a field that has few, with their texts. */
function listChoices(field: ImportField | undefined): readonly (readonly [value: string, text: string])[] | undefined {
  if (field?.type === 'boolean')
    return [
      ['true', t('yes')],
      ['false', t('no')],
    ]
  return field?.choices?.map(({ value, display_name }) => [String(value), display_name] as const)
}

/** A value as the reader writes it. */
function formatCell(field: ImportField | undefined, value: unknown): string {
  const text = toText(value)
  const choice = listChoices(field)?.find(([key]) => key === text)
  if (choice) return choice[1]
  return NUMBER_TYPES.has(field?.type ?? '') && /^-?\d+(\.\d+)?$/.test(text) ? formatNumber(text) : text
}
