/** Keys that were held back and are given to the page once more. */
const returned = new WeakSet<Event>()

/** Whether a key is one that was given back: it was looked at before. */
export const isResent = (event: Event): boolean => returned.has(event)

/** Gives a key back to whatever has the focus, as if it was pressed now. */
export function resendKey(held: KeyboardEvent): void {
  const { key, ctrlKey, altKey } = held
  const target = document.activeElement ?? document.body
  const isFree = pressIn(target, held)
  if (isFree && [...key].length === 1 && (!ctrlKey || altKey)) write(document.activeElement ?? target, key)
}

/** Presses a key once more, in an element. @returns whether what the browser does by itself is still to be done */
export function pressIn(target: Element, { key, code, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
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
