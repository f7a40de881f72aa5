import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { ApiError, isNotExecuted, newKey } from '../service/api.ts'
import { Dialog } from '../window/dialog.tsx'
import { Problem } from './form-footer.tsx'

type Properties = {
  title: string
  children?: ComponentChildren
  /** Label of the confirm button: its action in a word. */
  button: string
  /** Label of the cancel button, if it is not "Cancel". */
  cancelLabel?: string
  /** Whether the action is safe, such as a next step: Enter confirms immediately. */
  isHarmless?: boolean
  /** @param key the Idempotency-Key of the submit @throws ApiError, which is shown */
  onConfirm: (key: string) => Promise<unknown>
  onClose: () => void
}

/**
 * Asks before an action that cannot be undone. Escape cancels. The focus is on the button that confirms if that is harmless; otherwise on the
 * cancel button, so that pressing Enter twice deletes nothing.
 */
export function Confirm({ title, children, button, cancelLabel, isHarmless, onConfirm, onClose }: Properties) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const ref = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => ref.current?.focus(), [])
  async function confirm() {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await onConfirm(key.current)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a request without a response may have succeeded: it is resent with the same key
      if (isNotExecuted(error)) key.current = newKey()
      problem.value = error.text
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem form={{ problem }} />
      <div class="buttons">
        <button
          ref={isHarmless ? ref : undefined}
          type="button"
          class={isHarmless ? 'primary' : 'danger'}
          disabled={isBusy.value}
          onClick={confirm}
        >
          {button}
        </button>
        <button ref={isHarmless ? undefined : ref} type="button" onClick={onClose}>
          {cancelLabel ?? t('cancel')}
        </button>
      </div>
    </Dialog>
  )
}
