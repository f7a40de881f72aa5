import { useEffect, useRef } from 'preact/hooks'
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

/** Asks whether a quantity is meant. The focus is on the way back. */
export function Doubt({ text, onMeant, onBack }: { text: string; onMeant: () => void; onBack: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div class="drop-question" role="alertdialog" aria-label={text}>
      <strong>{text}</strong>
      <div class="buttons">
        <button ref={ref} type="button" class="primary" onClick={onBack}>
          {t('doubt.back')}
        </button>
        <button type="button" class="danger" onClick={onMeant}>
          {t('doubt.meant')}
        </button>
      </div>
    </div>
  )
}
