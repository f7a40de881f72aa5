import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { hasUnsavedInput } from '../navigation/unsaved-input.ts'

type DiscardPrompt = {
  /** Discards the changes: immediately, or after a confirmation if there is unsaved input. */
  requestClose: () => void
  /** The confirmation, rendered where the component puts it. */
  dialog: ComponentChildren
}

/** Asks in place before unsaved input is discarded. @param container the element with the input */
export function useDiscardChanges(container: RefObject<HTMLElement | null>, discard: (() => void) | undefined): DiscardPrompt {
  const isOpen = useSignal(false)
  const field = useRef<Element | null>(null)
  const requestClose = () => {
    if (!container.current || !hasUnsavedInput(container.current)) return discard?.()
    if (!isOpen.value) field.current = document.activeElement
    isOpen.value = true
  }
  const keepEditing = () => {
    isOpen.value = false
    if (field.current instanceof HTMLElement) field.current.focus()
  }
  return { requestClose, dialog: isOpen.value && discard && <DiscardQuestion onKeep={keepEditing} onDrop={discard} /> }
}

function DiscardQuestion({ onKeep, onDrop }: { onKeep: () => void; onDrop: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div
      class="discard-question"
      role="alertdialog"
      aria-label={t('discard.ask')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onKeep()
      }}
    >
      <strong>{t('discard.ask')}</strong>
      <div class="buttons">
        <button ref={ref} type="button" class="primary" onClick={onKeep}>
          {t('discard.keep')}
        </button>
        <button type="button" class="danger" onClick={onDrop}>
          {t('discard.discard')}
        </button>
      </div>
    </div>
  )
}
