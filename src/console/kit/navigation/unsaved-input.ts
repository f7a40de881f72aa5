// Unsent input of the user.

const FIELDS = 'input, select, textarea'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Values of fields when the user entered them. */
const initialValues = new WeakMap<Element, string>()
/** Fields that the user changed, rather than the console. */
const changedFields = new WeakSet<Element>()

const isField = (target: EventTarget | null): target is Field => target instanceof HTMLElement && target.matches(FIELDS)

const readField = (field: Field): string =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value

/** Tracks typing. Call it once. */
export function trackTyping(): void {
  const recordValue = ({ target }: Event) => {
    if (isField(target) && !changedFields.has(target)) initialValues.set(target, readField(target))
  }
  // a clicked checkbox does not get the focus in every browser
  document.addEventListener('focusin', recordValue, { capture: true })
  document.addEventListener('pointerdown', recordValue, { capture: true })
  document.addEventListener(
    'input',
    ({ target }) => {
      if (isField(target)) changedFields.add(target)
    },
    { capture: true },
  )
  window.addEventListener('beforeunload', (event) => {
    if (hasUnsentForm()) event.preventDefault()
  })
}

/** Whether a field in the element has another value than before the user changed it. */
export const hasUnsavedInput = (container: ParentNode): boolean =>
  [...container.querySelectorAll<Field>(FIELDS)].some(
    (field) => changedFields.has(field) && initialValues.get(field) !== readField(field),
  )

/** Forms whose input would be lost with their page. */
const UNSENT_FORMS = 'main form, dialog[open] form'

/** Changes that are not in fields, such as those of a text editor. */
type UnsavedChanges = { hasChanges: () => boolean; discard: () => void }
const registeredChanges = new Set<UnsavedChanges>()

/** Registers changes that would be lost with the page, until the returned function is called. */
export function registerUnsavedChanges(changes: UnsavedChanges): () => void {
  registeredChanges.add(changes)
  return () => registeredChanges.delete(changes)
}

/** Whether there is input that would be lost with the page. */
export const hasUnsentForm = (): boolean =>
  [...document.querySelectorAll(UNSENT_FORMS)].some(hasUnsavedInput) ||
  [...registeredChanges].some(({ hasChanges }) => hasChanges())

/** Marks all input as unchanged: it was sent, or the user decided to discard it. */
export function discardInput(): void {
  for (const field of document.querySelectorAll(FIELDS)) changedFields.delete(field)
  for (const { discard } of registeredChanges) discard()
}
