import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../kit/language/language.ts'
import { isTyping } from '../../kit/navigation/keys.ts'
import { isListening, scanDelay, scanned } from '../../scanner/scanner.ts'
import type { Station } from '../../scanner/station.ts'
import type { Mode } from './mode.ts'

/** After how many pauses of a scanner a code is over that no key ends. A busy browser has its keys later than they were pressed. */
const UNENDED = 6
/** The fewest characters of such a code. Nobody types as many at such a pace. */
const MIN_UNENDED = 6

const FIELD = 'input[data-codes]'

/** Whether a part of a code stands in the field of the scan station. */
export const isTypingCode = (): boolean => (document.querySelector<HTMLInputElement>(FIELD)?.value ?? '') !== ''

/**
 * The field of the scan station: what is scanned or typed there is sent by Enter, by the Tab of a scanner, or once a scanner has ended without
 * a key. It has the focus unless something else is typed.
 */
export function CodeField({ station, mode }: { station: Station; mode: Mode }) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** When the last key came and how many came before it at the pace of a scanner. */
  const run = useRef({ last: 0, count: 0 })
  const send = () => {
    clearTimeout(timer.current)
    run.current = { last: 0, count: 0 }
    const field = input.current
    if (!field) return
    const { value: code } = field
    // at once: the next code may be on its way
    field.value = ''
    if (code.trim()) scanned(code)
  }
  // the keyboard of a phone stays away until somebody touches the field
  useEffect(() => {
    if (input.current && matchMedia('(pointer: coarse)').matches) input.current.inputMode = 'none'
    return () => clearTimeout(timer.current)
  }, [])
  useEffect(focusField, [mode.name])
  useEffect(() => {
    // whoever presses a button or chooses something goes on scanning
    const back = () => setTimeout(() => !document.querySelector('dialog[open]') && !isAnswering() && focusField())
    document.addEventListener('click', back)
    document.addEventListener('change', back)
    return () => {
      document.removeEventListener('click', back)
      document.removeEventListener('change', back)
    }
  }, [])
  const countKey = ({ key, timeStamp }: KeyboardEvent) => {
    const delay = scanDelay.value
    clearTimeout(timer.current)
    if (key.length !== 1 || !isListening.value) return
    const isFast = run.current.count === 0 || timeStamp - run.current.last <= delay
    run.current = { last: timeStamp, count: isFast ? run.current.count + 1 : Number.NEGATIVE_INFINITY }
    if (run.current.count >= MIN_UNENDED) timer.current = setTimeout(send, UNENDED * delay)
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
            station.takeBack()
          } else countKey(event)
        }}
      />
      <button type="submit">{t('scan.take')}</button>
    </form>
  )
}

/** Whether something else is being typed, chosen or answered. */
const isAnswering = (): boolean =>
  isTyping(document.activeElement) || document.activeElement?.closest('.scan-question, [popover]') != null

function focusField(): void {
  document.querySelector<HTMLInputElement>(FIELD)?.focus({ preventScroll: true })
}
