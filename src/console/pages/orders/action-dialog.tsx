import type { ComponentChildren } from 'preact'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Field, type Form, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { type LoadedObject, postAction } from '../../kit/service/saves.ts'
import { MessageDialog } from '../../kit/window/dialog.tsx'

/** The text, fields and request body of an action's dialog. */
export type ActionQuestion = {
  children?: ComponentChildren
  /** The title of a notice that explains why the action is not possible yet; nothing is sent. */
  blocked?: string
  /** The body of a request without form fields. */
  body?: Values
  form?: {
    metadata: ResourceMetadata
    start: Values
    names: readonly string[]
    /** Replaces the help text of a field; null removes it. */
    help?: Record<string, string | null>
    own?: (form: Form) => Record<string, () => ComponentChildren>
    getWarning?: (values: Values) => string | undefined
    /** The message after success. */
    getSuccessMessage: (values: Values) => string | Promise<string>
  }
}

type Properties = {
  /** The URL of the order. */
  url: string
  /** The last part of the action's URL: `cancel`. */
  action: string
  title: string
  /** Label of the button. */
  button: string
  question: ActionQuestion
  loaded: LoadedObject
  onDone: () => void
  onClose: () => void
}

/** Asks before an action on an order or a build order, such as a change of its status, and sends it. */
export function ActionDialog({ url, action, title, button, question, loaded, onDone, onClose }: Properties) {
  const { children, blocked, body = {}, form } = question
  const isDangerous = action === 'cancel'
  const send = (values: Values, key: string) => postAction<unknown>(url, action, values, key, loaded)
  if (blocked)
    return (
      <MessageDialog title={blocked} onClose={onClose}>
        {children}
      </MessageDialog>
    )
  if (!form)
    return (
      <Confirm
        title={title}
        button={button}
        isHarmless={!isDangerous}
        onConfirm={async (key) => {
          await send(body, key)
          onDone()
        }}
        onClose={onClose}
      >
        {children}
      </Confirm>
    )
  const { help = {}, own, getSuccessMessage, ...fields } = form
  return (
    <FormDialog<string>
      {...fields}
      title={title}
      button={button}
      without="rest"
      customFields={(dialogForm) => ({
        ...Object.fromEntries(
          Object.entries(help).map(([name, text]) => [name, () => <Field form={dialogForm} name={name} help={text} />]),
        ),
        ...own?.(dialogForm),
      })}
      isDangerous={isDangerous}
      send={async (values, key) => {
        await send(values, key)
        return getSuccessMessage(values)
      }}
      getSuccessMessage={(message) => message}
      onDone={onDone}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
