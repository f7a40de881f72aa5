import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

// Keeps the position of keyboard and screen reader users when the focused element is removed, with its row or its dialog.

/** Focusable elements except fields: in a field, page shortcuts would be text. */
const FOCUSABLE = 'a[href], button:enabled, [tabindex="0"]'
/** Elements with a heading of their own. */
const SECTION = 'section, main, dialog'
const ROW = 'tr, li'
/** Cells that the arrow keys move to. */
const CELL = 'td[role="gridcell"]'

/** Position of the focus: the element, its ancestors from the innermost on, and its index in each. */
type FocusPosition = { element: HTMLElement; steps: { child: Element; parent: Element; index: number; inChild: number }[] }

const findFocusable = (element: Element): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(FOCUSABLE)]

/** Elements of the same type in a row: cells, links, buttons. */
const findSimilarElements = (row: Element, { localName }: Element): Element[] => [...row.querySelectorAll(localName)]

function getFocusPosition(element: HTMLElement): FocusPosition {
  const steps: FocusPosition['steps'] = []
  for (let child: Element = element; child.parentElement && child !== document.body; child = child.parentElement) {
    const parent = child.parentElement
    const index = [...parent.children].indexOf(child)
    steps.push({ child, parent, index, inChild: child.matches(ROW) ? findSimilarElements(child, element).indexOf(element) : 0 })
  }
  return { element, steps }
}

/** Focuses an element. @returns whether it has the focus now */
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
function restoreFocus({ element, steps }: FocusPosition): void {
  if (focus(element)) return
  for (const { child, parent, index, inChild } of steps) {
    if (!parent.isConnected) continue
    if (child.matches(ROW) && !child.isConnected)
      for (const row of [parent.children[index], parent.children[index - 1]]) {
        const similarElements = row ? findSimilarElements(row, element) : []
        if (focus(similarElements[inChild] ?? similarElements.at(-1))) return
      }
    if (parent.matches(CELL) && focus(parent)) return
    // other elements of a header lead elsewhere
    if (parent.matches(`${SECTION}, header`)) {
      if (focusHeading(parent)) return
    } else if (!parent.querySelector(SECTION) && findFocusable(parent).some(focus)) return
  }
  focusPage()
}

let lastPosition: FocusPosition | undefined

/** Whether the element may get the focus back by itself, such as a button that waits for its response. */
const isWaiting = (element: HTMLElement): boolean => element.isConnected && element.matches(':disabled')

/** Keeps the focus near its position when its element is removed. Call it once. */
export function preserveFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    lastPosition = target instanceof HTMLElement ? getFocusPosition(target) : undefined
  })
  // a click outside of everything removes the focus
  document.addEventListener('click', () => {
    if (document.activeElement === document.body && lastPosition?.element.isConnected && !isWaiting(lastPosition.element))
      lastPosition = undefined
  })
  new MutationObserver(() => {
    if (!lastPosition || document.activeElement !== document.body || isWaiting(lastPosition.element)) return
    const isVisible = lastPosition.element.isConnected && lastPosition.element.checkVisibility()
    const openDialog = [...document.querySelectorAll('dialog:modal')].at(-1)
    if (openDialog && !lastPosition.steps.some(({ parent }) => parent === openDialog)) return
    if (isVisible) focus(lastPosition.element)
    else restoreFocus(lastPosition)
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden'] })
}

/** Time during which a button ignores Enter, in milliseconds. */
const ENTER_IGNORED_MS = 500

/** Makes a newly focused button ignore Enter briefly: a user who pressed it twice meant the previously focused element. */
export function ignoreEnterBriefly(element: Element | null): void {
  if (!(element instanceof HTMLButtonElement)) return
  const ignoreEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault()
  }
  element.addEventListener('keydown', ignoreEnter)
  setTimeout(() => element.removeEventListener('keydown', ignoreEnter), ENTER_IGNORED_MS)
}

/**
 * Returns the focus to its previous element when the component is removed, unless another element has it by then.
 * @param own element of the component
 * @param leave closes anything that keeps the focus inside
 */
export function useReturnFocus(own: RefObject<HTMLElement | null>, leave?: () => void): void {
  useLayoutEffect(() => {
    const previous = document.activeElement
    const position = previous instanceof HTMLElement && previous !== document.body ? getFocusPosition(previous) : undefined
    return () => {
      const hasFocus = own.current?.contains(document.activeElement)
      const isTyping = hasFocus && document.activeElement?.matches('input, select, textarea')
      leave?.()
      if (!hasFocus && document.activeElement !== document.body) return
      if (position) restoreFocus(position)
      else focusPage()
      if (isTyping) ignoreEnterBriefly(document.activeElement)
    }
  }, [])
}
