// What somebody typed and did not send yet.

const FIELDS = 'input, select, textarea'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What fields held when somebody came to them. */
const before = new WeakMap<Element, string>()
/** Those that somebody changed, rather than the console. */
const changed = new WeakSet<Element>()

const isField = (target: EventTarget | null): target is Field => target instanceof HTMLElement && target.matches(FIELDS)

const heldBy = (field: Field): string =>
  field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value

/** Notices what is typed. To be called once. */
export function followTyping(): void {
  const come = ({ target }: Event) => {
    if (isField(target) && !changed.has(target)) before.set(target, heldBy(target))
  }
  // a tick that is pressed has no focus everywhere
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

/** Whether a field in it holds something else than before somebody typed there. */
export const hasTyped = (within: ParentNode): boolean =>
  [...within.querySelectorAll<Field>(FIELDS)].some((field) => changed.has(field) && before.get(field) !== heldBy(field))

/** Where something is filled in that would be lost with its page. */
const UNSENT = 'main form, dialog[open] form'

/** Whether something was typed that would be lost with the page. */
export const hasUnsent = (): boolean => [...document.querySelectorAll(UNSENT)].some(hasTyped)

/** Takes it as if nothing was typed: it was sent, or somebody decided to drop it. */
export function forgetTyped(): void {
  for (const field of document.querySelectorAll(FIELDS)) changed.delete(field)
}
