import { isSecondKey } from '../kit/navigation/keys.ts'
import { dispatchKeyDown, isResent, resendKey } from '../kit/navigation/resend-key.ts'
import { FieldKeys } from './field-keys.ts'
import { endScan, findScanField, insertText, isWordField, separateCodes, stopEvent } from './field-scans.ts'
import { ScanKeys, type Stroke } from './scan-keys.ts'

let hasCapsLock = false

/** Whether Caps Lock was on at the last key: the case of scanned letters is inverted then. */
export const isCapsLocked = (): boolean => hasCapsLock

/** A date field, which only the browser itself can write to: its keys are passed on before they are known to belong to a scan or not. */
type DateField = { input: HTMLInputElement; value: string }

const isDateField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'date'

/** Removes the input of a scan from a date field, even if it is not a valid date yet. */
function restoreDate({ input, value }: DateField): void {
  for (const sample of ['2000-01-01', value]) input.value = sample
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Listens to keys before all other listeners, and distinguishes scans from typing. Scans into a text field stay there.
 * @param delay maximum time until the next key of a scan, in milliseconds
 * @returns a function that stops listening
 */
export function listenForScans(delay: number, scanned: (code: string) => void): () => void {
  const passedEvents = new WeakSet<Event>()
  /** The key being classified, and the key that caused held keys to be released before it. */
  let currentEvent: Event | undefined
  let releasingEvent: Event | undefined
  /** The date before the keys that are not classified yet. */
  let pendingDate: DateField | undefined
  const keys = new ScanKeys<KeyboardEvent>({
    delay,
    now: () => performance.now(),
    wait(milliseconds, then) {
      const timer = setTimeout(then, milliseconds)
      return () => clearTimeout(timer)
    },
    onScan(code) {
      if (pendingDate) restoreDate(pendingDate)
      pendingDate = undefined
      scanned(code)
    },
    onTyped(events) {
      pendingDate = undefined
      releasingEvent = currentEvent
      for (const event of events) if (!passedEvents.has(event)) resendKey(event)
    },
    // g followed by another key is a shortcut, which no scanner types
    isForPage: isSecondKey,
    isInWords: ({ target }) => isWordField(target),
  })
  const fieldKeys = new FieldKeys(delay)
  /** The field of the last key: keys in another field belong to another code. */
  let lastField: Element | null = null
  /** Handles a key in a text field: characters are left to the browser. */
  const typeInField = (field: HTMLInputElement | HTMLTextAreaElement, event: KeyboardEvent): void => {
    if (field !== lastField) fieldKeys.reset()
    lastField = field
    const stroke = fieldKeys.press(toStroke(event))
    if (stroke === 'end') endScan(field, event)
    else if (stroke === 'repeated-end') stopEvent(event)
    else if (stroke) {
      stopEvent(event)
      insertText(stroke.control)
    } else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey) separateCodes(field, event.key)
  }
  /** Stops the end of a scan from pressing the focused button, such as that of a filled-in form. */
  const handleButtonKey = (event: KeyboardEvent): boolean => {
    const { target } = event
    if (target !== lastField) fieldKeys.reset()
    lastField = target instanceof Element ? target : null
    const stroke = fieldKeys.press(toStroke(event))
    const isOnButton = stroke === 'end' && event.key === 'Enter' && lastField?.matches('button')
    if (stroke !== 'repeated-end' && !isOnButton) return false
    stopEvent(event)
    return true
  }
  const onKey = (event: Event) => {
    // browser autofill sends keydown events without a key
    if (!(event instanceof KeyboardEvent) || isResent(event) || isPassword(event.target)) return
    hasCapsLock = event.getModifierState('CapsLock')
    const { target } = event
    // a scan that started elsewhere continues there
    if (!keys.continuesScan(toStroke(event))) {
      if (isTextEditor(target)) return
      const field = findScanField(target)
      if (field) return typeInField(field, event)
      if (handleButtonKey(event)) return
    } else fieldKeys.reset()
    const date =
      isDateField(target) && [...event.key].length === 1 ? (pendingDate ?? { input: target, value: target.value }) : undefined
    currentEvent = event
    const isHeld = keys.press(toStroke(event), event)
    currentEvent = undefined
    if (!isHeld) return
    if (date) {
      pendingDate = date
      passedEvents.add(event)
      return
    }
    stopEvent(event)
  }
  // Released keys may have opened a field, which renders once the first listener has returned: the current key belongs to that field,
  // although its target is the element that had the focus before.
  const onNext = (event: Event) => {
    if (event !== releasingEvent || !(event instanceof KeyboardEvent)) return
    releasingEvent = undefined
    const focus = document.activeElement
    if (!focus || focus === document.body || focus === event.target) return
    event.stopImmediatePropagation()
    if (!dispatchKeyDown(focus, event)) event.preventDefault()
  }
  const flushKeys = () => keys.flush()
  window.addEventListener('keydown', onKey, { capture: true })
  window.addEventListener('keydown', onNext, { capture: true })
  // held keys belong to the field they were typed in
  window.addEventListener('pointerdown', flushKeys, { capture: true })
  return () => {
    flushKeys()
    window.removeEventListener('keydown', onKey, { capture: true })
    window.removeEventListener('keydown', onNext, { capture: true })
    window.removeEventListener('pointerdown', flushKeys, { capture: true })
  }
}

/** Whether the element is an editor that receives every key as text, also those that arrive without pauses, as from a text expander. */
const isTextEditor = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.dataset.scans === 'text'

/** Whether a password is being typed, perhaps by a password manager that types as fast as a scanner. */
const isPassword = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'password'

function toStroke(event: KeyboardEvent): Stroke {
  const { key, code, ctrlKey, altKey, metaKey, repeat, isComposing, timeStamp } = event
  const altGraph = event.getModifierState('AltGraph')
  return { key, code, ctrlKey, altKey, metaKey, repeat, isComposing, timeStamp, altGraph }
}
