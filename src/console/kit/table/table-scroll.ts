import { type Virtualizer, Virtualizer as VirtualizerOf } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useReducer, useRef } from 'preact/hooks'

/** In narrow windows rows have two lines, so that names are not cut off. */
const narrowQuery = matchMedia('(max-width: 700px)')
/** Height of a row, in pixels. All are equal, so that the position of the millionth is known without the others. */
export const getRowHeight = (): number => (narrowQuery.matches ? 52 : 34)
/** Height of a table's header, in pixels. */
export const HEADER_HEIGHT_PX = 34
/** Maximum height of a list in a browser, in pixels; above that, a pixel of the scrollbar represents several of the list. */
const MAX_LIST_HEIGHT_PX = 8_000_000
/** A scroll of fewer pixels comes from a wheel or a finger, and moves the rows by that number of pixels; a longer one is a jump. */
const MAX_STEP_PX = 2_000

/** The visible rows of a list, and their position. */
export type ScrolledRows = {
  /** The height of all rows, as the scrollbar has it. */
  height: number
  /** The height of the visible part, with the header. */
  viewHeight: number
  /** Index of the first row to render; `endIndex` is the index after the last one. */
  startIndex: number
  endIndex: number
  /** Position of the first row, in pixels below the header. */
  top: number
  scrollTo(index: number): void
}

/**
 * Tracks the scrolling of a list, which may be longer than browsers support.
 * @param start the row that is at the top at first
 */
export function useScrolledRows(scroller: RefObject<HTMLElement | null>, count: number, start: number): ScrolledRows {
  const [, rerender] = useReducer<number, void>((renderCount) => renderCount + 1, 0)
  const state = useRef<Scroll>(undefined as never)
  state.current ??= new Scroll(start * getRowHeight())
  const { current: scroll } = state
  scroll.count = count
  const virtualizer = useRef<Virtualizer<HTMLElement, Element>>(undefined as never)
  virtualizer.current ??= new VirtualizerOf<HTMLElement, Element>(createOptions(0))
  function createOptions(rows: number) {
    // computed once, and not for each of a million rows
    const size = getRowHeight()
    return {
      count: rows,
      getScrollElement: () => scroller.current,
      estimateSize: () => size,
      overscan: 6,
      initialOffset: start * size,
      onChange: () => rerender(),
      observeElementRect: (_: unknown, notify: (rect: { width: number; height: number }) => void) => {
        const element = scroller.current
        if (!element) return
        const measure = () => {
          scroll.view = Math.max(0, element.clientHeight - HEADER_HEIGHT_PX)
          notify({ width: element.clientWidth, height: scroll.view })
          // at its end, a larger window shows more of the list
          scroll.moveTo(scroll.offset)
        }
        measure()
        const observer = new ResizeObserver(measure)
        observer.observe(element)
        return () => observer.disconnect()
      },
      observeElementOffset: (_: unknown, notify: (offset: number, isScrolling: boolean) => void) => {
        const element = scroller.current
        return element ? scroll.follow(element, notify) : undefined
      },
      scrollToFn: (offset: number) => scroll.moveTo(offset),
    }
  }
  virtualizer.current.setOptions(createOptions(count))
  useEffect(() => virtualizer.current._didMount(), [])
  useEffect(() => {
    const handleResize = () => {
      virtualizer.current.setOptions(createOptions(scroll.count))
      virtualizer.current.measure()
      scroll.moveTo(scroll.offset)
    }
    narrowQuery.addEventListener('change', handleResize)
    return () => narrowQuery.removeEventListener('change', handleResize)
  }, [])
  useEffect(() => virtualizer.current._willUpdate())
  // the rows that could not be shown before the count was known
  useEffect(() => scroll.moveTo(scroll.offset), [count])
  const items = virtualizer.current.getVirtualItems()
  const first = items[0]
  const height = Math.min(count * getRowHeight(), MAX_LIST_HEIGHT_PX) + HEADER_HEIGHT_PX
  return {
    height,
    // never higher than all rows, or it would prevent its container from shrinking
    viewHeight: Math.min(scroll.view + HEADER_HEIGHT_PX, height),
    startIndex: first?.index ?? 0,
    endIndex: (items.at(-1)?.index ?? -1) + 1,
    top: (first?.start ?? 0) - scroll.offset,
    scrollTo: (index) => scroll.show(index),
  }
}

/** The scroll position of a list: `offset` in pixels of the list, while the element has its own. */
class Scroll {
  offset: number
  count = 0
  view = 0
  #element: HTMLElement | undefined
  #notify: ((offset: number, isScrolling: boolean) => void) | undefined
  /** Last known scroll position of the element. */
  #top = 0

  constructor(offset: number) {
    this.offset = offset
  }

  get #maxOffset(): number {
    return Math.max(0, this.count * getRowHeight() - this.view)
  }

  /** Pixels of the list per pixel of the element. */
  get #scale(): number {
    const scrollRange = Math.min(this.count * getRowHeight(), MAX_LIST_HEIGHT_PX) - this.view
    return scrollRange > 0 ? this.#maxOffset / scrollRange : 1
  }

  follow(element: HTMLElement, notify: (offset: number, isScrolling: boolean) => void): () => void {
    this.#element = element
    this.#notify = notify
    const handleScroll = () => this.#scrolled(element.scrollTop)
    element.addEventListener('scroll', handleScroll, { passive: true })
    notify(this.offset, false)
    return () => element.removeEventListener('scroll', handleScroll)
  }

  #scrolled(top: number): void {
    const distance = top - this.#top
    if (distance === 0) return
    this.#top = top
    const isAtEnd = this.#element !== undefined && top + this.#element.clientHeight >= this.#element.scrollHeight - 1
    const isStep = this.#scale > 1 && Math.abs(distance) < MAX_STEP_PX && top > 0 && !isAtEnd
    this.#set(isStep ? this.offset + distance : isAtEnd ? this.#maxOffset : top * this.#scale)
  }

  #set(offset: number): void {
    this.offset = Math.min(Math.max(0, offset), this.#maxOffset)
    this.#notify?.(this.offset, false)
  }

  moveTo(offset: number): void {
    if (!this.#element || this.count === 0) return
    this.#set(offset)
    this.#top = Math.round(this.offset / this.#scale)
    this.#element.scrollTop = this.#top
    // as rounded by the browser
    this.#top = this.#element.scrollTop
  }

  /** Scrolls just far enough to show a whole row. */
  show(index: number): void {
    const start = index * getRowHeight()
    if (start < this.offset) this.moveTo(start)
    else if (start + getRowHeight() > this.offset + this.view) this.moveTo(start + getRowHeight() - this.view)
  }
}
