import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { useReturnFocus } from '../navigation/focus.ts'
import { hasUnsavedInput } from '../navigation/unsaved-input.ts'
import { Icon } from '../page/icon.tsx'
import { useDiscardChanges } from './discard-changes.tsx'

type Properties = {
  title: string
  /** Without it, only the opener closes the dialog. */
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
  /** Whether a click started outside: selecting text beyond the edge of the dialog also ends there. */
  const isPressedOutside = useRef(false)
  const isRemoved = useRef(false)
  const { requestClose, dialog: discardDialog } = useDiscardChanges(ref, onClose)
  // nothing outside can have the focus while it is open
  useReturnFocus(ref, () => {
    isRemoved.current = true
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
        if (onClose) requestClose()
      }}
      onCancel={(event) => {
        if (event.target !== ref.current) return
        event.preventDefault()
        if (onClose) requestClose()
      }}
      onClose={(event) => {
        const dialog = ref.current
        if (isRemoved.current || !dialog || event.target !== dialog) return
        if (onClose && !hasUnsavedInput(dialog)) return onClose()
        // browsers close a dialog on a second Escape
        if (dialog.isConnected && !dialog.open) dialog.showModal()
        if (onClose) requestClose()
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedOutside.current && onClose) requestClose()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={requestClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
        {discardDialog}
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
