import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

// Keeps the position of keyboard and screen reader users: the focused element may go away, with its row or its window.

/** Focusable elements without fields: page shortcuts would be text in a field. */
const FOCUSABLE = 'a[href], button:enabled, [tabindex="0"]'
/** Elements with a heading of their own. */
const PART = 'section, main, dialog'
const ROW = 'tr, li'
/** Cells that the arrow keys move to. */
const CELL = 'td[role="gridcell"]'

/** Position of the focus: the element, its ancestors from the innermost on, and its index in each. */
type Spot = { element: HTMLElement; steps: { child: Element; parent: Element; at: number; inChild: number }[] }

const focusablesIn = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)]

/** Elements of the same type in a row: cells, links, buttons. */
const similarElementsIn = (row: Element, { localName }: Element): Element[] => [...row.querySelectorAll(localName)]

function spotOf(element: HTMLElement): Spot {
  const steps: Spot['steps'] = []
  for (let child: Element = element; child.parentElement && child !== document.body; child = child.parentElement) {
    const parent = child.parentElement
    const at = [...parent.children].indexOf(child)
    steps.push({ child, parent, at, inChild: child.matches(ROW) ? similarElementsIn(child, element).indexOf(element) : 0 })
  }
  return { element, steps }
}

/** @returns whether it has the focus now */
function focus(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false
  element.focus({ preventScroll: !element.isConnected })
  return document.activeElement === element
}

function focusHeading(part: Element): boolean {
  const heading = part.querySelector<HTMLElement>('h1, h2')
  if (heading) heading.tabIndex = -1
  return focus(heading)
}

/** Focuses the heading of the page, where shortcuts of the page work. */
export function focusPage(): void {
  focusHeading(document.getElementById('page') ?? document.body)
}

/** Restores the focus; if its element is gone, focuses the same element of the next row, a neighbor, or the heading above it. */
function resendKey({ element, steps }: Spot): void {
  if (focus(element)) return
  for (const { child, parent, at, inChild } of steps) {
    if (!parent.isConnected) continue
    if (child.matches(ROW) && !child.isConnected)
      for (const row of [parent.children[at], parent.children[at - 1]]) {
        const all = row ? similarElementsIn(row, element) : []
        if (focus(all[inChild] ?? all.at(-1))) return
      }
    if (parent.matches(CELL) && focus(parent)) return
    // other elements of a header lead elsewhere
    if (parent.matches(`${PART}, header`)) {
      if (focusHeading(parent)) return
    } else if (!parent.querySelector(PART) && focusablesIn(parent).some(focus)) return
  }
  focusPage()
}

let last: Spot | undefined

/** Whether the element may get the focus back by itself, such as a button that waits for its response. */
const isWaiting = (element: HTMLElement): boolean => element.isConnected && element.matches(':disabled')

/** Keeps the focus near its position when its element goes away. Call it once. */
export function preserveFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? spotOf(target) : undefined
  })
  // a click outside of everything removes the focus
  document.addEventListener('click', () => {
    if (document.activeElement === document.body && last?.element.isConnected && !isWaiting(last.element)) last = undefined
  })
  new MutationObserver(() => {
    if (!last || document.activeElement !== document.body || isWaiting(last.element)) return
    const isThere = last.element.isConnected && last.element.checkVisibility()
    const over = [...document.querySelectorAll('dialog:modal')].at(-1)
    if (over && !last.steps.some(({ parent }) => parent === over)) return
    if (isThere) focus(last.element)
    else resendKey(last)
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
}

/** Time during which a button ignores Enter, in milliseconds. */
const ENTER_IGNORED_MS = 500

/** Makes a newly focused button ignore Enter briefly: a user who pressed it twice meant the previously focused element. */
export function ignoreEnterBriefly(element: Element | null): void {
  if (!(element instanceof HTMLButtonElement)) return
  const passOver = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault()
  }
  element.addEventListener('keydown', passOver)
  setTimeout(() => element.removeEventListener('keydown', passOver), ENTER_IGNORED_MS)
}

/**
 * Returns the focus to its previous element when the component is removed, unless another element has it by then.
 * @param own element of the component
 * @param leave closes anything that keeps the focus inside
 */
export function useFocusBack(own: RefObject<HTMLElement | null>, leave?: () => void): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    const spot = before instanceof HTMLElement && before !== document.body ? spotOf(before) : undefined
    return () => {
      const hasFocus = own.current?.contains(document.activeElement)
      const isTyping = hasFocus && document.activeElement?.matches('input, select, textarea')
      leave?.()
      if (!hasFocus && document.activeElement !== document.body) return
      if (spot) resendKey(spot)
      else focusPage()
      if (isTyping) ignoreEnterBriefly(document.activeElement)
    }
  }, [])
}
