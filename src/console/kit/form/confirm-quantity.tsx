import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { Confirm } from './confirm.tsx'

type Doubting = {
  /**
   * Runs an action immediately without a doubt, else after the user confirms it.
   * @param more details, for each of several quantities
   * @param button label of the button that confirms
   * @returns the action's result if it runs immediately
   */
  before: (doubt: string | undefined, run: () => unknown, more?: ComponentChildren, button?: string) => unknown
  isAsking: () => boolean
  /** The confirmation dialog, rendered where the component puts it. The focus is on its cancel button. */
  question: ComponentChildren
}

/** Asks the user to confirm an unusual quantity before it is used. */
export function useConfirmQuantity(): Doubting {
  const asked = useSignal<{ title: string; run: () => unknown; more?: ComponentChildren; button?: string } | undefined>(undefined)
  const { title, run, more, button = t('doubt.meant') } = asked.value ?? {}
  return {
    before(doubt, run, more, button) {
      if (doubt === undefined) return run()
      asked.value = { title: doubt, run, more, button }
      return undefined
    },
    isAsking: () => asked.value !== undefined,
    question: title !== undefined && (
      <Confirm
        title={title}
        button={button}
        keep={t('doubt.back')}
        onConfirm={async () => void run?.()}
        onClose={() => {
          asked.value = undefined
        }}
      >
        {more}
      </Confirm>
    ),
  }
}
