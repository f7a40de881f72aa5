import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

type Properties = {
  /** What the button is called. */
  label: string
  icon: IconName
  /** Words beside the drawing. */
  text?: string
  children: ComponentChildren
}

/** A button that shows what is behind it, until Escape is pressed or something else is. */
export function Menu({ label, icon, text, children }: Properties) {
  const isOpen = useSignal(false)
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen.value) return
    const leave = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !ref.current?.contains(event.target as Node))
        isOpen.value = false
      if (event instanceof KeyboardEvent && event.key === 'Escape') ref.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
      document.removeEventListener('keydown', leave)
    }
  }, [isOpen.value])
  return (
    <div class="menu" ref={ref}>
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
        {text && <span class="wide-only">{text}</span>}
      </button>
      <div id={id} class="menu-content" hidden={!isOpen.value}>
        {isOpen.value && children}
      </div>
    </div>
  )
}
