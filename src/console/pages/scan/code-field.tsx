import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { handleScan, isListening, scanDelay } from '../../scanner/scanner.ts'
import type { Station } from '../../scanner/station.ts'
import type { Mode } from './mode.ts'

/** Number of scanner pauses after which a code without an end key is complete. A busy browser delivers keys later than they were pressed. */
const UNTERMINATED_PAUSES = 6
/** Minimum length of such a code. No human types that many characters at such a pace. */
const MIN_UNTERMINATED_LENGTH = 6

const FIELD_SELECTOR = 'input[data-codes]'

/** Whether the field of the scan station holds part of a code. */
export const isTypingCode = (): boolean => (document.querySelector<HTMLInputElement>(FIELD_SELECTOR)?.value ?? '') !== ''

/**
 * The field of the scan station: its text is sent by Enter, by the Tab of a scanner, or after a scanner has stopped without an end key. It
 * has the focus unless something else is being edited.
 */
export function CodeField({ station, mode }: { station: Station; mode: Mode }) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** Time of the last key, and the number of keys before it at the pace of a scanner. */
  const run = useRef({ last: 0, count: 0 })
  const send = () => {
    clearTimeout(timer.current)
    run.current = { last: 0, count: 0 }
    const field = input.current
    if (!field) return
    const { value: code } = field
    // immediately: the next code may already be arriving
    field.value = ''
    if (code.trim()) handleScan(code)
  }
  // the keyboard of a phone stays hidden until the field is touched
  useEffect(() => {
    if (input.current && matchMedia('(pointer: coarse)').matches) input.current.inputMode = 'none'
    return () => clearTimeout(timer.current)
  }, [])
  useEffect(focusField, [mode.name])
  useEffect(() => {
    // scanning continues after a press on a button or a selection
    const restoreFocus = () => setTimeout(() => !document.querySelector('dialog[open]') && !isUsingOtherControl() && focusField())
    document.addEventListener('click', restoreFocus)
    document.addEventListener('change', restoreFocus)
    return () => {
      document.removeEventListener('click', restoreFocus)
      document.removeEventListener('change', restoreFocus)
    }
  }, [])
  const countKey = ({ key, timeStamp }: KeyboardEvent) => {
    const delay = scanDelay.value
    clearTimeout(timer.current)
    if (key.length !== 1 || !isListening.value) return
    const isFast = run.current.count === 0 || timeStamp - run.current.last <= delay
    run.current = { last: timeStamp, count: isFast ? run.current.count + 1 : Number.NEGATIVE_INFINITY }
    if (run.current.count >= MIN_UNTERMINATED_LENGTH) timer.current = setTimeout(send, UNTERMINATED_PAUSES * delay)
  }
  return (
    <form
      class="scan-code-field"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <input
        ref={input}
        data-search
        data-codes
        aria-label={t('scan.type-code')}
        placeholder={t('scan.type-code')}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onPointerDown={(event) => {
          event.currentTarget.inputMode = 'text'
        }}
        onInput={({ currentTarget }) => {
          if (currentTarget.value === '') run.current = { last: 0, count: 0 }
        }}
        onKeyDown={(event) => {
          const { value } = event.currentTarget
          if (event.key === 'Escape') event.currentTarget.blur()
          else if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && value === '') {
            event.preventDefault()
            station.undo()
          } else countKey(event)
        }}
      />
      <button type="submit">{t('scan.submit-code')}</button>
    </form>
  )
}

/** Whether another field, list or question has the focus. */
const isUsingOtherControl = (): boolean =>
  isTyping(document.activeElement) || document.activeElement?.closest('.scan-question, [popover]') != null

function focusField(): void {
  document.querySelector<HTMLInputElement>(FIELD_SELECTOR)?.focus({ preventScroll: true })
}
