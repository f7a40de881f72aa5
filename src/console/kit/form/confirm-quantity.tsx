import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { Confirm } from './confirm.tsx'

type QuantityConfirmation = {
  /**
   * Runs an action immediately if there is no warning, otherwise after the user confirms it.
   * @param details texts, one for each of several quantities
   * @param button label of the button that confirms
   * @returns the action's result if it runs immediately
   */
  before: (warning: string | undefined, run: () => unknown, details?: ComponentChildren, button?: string) => unknown
  isOpen: () => boolean
  /** The confirmation dialog, rendered where the component puts it. The focus is on its cancel button. */
  dialog: ComponentChildren
}

/** Asks the user to confirm an unusual quantity before it is used. */
export function useConfirmQuantity(): QuantityConfirmation {
  const pending = useSignal<{ title: string; run: () => unknown; details?: ComponentChildren; button?: string } | undefined>(
    undefined,
  )
  const { title, run, details, button = t('confirm.confirm') } = pending.value ?? {}
  return {
    before(warning, run, details, button) {
      if (warning === undefined) return run()
      pending.value = { title: warning, run, details, button }
      return undefined
    },
    isOpen: () => pending.value !== undefined,
    dialog: title !== undefined && (
      <Confirm
        title={title}
        button={button}
        cancelLabel={t('confirm.check-again')}
        onConfirm={async () => void run?.()}
        onClose={() => {
          pending.value = undefined
        }}
      >
        {details}
      </Confirm>
    ),
  }
}
