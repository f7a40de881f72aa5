import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { tell, type Undo } from '../page/toast.tsx'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { Dialog } from '../window/dialog.tsx'
import { useConfirmQuantity } from './confirm-quantity.tsx'
import { Fields, type Form, sentBy, useForm, type Values } from './form.tsx'
import { FormEnd } from './form-end.tsx'

export type FormDialogProperties<T> = {
  title: string
  facts: ResourceMetadata
  start: Values
  /** The fields of the form, in order; the first has the focus. */
  names: readonly string[]
  /** Fields that are not shown under "More" either; all others when there is no "More": `'rest'`. */
  without?: readonly string[] | 'rest'
  own?: (form: Form) => Record<string, () => ComponentChildren>
  /** Content above the fields, such as the object that it is about. */
  children?: ComponentChildren
  /** Label of the button; "Create" by default. */
  button?: string
  isDangerous?: boolean
  size?: 'wide'
  /** @param key the Idempotency-Key of the submit @throws Refusal */
  send: (values: Values, key: string) => Promise<T>
  /** Question before sending, such as about an unusual quantity. */
  doubt?: (values: Values) => string | undefined
  /** Message after success. */
  done?: (answer: T) => string
  /** Undo of the action, if it has one. */
  undo?: (answer: T) => Undo | undefined
  onDone: (answer: T) => void
  onClose: () => void
}

/** Asks for the values of an action in a window, and runs it: Enter in a line, or Ctrl+Enter anywhere, sends it once. */
export function FormDialog<T>(properties: FormDialogProperties<T>) {
  const { title, facts, start, names, own, children, size, send, done, onDone, onClose } = properties
  const form = useForm(facts, start)
  const without = properties.without === 'rest' ? Object.keys(facts.fields) : properties.without
  const doubt = useConfirmQuantity()
  async function submit() {
    const answer = await form.submitOnce(async (key) => ({ value: await send(form.values.value, key) }))
    if (!answer) return
    if (done) tell(done(answer.value), properties.undo?.(answer.value))
    onDone(answer.value)
  }
  return (
    <Dialog title={title} onClose={onClose} size={size}>
      <form {...sentBy(() => doubt.before(properties.doubt?.(form.values.value), submit))}>
        {children}
        <Fields form={form} names={names} without={without} own={own?.(form)} />
        <FormEnd form={form} isDangerous={properties.isDangerous} onCancel={onClose}>
          {properties.button ?? t('create')}
        </FormEnd>
      </form>
      {doubt.question}
    </Dialog>
  )
}
