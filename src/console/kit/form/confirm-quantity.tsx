import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { Confirm } from './confirm.tsx'

type Doubting = {
  /**
   * Does something at once where there is no doubt, else once somebody says that it is meant.
   * @param more each of several quantities
   * @param button what the button is called that says that it is meant
   * @returns what that gives where it is done at once
   */
  before: (doubt: string | undefined, run: () => unknown, more?: ComponentChildren, button?: string) => unknown
  isAsking: () => boolean
  /** The window that asks, which stands where it is asked for. The focus is on the way back. */
  question: ComponentChildren
}

/** Asks whether a quantity is meant, before something is done with it. */
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
