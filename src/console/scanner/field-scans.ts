import { markScanEnd } from '../kit/navigation/scan-end.ts'

// What becomes of a scan in the text field that has the focus: the code stands there, and the focus goes on.

type TextField = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES = new Set(['text', 'search', 'email', 'url', 'tel', 'number'])

/** Where the page itself takes what is scanned, whatever has the focus there, such as the sheet of a count. */
const PAGE_SCANS = '[data-scans="page"]'

/** The text field that a scan belongs into; undefined where scans are actions of the page. */
export function scannedField(target: EventTarget | null): TextField | undefined {
  if (!(target instanceof HTMLTextAreaElement) && !(target instanceof HTMLInputElement && TEXT_TYPES.has(target.type)))
    return undefined
  if (target.readOnly || (target.closest(PAGE_SCANS) && !holdsCodes(target))) return undefined
  return target
}

/** Whether the field is that of a scan station: each code is sent by the key that ends it. */
const holdsCodes = (field: TextField): boolean => field.dataset.codes !== undefined

/** What a list of codes held when the last one was complete. */
const complete = new WeakMap<TextField, string>()

/** Writes into a field as if it was typed, so that the browser can undo it and the page hears of it. */
export const write = (text: string): boolean => document.execCommand('insertText', false, text)

/** Separates a code from the one before it, in a field that takes several (`data-several`). To be called before its first character is typed. */
export function separateCodes(field: TextField, character: string): void {
  const { value, selectionStart, selectionEnd } = field
  if (complete.get(field) !== value) return
  complete.delete(field)
  const isAtEnd = selectionStart === value.length && selectionEnd === value.length
  // what goes on with the code or the list is typed by people
  if (isAtEnd && !/[\s,;+~.<>-]/.test(character)) write(', ')
}

/** Ends a scan in a field: the focus goes to the next field of the form, which is not sent. @param event the key that ended it */
export function endScan(field: TextField, event: KeyboardEvent): void {
  if (holdsCodes(field)) {
    if (event.key === 'Enter') return
    halt(event)
    field.form?.requestSubmit()
    return
  }
  const { several } = field.dataset
  if (several !== undefined) {
    complete.set(field, field.value)
    const wanted = Number(several)
    if (!(wanted > 0) || field.value.split(/[\s,;]+/).filter(Boolean).length < wanted) {
      halt(event)
      return
    }
  }
  // of fields without a form, and of lines of text, Enter sends nothing
  if (event.key === 'Tab' || !field.form || field instanceof HTMLTextAreaElement) return
  if (field.role !== 'combobox') {
    halt(event)
    focusNext(field)
    return
  }
  // the field chooses what fits by it
  markScanEnd(event)
  const pass = () => {
    event.preventDefault()
    focusNext(field)
  }
  window.addEventListener('keydown', pass, { once: true })
}

/** Keeps a key from the browser and from all other listeners. */
export function halt(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const NEXT = 'input, select, textarea, button[type="submit"]'

/** Gives the focus to the next field of the form; after the last one to the button that sends it. */
function focusNext(field: TextField): void {
  const all = [...(field.form?.querySelectorAll<HTMLElement>(NEXT) ?? [])]
  const next = all
    .slice(all.indexOf(field) + 1)
    .find((one) => !one.matches(':disabled, [type="hidden"]') && one.tabIndex >= 0 && one.checkVisibility())
  next?.focus()
}
