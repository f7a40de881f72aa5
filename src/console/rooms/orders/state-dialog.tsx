import type { ComponentChildren } from 'preact'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Field, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import type { ResourceFacts } from '../../kit/service/facts.ts'
import { postSeen, type Seen } from '../../kit/service/saves.ts'
import { Notice } from '../../kit/window/dialog.tsx'

/** An action that changes the state of an order or a build order: the last part of its URL. */
export type StateAction = 'issue' | 'complete' | 'finish' | 'cancel'

/** The actions of a kind, in the order in which its page offers them. */
export type ActionTable<Name extends string> = readonly { action: Name; title: PlainKey; icon: IconName; keys?: string }[]

/** What the dialog of a state action says and sends. */
export type StateQuestion = {
  children?: ComponentChildren
  /** The title of a notice that says why the action is not possible yet; nothing is sent. */
  blocked?: string
  /** Sent where no fields are asked for. */
  body?: Values
  /** Fields that are asked for. `help` replaces the help text of a field, `done` is the message after success. */
  form?: { facts: ResourceFacts; start: Values; names: readonly string[]; help?: Record<string, string | false>; done: string }
}

type Properties = {
  /** The URL of the order. */
  url: string
  action: StateAction
  title: string
  /** The text of the button. */
  button: string
  question: StateQuestion
  seen: Seen
  onDone: () => void
  onClose: () => void
}

/** Asks before an order or a build order changes its state, and sends the action. */
export function StateDialog({ url, action, title, button, question, seen, onDone, onClose }: Properties) {
  const { children, blocked, body = {}, form } = question
  const isDangerous = action === 'cancel'
  const send = (values: Values, key: string) => postSeen<unknown>(url, action, values, key, seen)
  if (blocked)
    return (
      <Notice title={blocked} onClose={onClose}>
        {children}
      </Notice>
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
  const { help = {}, done, ...fields } = form
  return (
    <FormDialog<unknown>
      {...fields}
      title={title}
      button={button}
      without="rest"
      own={(filled) =>
        Object.fromEntries(
          Object.entries(help).map(([name, text]) => [name, () => <Field form={filled} name={name} help={text || null} />]),
        )
      }
      isDangerous={isDangerous}
      send={send}
      done={() => done}
      onDone={onDone}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
