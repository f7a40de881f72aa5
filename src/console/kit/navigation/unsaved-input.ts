// Unsent input of the user.

const FIELDS = 'input, select, textarea'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Values of fields when the user entered them. */
const before = new WeakMap<Element, string>()
/** Fields that the user changed, rather than the console. */
const changed = new WeakSet<Element>()

const isField = (target: EventTarget | null): target is Field => target instanceof HTMLElement && target.matches(FIELDS)

const readField = (field: Field): string =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value

/** Tracks typing. Call it once. */
export function followTyping(): void {
  const come = ({ target }: Event) => {
    if (isField(target) && !changed.has(target)) before.set(target, readField(target))
  }
  // a clicked checkbox does not get the focus in every browser
  document.addEventListener('focusin', come, { capture: true })
  document.addEventListener('pointerdown', come, { capture: true })
  document.addEventListener(
    'input',
    ({ target }) => {
      if (isField(target)) changed.add(target)
    },
    { capture: true },
  )
  window.addEventListener('beforeunload', (event) => {
    if (hasUnsent()) event.preventDefault()
  })
}

/** Whether a field in the element has another value than before the user changed it. */
export const hasTyped = (within: ParentNode): boolean =>
  [...within.querySelectorAll<Field>(FIELDS)].some((field) => changed.has(field) && before.get(field) !== readField(field))

/** Forms whose input would be lost with their page. */
const UNSENT = 'main form, dialog[open] form'

/** Whether there is input that would be lost with the page. */
export const hasUnsent = (): boolean => [...document.querySelectorAll(UNSENT)].some(hasTyped)

/** Marks all input as unchanged: it was sent, or the user decided to discard it. */
export function discardInput(): void {
  for (const field of document.querySelectorAll(FIELDS)) changed.delete(field)
}
