import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Refusal } from './api.ts'
import { Dialog } from './dialog.tsx'
import { t } from './language.ts'

type Properties = {
  title: string
  children?: ComponentChildren
  /** What the button does, in a word. */
  button: string
  /** @throws Refusal, which is shown */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something is done that cannot be taken back. */
export function Confirm({ title, children, button, onConfirm, onClose }: Properties) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  async function confirm() {
    isBusy.value = true
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
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
        <button type="button" class="danger" disabled={isBusy.value} onClick={confirm}>
          {button}
        </button>
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  )
}
