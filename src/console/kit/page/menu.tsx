import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

type Properties = {
  /** Accessible label of the button. */
  label: string
  icon: IconName
  /** Text next to the icon. */
  text?: string
  /** Whether the text is shown in narrow windows too. */
  keepsText?: boolean
  /** Whether it is shown only in narrow windows, as on a phone. */
  isNarrow?: boolean
  children: ComponentChildren
}

/** Minimum distance of its content from the edge of the window, in pixels. */
const MIN_EDGE_DISTANCE_PX = 8

/** A button that opens a menu, which closes on Escape and when anything else is pressed. */
export function Menu({ label, icon, text, keepsText, isNarrow, children }: Properties) {
  const isOpen = useSignal(false)
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  const content = useRef<HTMLDivElement>(null)
  // aligned with the end of the button, unless there is no room before that
  useLayoutEffect(() => {
    if (!isOpen.value || !content.current) return
    content.current.style.transform = ''
    const { left } = content.current.getBoundingClientRect()
    if (left < MIN_EDGE_DISTANCE_PX) content.current.style.transform = `translateX(${MIN_EDGE_DISTANCE_PX - left}px)`
  }, [isOpen.value])
  useEffect(() => {
    if (!isOpen.value) return
    const closeMenu = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !ref.current?.contains(event.target as Node))
        isOpen.value = false
      if (event instanceof KeyboardEvent && event.key === 'Escape') ref.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', closeMenu)
    document.addEventListener('focusin', closeMenu)
    document.addEventListener('keydown', closeMenu)
    return () => {
      document.removeEventListener('pointerdown', closeMenu)
      document.removeEventListener('focusin', closeMenu)
      document.removeEventListener('keydown', closeMenu)
    }
  }, [isOpen.value])
  return (
    <div class={isNarrow ? 'menu narrow-only' : 'menu'} ref={ref}>
      <button
        type="button"
        class={text ? 'quiet' : 'quiet icon-only'}
        aria-label={label}
        title={label}
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name={icon} />
        {text && <span class={keepsText ? '' : 'wide-only'}>{text}</span>}
      </button>
      {/* biome-ignore lint/a11y: clicks come from a button or link inside, which also work with keys */}
      <div
        id={id}
        ref={content}
        class="menu-content"
        hidden={!isOpen.value}
        onClick={({ target }) => {
          if (!(target as Element).closest('[data-ends-menu]')) return
          isOpen.value = false
          ref.current?.querySelector('button')?.focus()
        }}
      >
        {isOpen.value && children}
      </div>
    </div>
  )
}
