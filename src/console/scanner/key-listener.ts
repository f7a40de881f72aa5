import { isSecondKey } from '../kit/navigation/keys.ts'
import { ScanKeys, type Stroke } from './scan-keys.ts'

let hasCapsLock = false

/** Whether Caps Lock was on at the last key: then what scanners type is small where it is large on the label. */
export const isCapsLocked = (): boolean => hasCapsLock

/** Keys that were held back and are given to the page once more. */
const returned = new WeakSet<Event>()

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
 * Listens to the keys of the page before anything else does, and tells scans from typing.
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
      for (const event of events) if (!passed.has(event)) giveBack(event)
    },
    // whoever pressed g is no scanner, nor is what comes then
    isForPage: isSecondKey,
  })
  const onKey = (event: Event) => {
    // browsers that fill in a field by themselves send one that is of no key
    if (!(event instanceof KeyboardEvent) || returned.has(event) || isSecret(event.target)) return
    hasCapsLock = event.getModifierState('CapsLock')
    const { target } = event
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
    event.preventDefault()
    event.stopImmediatePropagation()
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

/** Gives a key back to whatever has the focus, as if it was pressed now. */
function giveBack(held: KeyboardEvent): void {
  const { key, ctrlKey, altKey } = held
  const target = document.activeElement ?? document.body
  const isFree = pressIn(target, held)
  if (isFree && [...key].length === 1 && (!ctrlKey || altKey)) write(document.activeElement ?? target, key)
}

/** Presses a key once more, in an element. @returns whether what the browser does by itself is still to be done */
function pressIn(target: Element, { key, code, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  const again = new KeyboardEvent('keydown', {
    key,
    code,
    shiftKey,
    ctrlKey,
    altKey,
    metaKey,
    bubbles: true,
    cancelable: true,
    composed: true,
  })
  returned.add(again)
  return target.dispatchEvent(again)
}

/** What is pressed by the space bar. */
const PRESSED = 'button, summary, input[type=checkbox], input[type=radio]'

/** Does what the browser does by itself when a character is typed there. */
function write(target: Element, character: string): void {
  if (target instanceof HTMLSelectElement) choose(target, character)
  else if (character === ' ' && target instanceof HTMLElement && target.matches(PRESSED)) target.click()
  // the only way that keeps the browser's own undo, and what listens to it
  else document.execCommand('insertText', false, character)
}

/** The next choice that begins with a letter. */
function choose(target: HTMLSelectElement, letter: string): void {
  const { options, selectedIndex: from } = target
  const fits = ({ text, disabled }: HTMLOptionElement) => !disabled && text.toLowerCase().startsWith(letter.toLowerCase())
  const all = [...options].map((_, at) => (from + 1 + at) % options.length)
  const next = all.find((at) => fits(options[at] as HTMLOptionElement))
  if (next === undefined || next === from) return
  target.selectedIndex = next
  target.dispatchEvent(new Event('input', { bubbles: true }))
  target.dispatchEvent(new Event('change', { bubbles: true }))
}
