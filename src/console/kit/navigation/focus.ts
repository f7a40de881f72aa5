import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

// Whoever goes by keys, or hears the page read, goes on where they were: what has the focus may go, with its row or its window.

/** No fields: the keys of the page would be text there. */
const FOCUSABLE = 'a[href], button:enabled, [tabindex="0"]'
/** What stands under a heading of its own. */
const PART = 'section, main, dialog'
const ROW = 'tr, li'
/** What arrows go to by itself. */
const CELL = 'td[role="gridcell"]'

/** Where the focus was: the element, what is round it from the innermost on, and its place there. */
type Spot = { element: HTMLElement; steps: { child: Element; parent: Element; at: number; inChild: number }[] }

const focusablesIn = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)]

/** What is of its kind in a row: cells, links, buttons. */
const alikeIn = (row: Element, { localName }: Element): Element[] => [...row.querySelectorAll(localName)]

function spotOf(element: HTMLElement): Spot {
  const steps: Spot['steps'] = []
  for (let child: Element = element; child.parentElement && child !== document.body; child = child.parentElement) {
    const parent = child.parentElement
    const at = [...parent.children].indexOf(child)
    steps.push({ child, parent, at, inChild: child.matches(ROW) ? alikeIn(child, element).indexOf(element) : 0 })
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

/** Gives the focus to the heading of the page, where keys are those of the page. */
export function focusPage(): void {
  focusHeading(document.getElementById('page') ?? document.body)
}

/** Gives the focus to what had it; where that is gone, to the same of the next row, to what is beside it, or to the heading over it. */
function resendKey({ element, steps }: Spot): void {
  if (focus(element)) return
  for (const { child, parent, at, inChild } of steps) {
    if (!parent.isConnected) continue
    if (child.matches(ROW) && !child.isConnected)
      for (const row of [parent.children[at], parent.children[at - 1]]) {
        const all = row ? alikeIn(row, element) : []
        if (focus(all[inChild] ?? all.at(-1))) return
      }
    if (parent.matches(CELL) && focus(parent)) return
    // what else stands in a head leads elsewhere
    if (parent.matches(`${PART}, header`)) {
      if (focusHeading(parent)) return
    } else if (!parent.querySelector(PART) && focusablesIn(parent).some(focus)) return
  }
  focusPage()
}

let last: Spot | undefined

/** Whether what had the focus may have it again by itself, such as a button that waits for its answer. */
const isWaiting = (element: HTMLElement): boolean => element.isConnected && element.matches(':disabled')

/** Sees to it that the focus stays near where it was when what has it goes. To be called once. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? spotOf(target) : undefined
  })
  // whoever presses beside everything takes it away
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

/** How long a button is deaf, in milliseconds. */
const DEAF = 500

/** Has a button that was given the focus pass over Enter for a moment: whoever pressed that twice meant what had the focus before. */
export function deafen(element: Element | null): void {
  if (!(element instanceof HTMLButtonElement)) return
  const passOver = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault()
  }
  element.addEventListener('keydown', passOver)
  setTimeout(() => element.removeEventListener('keydown', passOver), DEAF)
}

/**
 * Gives the focus back to what had it before the component was shown, once it is gone; not where something else has it by then.
 * @param own what is shown
 * @param leave closes what keeps the focus in it
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
      if (isTyping) deafen(document.activeElement)
    }
  }, [])
}
