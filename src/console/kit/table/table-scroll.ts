import { type Virtualizer, Virtualizer as VirtualizerOf } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useReducer, useRef } from 'preact/hooks'

/** In narrow windows rows have two lines, so that names are not cut off. */
const narrow = matchMedia('(max-width: 700px)')
/** Height of a row, in pixels. All are equal, so that the position of the millionth is known without the others. */
export const rowHeight = (): number => (narrow.matches ? 52 : 34)
/** Height of a table's header, in pixels. */
export const HEADER_HEIGHT_PX = 34
/** Maximum height of a list in a browser, in pixels; above that, a pixel of the scrollbar represents several of the list. */
const HIGHEST = 8_000_000
/** A scroll of fewer pixels comes from a wheel or a finger, and moves the rows by as many; a longer one is a jump. */
const STEP = 2_000

/** The visible rows of a list, and their position. */
export type ScrolledRows = {
  /** The height of all rows, as the scrollbar has it. */
  height: number
  /** The height of the visible part, with the header. */
  window: number
  /** Index of the first row to render; `to` is that after the last. */
  from: number
  to: number
  /** Position of the first row, in pixels below the header. */
  top: number
  scrollTo(index: number): void
}

/**
 * Tracks the scrolling of a list, which may be longer than browsers support.
 * @param start the row that is at the top at first
 */
export function useScrolledRows(scroller: RefObject<HTMLElement | null>, count: number, start: number): ScrolledRows {
  const [, draw] = useReducer<number, void>((turn) => turn + 1, 0)
  const state = useRef<Scroll>(undefined as never)
  state.current ??= new Scroll(start * rowHeight())
  const { current: scroll } = state
  scroll.count = count
  const virtualizer = useRef<Virtualizer<HTMLElement, Element>>(undefined as never)
  virtualizer.current ??= new VirtualizerOf<HTMLElement, Element>(optionsOf(0))
  function optionsOf(rows: number) {
    // computed once, and not for each of a million rows
    const size = rowHeight()
    return {
      count: rows,
      getScrollElement: () => scroller.current,
      estimateSize: () => size,
      overscan: 6,
      initialOffset: start * size,
      onChange: () => draw(),
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
  virtualizer.current.setOptions(optionsOf(count))
  useEffect(() => virtualizer.current._didMount(), [])
  useEffect(() => {
    const turned = () => {
      virtualizer.current.setOptions(optionsOf(scroll.count))
      virtualizer.current.measure()
      scroll.moveTo(scroll.offset)
    }
    narrow.addEventListener('change', turned)
    return () => narrow.removeEventListener('change', turned)
  }, [])
  useEffect(() => virtualizer.current._willUpdate())
  // the rows that were left out without a count
  useEffect(() => scroll.moveTo(scroll.offset), [count])
  const items = virtualizer.current.getVirtualItems()
  const first = items[0]
  const height = Math.min(count * rowHeight(), HIGHEST) + HEADER_HEIGHT_PX
  return {
    height,
    // never higher than all rows, or it would prevent its container from shrinking
    window: Math.min(scroll.view + HEADER_HEIGHT_PX, height),
    from: first?.index ?? 0,
    to: (items.at(-1)?.index ?? -1) + 1,
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
    return Math.max(0, this.count * rowHeight() - this.view)
  }

  /** Pixels of the list per pixel of the element. */
  get #scale(): number {
    const high = Math.min(this.count * rowHeight(), HIGHEST) - this.view
    return high > 0 ? this.#maxOffset / high : 1
  }

  follow(element: HTMLElement, notify: (offset: number, isScrolling: boolean) => void): () => void {
    this.#element = element
    this.#notify = notify
    const listen = () => this.#scrolled(element.scrollTop)
    element.addEventListener('scroll', listen, { passive: true })
    notify(this.offset, false)
    return () => element.removeEventListener('scroll', listen)
  }

  #scrolled(top: number): void {
    const moved = top - this.#top
    if (moved === 0) return
    this.#top = top
    const isAtEnd = this.#element !== undefined && top + this.#element.clientHeight >= this.#element.scrollHeight - 1
    const isStep = this.#scale > 1 && Math.abs(moved) < STEP && top > 0 && !isAtEnd
    this.#set(isStep ? this.offset + moved : isAtEnd ? this.#maxOffset : top * this.#scale)
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
    const start = index * rowHeight()
    if (start < this.offset) this.moveTo(start)
    else if (start + rowHeight() > this.offset + this.view) this.moveTo(start + rowHeight() - this.view)
  }
}
