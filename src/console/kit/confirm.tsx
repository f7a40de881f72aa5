import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { newKey, Refusal, wasNotDone } from './api.ts'
import { Dialog } from './dialog.tsx'
import { t } from './language.ts'

type Properties = {
  title: string
  children?: ComponentChildren
  /** What the button does, in a word. */
  button: string
  /** It is a step on rather than a loss. */
  isHarmless?: boolean
  /** @param key the Idempotency-Key of the submit @throws Refusal, which is shown */
  onConfirm: (key: string) => Promise<unknown>
  onClose: () => void
}

/** Asks before something is done that cannot be taken back. Enter does it, Escape does not. */
export function Confirm({ title, children, button, isHarmless, onConfirm, onClose }: Properties) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => ref.current?.focus(), [])
  async function confirm() {
    if (isBusy.value) return
    isBusy.value = true
    try {
      await onConfirm(key.current)
      onClose()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // what was never answered may have been done: it is sent again under the same key
      if (wasNotDone(error)) key.current = newKey()
      problem.value = Object.values(error.fields).flat().join(' ') || error.message
    } finally {
      isBusy.value = false
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div role="alert">{problem.value && <p class="problem">{problem.value}</p>}</div>
      <div class="buttons">
        <button ref={ref} type="button" class={isHarmless ? 'primary' : 'danger'} disabled={isBusy.value} onClick={confirm}>
          {button}
        </button>
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  )
}
