/** Keys that were held back and are sent to the page again. */
const resentEvents = new WeakSet<Event>()

/** Whether a key event was sent again, so that it was already checked. */
export const isResent = (event: Event): boolean => resentEvents.has(event)

/** Sends a held key to the focused element, as if it was pressed now. */
export function resendKey(original: KeyboardEvent): void {
  const { key, ctrlKey, altKey } = original
  const target = document.activeElement ?? document.body
  const isUnhandled = dispatchKeyDown(target, original)
  if (isUnhandled && [...key].length === 1 && (!ctrlKey || altKey)) typeCharacter(document.activeElement ?? target, key)
}

/** Presses a key again, in an element. @returns whether the browser's default action still has to be done */
export function dispatchKeyDown(target: Element, { key, code, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  const copy = new KeyboardEvent('keydown', {
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
  resentEvents.add(copy)
  return target.dispatchEvent(copy)
}

/** Elements that the space bar presses. */
const CLICKABLE = 'button, summary, input[type=checkbox], input[type=radio]'

/** Does the browser's default action for a character that is typed there. */
function typeCharacter(target: Element, character: string): void {
  if (target instanceof HTMLSelectElement) selectOption(target, character)
  else if (character === ' ' && target instanceof HTMLElement && target.matches(CLICKABLE)) target.click()
  // the only way that preserves the browser's own undo, and fires input events
  else document.execCommand('insertText', false, character)
}

/** Selects the next choice that begins with a letter. */
function selectOption(target: HTMLSelectElement, letter: string): void {
  const { options, selectedIndex: startIndex } = target
  const matchesLetter = ({ text, disabled }: HTMLOptionElement) =>
    !disabled && text.toLowerCase().startsWith(letter.toLowerCase())
  const indexes = [...options].map((_, index) => (startIndex + 1 + index) % options.length)
  const next = indexes.find((index) => matchesLetter(options[index] as HTMLOptionElement))
  if (next === undefined || next === startIndex) return
  target.selectedIndex = next
  target.dispatchEvent(new Event('input', { bubbles: true }))
  target.dispatchEvent(new Event('change', { bubbles: true }))
}
