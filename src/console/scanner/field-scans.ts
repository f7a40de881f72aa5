import { markScanEnd } from '../kit/navigation/scan-terminator.ts'

// Scans into the focused text field: the code stays there, and the focus moves on.

type TextField = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES = new Set(['text', 'search', 'email', 'url', 'tel', 'number'])

/** Elements in which the page itself handles scans, whatever has the focus, such as the sheet of a count. */
const PAGE_SCANS = '[data-scans="page"]'

/** The text field that receives a scan; undefined where scans are actions of the page. */
export function findScanField(target: EventTarget | null): TextField | undefined {
  if (!isTextField(target) || target.readOnly || (target.closest(PAGE_SCANS) && !isCodeField(target))) return undefined
  return target
}

const isTextField = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TEXT_TYPES.has(target.type))

/** Whether people type words there, rather than quantities. */
export const isWordField = (target: EventTarget | null): boolean =>
  isTextField(target) && !/^(decimal|numeric)$/.test(target.inputMode)

/** Whether the field is that of a scan station: the end key submits each code. */
const isCodeField = (field: TextField): boolean => field.dataset.codes !== undefined

/** The value of a field with several codes after the last complete one. */
const completeValues = new WeakMap<TextField, string>()

/** Inserts text as if it was typed, so that the browser can undo it and the page receives the event. */
export const insertText = (text: string): boolean => document.execCommand('insertText', false, text)

/** Separates a code from the previous one, in a field that takes several (`data-several`). Must be called before its first character is typed. */
export function separateCodes(field: TextField, character: string): void {
  const { value, selectionStart, selectionEnd } = field
  if (completeValues.get(field) !== value) return
  completeValues.delete(field)
  const isAtEnd = selectionStart === value.length && selectionEnd === value.length
  // people type characters that continue the code or the list
  if (isAtEnd && !/[\s,;+~.<>-]/.test(character)) insertText(', ')
}

/** Ends a scan in a field: moves the focus to the next field of the form without submitting it. @param event the key that ended it */
export function endScan(field: TextField, event: KeyboardEvent): void {
  if (isCodeField(field)) {
    if (event.key === 'Enter') return
    stopEvent(event)
    field.form?.requestSubmit()
    return
  }
  const { several } = field.dataset
  if (several !== undefined) {
    completeValues.set(field, field.value)
    const expectedCount = Number(several)
    if (!(expectedCount > 0) || field.value.split(/[\s,;]+/).filter(Boolean).length < expectedCount) {
      stopEvent(event)
      return
    }
  }
  // Enter submits nothing in a field without a form, or in a textarea
  if (event.key === 'Tab' || !field.form || field instanceof HTMLTextAreaElement) return
  if (field.role !== 'combobox') {
    stopEvent(event)
    focusNext(field)
    return
  }
  // the combobox uses the mark to select a match
  markScanEnd(event)
  const moveOn = () => {
    event.preventDefault()
    focusNext(field)
  }
  window.addEventListener('keydown', moveOn, { once: true })
}

/** Stops a key from reaching the browser and all other listeners. */
export function stopEvent(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const FOCUSABLE_SELECTOR = 'input, select, textarea, button[type="submit"]'

/** Focuses the next field of the form, or its submit button after the last one. */
function focusNext(field: TextField): void {
  const all = [...(field.form?.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR) ?? [])]
  const next = all
    .slice(all.indexOf(field) + 1)
    .find((element) => !element.matches(':disabled, [type="hidden"]') && element.tabIndex >= 0 && element.checkVisibility())
  next?.focus()
}
