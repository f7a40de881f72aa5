import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { hasTyped } from '../navigation/unsaved-input.ts'

type DiscardPrompt = {
  /** Discards the changes: immediately, or after a confirmation if there is unsaved input. */
  requestClose: () => void
  /** The question, rendered where the component puts it. */
  question: ComponentChildren
}

/** Asks in place before unsaved input is discarded. @param within the element with the input */
export function useDiscardChanges(within: RefObject<HTMLElement | null>, drop: (() => void) | undefined): DiscardPrompt {
  const isAsking = useSignal(false)
  const field = useRef<Element | null>(null)
  const requestClose = () => {
    if (!within.current || !hasTyped(within.current)) return drop?.()
    if (!isAsking.value) field.current = document.activeElement
    isAsking.value = true
  }
  const keep = () => {
    isAsking.value = false
    if (field.current instanceof HTMLElement) field.current.focus()
  }
  return { requestClose, question: isAsking.value && drop && <Question onKeep={keep} onDrop={drop} /> }
}

function Question({ onKeep, onDrop }: { onKeep: () => void; onDrop: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div
      class="drop-question"
      role="alertdialog"
      aria-label={t('drop.ask')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onKeep()
      }}
    >
      <strong>{t('drop.ask')}</strong>
      <div class="buttons">
        <button ref={ref} type="button" class="primary" onClick={onKeep}>
          {t('drop.keep')}
        </button>
        <button type="button" class="danger" onClick={onDrop}>
          {t('drop.drop')}
        </button>
      </div>
    </div>
  )
}
