import { type Virtualizer, Virtualizer as VirtualizerOf } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useEffect, useReducer, useRef } from 'preact/hooks'

/** Where there is little room, rows have two lines: what they are called is not cut. */
const narrow = matchMedia('(max-width: 700px)')
/** The height of a row, in pixels. All are alike, so that the millionth is where it is without the others having been seen. */
export const rowHeight = (): number => (narrow.matches ? 52 : 34)
/** The height of the head of a table. */
export const HEAD = 34
/** The most pixels that a list may be high in a browser; beyond, a pixel of the scrollbar stands for several of the list. */
const HIGHEST = 8_000_000
/** A scroll of less than this many pixels is somebody's wheel or finger, and moves the rows by as many; a longer one is a jump. */
const STEP = 2_000

/** Which rows of a list are in view, and where. */
export type ScrolledRows = {
  /** The height of all, as the scrollbar has it. */
  height: number
  /** The height of the window through which they are seen, with the head. */
  window: number
  /** The rows that are to be drawn: their indexes. */
  from: number
  to: number
  /** Where the first of them is, in pixels below the head. */
  top: number
  scrollTo(index: number): void
}

/**
 * Follows the scrolling of a list, which may be longer than a browser lets anything be.
 * @param start the row that is on top at first
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
    // asked once, and not for each of a million rows
    const size = rowHeight()
    return {
      count: rows,
      getScrollElement: () => scroller.current,
      estimateSize: () => size,
      overscan: 6,
      initialOffset: start * size,
      onChange: () => draw(),
      observeElementRect: (_: unknown, give: (rect: { width: number; height: number }) => void) => {
        const element = scroller.current
        if (!element) return
        const measure = () => {
          scroll.view = Math.max(0, element.clientHeight - HEAD)
          give({ width: element.clientWidth, height: scroll.view })
          // at its end, more of the list is seen now
          scroll.moveTo(scroll.offset)
        }
        measure()
        const observer = new ResizeObserver(measure)
        observer.observe(element)
        return () => observer.disconnect()
      },
      observeElementOffset: (_: unknown, give: (offset: number, isScrolling: boolean) => void) => {
        const element = scroller.current
        return element ? scroll.follow(element, give) : undefined
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
  // the rows that were left out while there was no count
  useEffect(() => scroll.moveTo(scroll.offset), [count])
  const items = virtualizer.current.getVirtualItems()
  const first = items[0]
  const height = Math.min(count * rowHeight(), HIGHEST) + HEAD
  return {
    height,
    // never higher than all of them, or it would keep what is round it from getting smaller
    window: Math.min(scroll.view + HEAD, height),
    from: first?.index ?? 0,
    to: (items.at(-1)?.index ?? -1) + 1,
    top: (first?.start ?? 0) - scroll.offset,
    scrollTo: (index) => scroll.show(index),
  }
}

/** Where a list is scrolled to: `offset` in pixels of the list, while the element has its own. */
class Scroll {
  offset: number
  count = 0
  view = 0
  #element: HTMLElement | undefined
  #give: ((offset: number, isScrolling: boolean) => void) | undefined
  /** Where the element was when it was last looked at. */
  #top = 0

  constructor(offset: number) {
    this.offset = offset
  }

  get #most(): number {
    return Math.max(0, this.count * rowHeight() - this.view)
  }

  /** How many pixels of the list one of the element stands for. */
  get #scale(): number {
    const high = Math.min(this.count * rowHeight(), HIGHEST) - this.view
    return high > 0 ? this.#most / high : 1
  }

  follow(element: HTMLElement, give: (offset: number, isScrolling: boolean) => void): () => void {
    this.#element = element
    this.#give = give
    const listen = () => this.#scrolled(element.scrollTop)
    element.addEventListener('scroll', listen, { passive: true })
    give(this.offset, false)
    return () => element.removeEventListener('scroll', listen)
  }

  #scrolled(top: number): void {
    const moved = top - this.#top
    if (moved === 0) return
    this.#top = top
    const isAtEnd = this.#element !== undefined && top + this.#element.clientHeight >= this.#element.scrollHeight - 1
    const isStep = this.#scale > 1 && Math.abs(moved) < STEP && top > 0 && !isAtEnd
    this.#set(isStep ? this.offset + moved : isAtEnd ? this.#most : top * this.#scale)
  }

  #set(offset: number): void {
    this.offset = Math.min(Math.max(0, offset), this.#most)
    this.#give?.(this.offset, false)
  }

  moveTo(offset: number): void {
    if (!this.#element || this.count === 0) return
    this.#set(offset)
    this.#top = Math.round(this.offset / this.#scale)
    this.#element.scrollTop = this.#top
    // as the browser has it
    this.#top = this.#element.scrollTop
  }

  /** Moves as little as lets a row be seen whole. */
  show(index: number): void {
    const start = index * rowHeight()
    if (start < this.offset) this.moveTo(start)
    else if (start + rowHeight() > this.offset + this.view) this.moveTo(start + rowHeight() - this.view)
  }
}
