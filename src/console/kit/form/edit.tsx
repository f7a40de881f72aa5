import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { label, t } from '../language/language.ts'
import { ignoreEnterBriefly, useReturnFocus } from '../navigation/focus.ts'
import { showToast } from '../page/toast.tsx'
import type { ApiResponse, Change } from '../service/api.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { save as saveInTurn } from '../service/saves.ts'
import { Dialog } from '../window/dialog.tsx'
import { useDiscardChanges } from '../window/discard-changes.tsx'
import { bindSubmit, Fields, type Form, useForm, type Values } from './form.tsx'
import { FormFooter } from './form-footer.tsx'

type Properties<T> = {
  metadata: ResourceMetadata
  /** The URL of the object. */
  url: string
  /** The response with the object as it is at the start of the edit. */
  start: ApiResponse<T>
  /** The fields that are shown, in order; all other writable ones are under "More". */
  names: readonly string[]
  /** Fields hidden from "More"; `'rest'` hides all that are not in `names`. */
  without?: readonly string[] | 'rest'
  /** Custom rendering of fields, such as a list of checkboxes. */
  customFields?: (form: Form) => Record<string, () => ComponentChildren>
  onSaved: (response: ApiResponse<T>) => void
  onCancel: () => void
}

/** The fields of an object, as a form that saves the changes, unless another user saved first: then both versions are shown. */
export function Edit<T extends object>({ metadata, url, start, names, without, customFields, onSaved, onCancel }: Properties<T>) {
  const form = useForm(metadata, start.body as Values)
  const etag = useSignal(start.etag)
  const conflict = useSignal<ApiResponse<T> | undefined>(undefined)
  const ref = useRef<HTMLFormElement>(null)
  const { requestClose, dialog: discardDialog } = useDiscardChanges(ref, onCancel)
  useReturnFocus(ref)
  useLayoutEffect(() => ref.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  async function save(values: Values): Promise<void> {
    if (Object.keys(values).length === 0) return onCancel()
    const result: Change<T> | undefined = await form.submit(() => saveInTurn<T>(url, values, etag.value))
    if (!result) return
    if ('conflict' in result) {
      conflict.value = result.conflict
      return
    }
    showToast(t('saved'))
    onSaved(result.saved)
  }
  const formHandlers = bindSubmit(() => save(form.getChanges()))
  return (
    <>
      <form
        ref={ref}
        class="edit"
        {...formHandlers}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            // keeps the surrounding dialog from closing as well
            event.preventDefault()
            requestClose()
          }
          formHandlers.onKeyDown(event)
        }}
      >
        <Fields
          form={form}
          names={names}
          without={without === 'rest' ? Object.keys(metadata.fields) : without}
          customFields={customFields?.(form)}
        />
        <FormFooter form={form} onCancel={onCancel}>
          {t('save')}
        </FormFooter>
        {discardDialog}
      </form>
      {conflict.value && (
        <Conflict
          mine={form.getChanges()}
          theirs={conflict.value.body as Values}
          onTheirs={() => onSaved(conflict.value as ApiResponse<T>)}
          onMine={(values) => {
            etag.value = conflict.value?.etag
            conflict.value = undefined
            save(values)
          }}
          onClose={() => {
            conflict.value = undefined
          }}
        />
      )}
    </>
  )
}

type ConflictProperties = {
  /** Values changed by this edit. */
  mine: Values
  theirs: Values
  onMine: (values: Values) => void
  onTheirs: () => void
  onClose: () => void
}

/** Shows both versions when two people changed the same object, side by side, for each field that this edit changed. */
export function Conflict({ mine, theirs, onMine, onTheirs, onClose }: ConflictProperties) {
  // a user who pressed Enter twice to save has not read this
  useLayoutEffect(() => ignoreEnterBriefly(document.activeElement), [])
  return (
    <Dialog title={t('conflict.title')} onClose={onClose} size="wide">
      <p>{t('conflict.text')}</p>
      <table class="compare">
        <thead>
          <tr>
            <th scope="col">{t('conflict.field')}</th>
            <th scope="col">{t('conflict.mine')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(mine).map(([name, value]) => (
            <tr key={name} class={value === theirs[name] ? '' : 'has-difference'}>
              <th scope="row">{label(name)}</th>
              <td>{formatValue(value)}</td>
              <td>{formatValue(theirs[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => onMine(mine)}>
          {t('conflict.keep-mine')}
        </button>
        <button type="button" onClick={onTheirs}>
          {t('conflict.take-theirs')}
        </button>
      </div>
    </Dialog>
  )
}

const formatValue = (value: unknown): string =>
  value === true
    ? t('yes')
    : value === false
      ? t('no')
      : value === null || value === undefined || value === ''
        ? '–'
        : String(value)
