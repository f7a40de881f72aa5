import { isSecondKey } from '../kit/navigation/keys.ts'
import { isResent, pressIn, resendKey } from '../kit/navigation/resend-key.ts'
import { FieldKeys } from './field-keys.ts'
import { endScan, halt, scannedField, separateCodes, write } from './field-scans.ts'
import { ScanKeys, type Stroke } from './scan-keys.ts'

let hasCapsLock = false

/** Whether Caps Lock was on at the last key: then what scanners type is small where it is large on the label. */
export const isCapsLocked = (): boolean => hasCapsLock

/** A field of a date, in which only the browser itself can write: its keys go their way while it is not known whether they are a scan. */
type DateField = { input: HTMLInputElement; value: string }

const isDate = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'date'

/** Takes out of a date what a scan wrote into it, also where that is no date yet. */
function restore({ input, value }: DateField): void {
  for (const shown of ['2000-01-01', value]) input.value = shown
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Listens to the keys of the page before anything else does, and tells scans from typing. In a text field what is scanned stays there.
 * @param delay milliseconds within which the next key of a scan follows
 * @returns what ends it
 */
export function listenForScans(delay: number, scanned: (code: string) => void): () => void {
  const passed = new WeakSet<Event>()
  /** The key that is being told apart, and the one on which others were given back that had been held back before it. */
  let pressed: Event | undefined
  let after: Event | undefined
  /** The date that was there before the keys of which it is not known yet. */
  let before: DateField | undefined
  const keys = new ScanKeys<KeyboardEvent>({
    delay,
    now: () => performance.now(),
    wait(milliseconds, then) {
      const timer = setTimeout(then, milliseconds)
      return () => clearTimeout(timer)
    },
    scanned(code) {
      if (before) restore(before)
      before = undefined
      scanned(code)
    },
    typed(events) {
      before = undefined
      after = pressed
      for (const event of events) if (!passed.has(event)) resendKey(event)
    },
    // whoever pressed g is no scanner, nor is what comes then
    isForPage: isSecondKey,
  })
  const inField = new FieldKeys(delay)
  /** The field of the last key: what is typed into another is another code. */
  let lastField: Element | null = null
  /** Takes a key in a text field: what the browser makes of a character is left to it. */
  const typeInField = (field: HTMLInputElement | HTMLTextAreaElement, event: KeyboardEvent): void => {
    if (field !== lastField) inField.forget()
    lastField = field
    const stroke = inField.press(strokeOf(event))
    if (stroke === 'end') endScan(field, event)
    else if (stroke === 'repeated-end') halt(event)
    else if (stroke) {
      halt(event)
      write(stroke.control)
    } else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey) separateCodes(field, event.key)
  }
  /** Keeps the end of a scan from pressing the button that has the focus, such as that of a form whose fields are filled in. */
  const endsOnButton = (event: KeyboardEvent): boolean => {
    const { target } = event
    if (target !== lastField) inField.forget()
    lastField = target instanceof Element ? target : null
    const stroke = inField.press(strokeOf(event))
    const isOnButton = stroke === 'end' && event.key === 'Enter' && lastField?.matches('button')
    if (stroke !== 'repeated-end' && !isOnButton) return false
    halt(event)
    return true
  }
  const onKey = (event: Event) => {
    // browsers that fill in a field by themselves send one that is of no key
    if (!(event instanceof KeyboardEvent) || isResent(event) || isSecret(event.target)) return
    hasCapsLock = event.getModifierState('CapsLock')
    const { target } = event
    // a scan that began elsewhere goes on there
    if (!keys.goesOn(strokeOf(event))) {
      const field = scannedField(target)
      if (field) return typeInField(field, event)
      if (endsOnButton(event)) return
    } else inField.forget()
    const date = isDate(target) && [...event.key].length === 1 ? (before ?? { input: target, value: target.value }) : undefined
    pressed = event
    const isHeld = keys.press(strokeOf(event), event)
    pressed = undefined
    if (!isHeld) return
    if (date) {
      before = date
      passed.add(event)
      return
    }
    halt(event)
  }
  // What was given back may have opened a field, which is drawn once the first listener has ended: the key is for that, and was on its way to
  // what had the focus before.
  const onNext = (event: Event) => {
    if (event !== after || !(event instanceof KeyboardEvent)) return
    after = undefined
    const focus = document.activeElement
    if (!focus || focus === document.body || focus === event.target) return
    event.stopImmediatePropagation()
    if (!pressIn(focus, event)) event.preventDefault()
  }
  const settle = () => keys.settle()
  window.addEventListener('keydown', onKey, { capture: true })
  window.addEventListener('keydown', onNext, { capture: true })
  // what was typed belongs where it was typed
  window.addEventListener('pointerdown', settle, { capture: true })
  return () => {
    settle()
    window.removeEventListener('keydown', onKey, { capture: true })
    window.removeEventListener('keydown', onNext, { capture: true })
    window.removeEventListener('pointerdown', settle, { capture: true })
  }
}

/** Whether a password is typed there, perhaps by a program that keeps them and types as fast as a scanner. */
const isSecret = (target: EventTarget | null): boolean => target instanceof HTMLInputElement && target.type === 'password'

function strokeOf(event: KeyboardEvent): Stroke {
  const { key, code, ctrlKey, altKey, metaKey, repeat, isComposing, timeStamp } = event
  const altGraph = event.getModifierState('AltGraph')
  return { key, code, ctrlKey, altKey, metaKey, repeat, isComposing, timeStamp, altGraph }
}
