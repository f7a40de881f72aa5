import type { ComponentChildren } from 'preact'
import { Confirm } from './confirm.tsx'
import { compare, times } from './exact.ts'
import { t } from './language.ts'

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

type Properties = {
  title: string
  /** Each of several quantities. */
  children?: ComponentChildren
  onMeant: () => unknown
  /** Also once it was meant. */
  onClose: () => void
}

/** Asks in a window whether a quantity is meant. The focus is on the way back. */
export const DoubtWindow = ({ title, children, onMeant, onClose }: Properties) => (
  <Confirm title={title} button={t('doubt.meant')} keep={t('doubt.back')} onConfirm={async () => onMeant()} onClose={onClose}>
    {children}
  </Confirm>
)
