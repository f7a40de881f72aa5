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
  /** The fields that are asked for, in their order; the first has the focus. */
  names: readonly string[]
  /** Fields that are not shown under "More" either; all others where there is no "More": `'rest'`. */
  without?: readonly string[] | 'rest'
  own?: (form: Form) => Record<string, () => ComponentChildren>
  /** Over the fields: what it is about. */
  children?: ComponentChildren
  /** What the button says; by default that it creates. */
  button?: string
  isDangerous?: boolean
  size?: 'wide'
  /** @param key the Idempotency-Key of the submit @throws Refusal */
  send: (values: Values, key: string) => Promise<T>
  /** What is asked before it is sent, such as about a quantity that is hardly meant. */
  doubt?: (values: Values) => string | undefined
  /** What is told once it is done. */
  done?: (answer: T) => string
  /** What takes it back, where something does. */
  undo?: (answer: T) => Undo | undefined
  onDone: (answer: T) => void
  onClose: () => void
}

/** Asks in a window for what something needs, and does it: Enter in a line, or Ctrl+Enter anywhere, sends it once. */
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
