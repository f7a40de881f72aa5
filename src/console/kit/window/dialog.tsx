import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { useFocusBack } from '../navigation/focus.ts'
import { hasTyped } from '../navigation/unsaved-input.ts'
import { Icon } from '../page/icon.tsx'
import { useDiscardChanges } from './discard-changes.tsx'

type Properties = {
  title: string
  /** Without it, only the opener closes the window. */
  onClose?: () => void
  children: ComponentChildren
  /** `wide` for tables. */
  size?: 'wide'
}

/**
 * A modal dialog: it keeps the focus, and returns it to its previous element. Escape, the close button and a click outside close it; with
 * unsaved input it asks first.
 */
export function Dialog({ title, onClose, children, size }: Properties) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** Selecting text beyond the edge of the window ends in a click outside. */
  const isPressedBehind = useRef(false)
  const isGone = useRef(false)
  const { requestClose: leave, question } = useDiscardChanges(ref, onClose)
  // nothing outside can have the focus while it is open
  useFocusBack(ref, () => {
    isGone.current = true
    ref.current?.close()
  })
  useLayoutEffect(() => {
    ref.current?.showModal()
    // instead of the close button
    ref.current?.querySelector<HTMLElement>('form input, form select, form textarea, .buttons button')?.focus()
  }, [])
  return (
    <dialog
      ref={ref}
      class={size}
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
        if ((event.target as Element).closest('dialog') !== ref.current) return
        event.preventDefault()
        if (onClose) leave()
      }}
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        if (onClose) leave()
      }}
      onClose={(event) => {
        const own = ref.current
        if (isGone.current || !own || event.target !== own) return
        if (onClose && !hasTyped(own)) return onClose()
        // browsers close a dialog on a second Escape
        if (own.isConnected && !own.open) own.showModal()
        if (onClose) leave()
      }}
      onPointerDown={(event) => {
        isPressedBehind.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedBehind.current && onClose) leave()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={leave}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
        {question}
      </div>
    </dialog>
  )
}

/** A dialog that only shows a message and a close button. */
export function MessageDialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </Dialog>
  )
}
