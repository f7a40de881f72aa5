import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { showToast, type Undo } from '../page/toast.tsx'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { Dialog } from '../window/dialog.tsx'
import { useConfirmQuantity } from './confirm-quantity.tsx'
import { bindSubmit, Fields, type Form, useForm, type Values } from './form.tsx'
import { FormFooter } from './form-footer.tsx'

export type FormDialogProperties<T> = {
  title: string
  metadata: ResourceMetadata
  start: Values
  /** The fields of the form, in order; the first has the focus. */
  names: readonly string[]
  /** Fields hidden from "More"; `'rest'` hides all that are not in `names`. */
  without?: readonly string[] | 'rest'
  customFields?: (form: Form) => Record<string, () => ComponentChildren>
  /** Content above the fields, such as the object that it is about. */
  children?: ComponentChildren
  /** Label of the button; "Create" by default. */
  button?: string
  isDangerous?: boolean
  size?: 'wide'
  /** @param key the Idempotency-Key of the submit @throws ApiError */
  send: (values: Values, key: string) => Promise<T>
  /** Returns a warning that the user has to confirm before sending, such as about an unusual quantity. */
  getWarning?: (values: Values) => string | undefined
  /** Message after success. */
  getSuccessMessage?: (result: T) => string
  /** Undo of the action, if it has one. */
  undo?: (result: T) => Undo | undefined
  onDone: (result: T) => void
  onClose: () => void
}

/** A dialog with the form of an action: Enter in a single-line field, or Ctrl+Enter anywhere, sends it once. */
export function FormDialog<T>(properties: FormDialogProperties<T>) {
  const { title, metadata, start, names, customFields, children, size, send, getSuccessMessage, onDone, onClose } = properties
  const form = useForm(metadata, start)
  const without = properties.without === 'rest' ? Object.keys(metadata.fields) : properties.without
  const confirmQuantity = useConfirmQuantity()
  async function submit() {
    const result = await form.submitOnce(async (key) => ({ value: await send(form.values.value, key) }))
    if (!result) return
    if (getSuccessMessage) showToast(getSuccessMessage(result.value), properties.undo?.(result.value))
    onDone(result.value)
  }
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      <form {...bindSubmit(() => confirmQuantity.before(properties.getWarning?.(form.values.value), submit))}>
        {children}
        <Fields form={form} names={names} without={without} customFields={customFields?.(form)} />
        <FormFooter form={form} isDangerous={properties.isDangerous} onCancel={onClose}>
          {properties.button ?? t('create')}
        </FormFooter>
      </form>
      {confirmQuantity.dialog}
    </Dialog>
  )
}
