import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { compare, times } from '../values/exact.ts'
import { Confirm } from './confirm.tsx'

/** So many times what there was before is asked about, */
const TIMES = 100
/** and nothing below that of so many, as the first thousand of something is nothing strange. */
const FEW = 10

/** Whether so much of something is more than anybody means, beside what there was before. What is no number is not judged. */
export function isDoubtful(amount: unknown, before: number | string): boolean {
  const text = String(amount ?? '').trim()
  if (!/^\d+\.?\d*$/.test(text)) return false
  return compare(text, times(TIMES, compare(before, FEW) > 0 ? before : FEW)) > 0
}

type Doubting = {
  /**
   * Does something at once where there is no doubt, else once somebody says that it is meant.
   * @param more each of several quantities
   * @returns what that gives where it is done at once
   */
  before: (doubt: string | undefined, run: () => unknown, more?: ComponentChildren) => unknown
  isAsking: () => boolean
  /** The window that asks, which stands where it is asked for. The focus is on the way back. */
  question: ComponentChildren
}

/** Asks whether a quantity is meant, before something is done with it. */
export function useDoubt(): Doubting {
  const asked = useSignal<{ title: string; run: () => unknown; more?: ComponentChildren } | undefined>(undefined)
  const { title, run, more } = asked.value ?? {}
  return {
    before(doubt, run, more) {
      if (doubt === undefined) return run()
      asked.value = { title: doubt, run, more }
      return undefined
    },
    isAsking: () => asked.value !== undefined,
    question: title !== undefined && (
      <Confirm
        title={title}
        button={t('doubt.meant')}
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
