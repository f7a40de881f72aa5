import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { t } from './language.ts'

type Properties = {
  title: string
  /** Without it, nothing closes the window but whoever opened it. */
  onClose?: () => void
  children: ComponentChildren
  /** `wide` for tables. */
  size?: 'wide'
}

/** A window over the page: it keeps the focus, Escape closes it, and the focus goes back where it was. */
export function Dialog({ title, onClose, children, size }: Properties) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  /** Text that is marked beyond the edge of the window ends in a click on what is behind it. */
  const isPressedBehind = useRef(false)
  useLayoutEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    // rather than the button that closes it
    ref.current?.querySelector<HTMLElement>('form input, form select, form textarea, .buttons button')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={size}
      aria-labelledby={id}
      onCancel={(event) => {
        if (!onClose) event.preventDefault()
      }}
      onClose={() => {
        // a browser lets a second Escape through
        if (onClose) onClose()
        else if (ref.current?.isConnected && !ref.current.open) ref.current.showModal()
      }}
      onPointerDown={(event) => {
        isPressedBehind.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (event.target === ref.current && isPressedBehind.current) onClose?.()
      }}
    >
      <div class="dialog">
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  )
}
