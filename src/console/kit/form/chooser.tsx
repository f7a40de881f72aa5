import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { isScanEnd } from '../navigation/scan-end.ts'
import { Icon } from '../page/icon.tsx'
import { warn } from '../page/toast.tsx'
import { get, type Page, Refusal, withQuery } from '../service/api.ts'
import { closestFirst } from '../values/closest-first.ts'

/** How long after the last letter is asked, in milliseconds. */
const PAUSE = 120
/** How many are offered at once, of so many that fit. */
const MAX_OFFERED = 12
const FITTING = 60

/** The fields in which Enter was pressed before what fits had come, and when it has. */
const entered = new Map<Element, Promise<void>>()

/** What is still to be chosen in the fields of a form, as Enter was pressed there; undefined where nothing is. */
export function choicesComing(form: HTMLFormElement): Promise<unknown> | undefined {
  const coming = [...entered].flatMap(([field, one]) => (form.contains(field) ? one : []))
  return coming.length > 0 ? Promise.all(coming) : undefined
}

/** A field of a form in which something is typed and nothing chosen for it. */
export const unchosenIn = (form: ParentNode): HTMLElement | null => form.querySelector<HTMLElement>('[data-unchosen]')

/** A list from which one object is chosen. */
export type Source<Row> = {
  /** `/api/company/` */
  url: string
  /** What narrows it: `{ is_supplier: true }`. What ends with `_detail` is asked of a single object, too. */
  query?: Record<string, string | number | boolean | undefined>
  /** The filter that finds what has several words in what it is called, where a search does not look for all of them: `pathstring`. */
  words?: string
  /** What an object is called. */
  text: (row: Row) => string
  /** What tells it from others of that name. */
  more?: (row: Row) => string
  /** Its end tells it from others, and is what a field shows that is too narrow: a path. */
  isPath?: boolean
}

/** What is offered where nothing fits, such as to make what is missing. */
export type Otherwise<Row> = {
  /** What it is called, by what was typed; undefined where it is not offered. */
  text: (typed: string) => string | undefined
  /** Does it; what it gives, if anything, is chosen. @throws Refusal, which is told */
  choose: (typed: string) => Promise<Row | undefined>
}

type Properties<Row> = {
  from: Source<Row>
  otherwise?: Otherwise<Row> | undefined
  /** The key of what is chosen. */
  value: number | string | null | undefined
  /** undefined where nothing is chosen any more. Until a promise that it gives is kept, nothing else is typed. */
  onPick: (row: Row | undefined) => unknown
  /** Of the input: its `id`, `name`, and what describes it. */
  attributes?: Record<string, unknown>
  placeholder?: string
}

/**
 * Chooses one object among many: some letters of its name, and Enter. What fits stands below as it is typed, the first of it being what
 * Enter takes, also when it has not come yet. Where nothing fits, something else may be offered.
 */
export function Chooser<Row extends { pk: number }>(properties: Properties<Row>) {
  const { from, otherwise, value, onPick, attributes = {}, placeholder } = properties
  const { url, query = {}, words, text, more, isPath } = from
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const id = useId()
  const found = useSignal<readonly Row[] | undefined>(undefined)
  const isOpen = useSignal(false)
  const active = useSignal(0)
  /** The field was left before anything was chosen for what was typed. */
  const isUnchosen = useSignal(false)
  const isBusy = useRef(false)
  const chosen = useRef<Row | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<AbortController>(undefined)
  /** What was chosen is being worked, such as made a line. */
  const isPicking = useRef(false)
  /** Enter was pressed before what fits had come; it is called once that is over. */
  const endAwaiting = useRef<() => void>(undefined)
  /** It was Enter of somebody who means what was typed, also where nothing fits. */
  const mayMake = useRef(false)
  const awaitFitting = (field: Element, isMaking: boolean) => {
    mayMake.current = isMaking
    const { promise, resolve } = Promise.withResolvers<void>()
    entered.set(field, promise)
    endAwaiting.current = () => {
      endAwaiting.current = undefined
      entered.delete(field)
      resolve()
    }
  }

  const show = (shown: string) => {
    if (!input.current) return
    input.current.value = shown
    showEnd()
  }
  // the browser goes back to the beginning when the field is left
  const showEnd = () =>
    isPath &&
    requestAnimationFrame(() => {
      if (input.current) input.current.scrollLeft = input.current.scrollWidth
    })
  const called = (): string => (chosen.current ? text(chosen.current) : '')
  // what it is called that was chosen before
  useEffect(() => {
    if (value === null || value === undefined || value === '') {
      chosen.current = undefined
      if (document.activeElement !== input.current) show('')
      return
    }
    if (chosen.current?.pk === Number(value)) return
    const ending = new AbortController()
    const details = Object.fromEntries(Object.entries(query).filter(([name]) => name.endsWith('_detail')))
    get<Row>(withQuery(`${url}${value}/`, details), ending.signal).then(
      ({ body }) => {
        chosen.current = body
        if (document.activeElement !== input.current || input.current?.value === '') show(text(body))
      },
      (error: Error) => {
        if (error.name !== 'AbortError') show(String(value))
      },
    )
    return () => ending.abort()
  }, [value, url])
  // the browser does so by itself only once in a document
  useLayoutEffect(() => {
    if (attributes.autofocus) input.current?.focus()
  }, [])
  useEffect(() => () => close(), [])
  useEffect(() => {
    const list = popup.current
    if (!list || !input.current) return
    if (!isOpen.value) {
      if (list.matches(':popover-open')) list.hidePopover()
      return
    }
    const field = input.current
    place(list, field)
    if (!list.matches(':popover-open')) list.showPopover()
    return whenMoved(() => place(list, field))
  }, [isOpen.value, found.value])

  function close(): void {
    clearTimeout(timer.current)
    asking.current?.abort()
    endAwaiting.current?.()
    isOpen.value = false
    found.value = undefined
  }

  function choose(row: Row): void {
    close()
    isUnchosen.value = false
    chosen.current = row
    show(text(row))
    const picking = onPick(row)
    if (!(picking instanceof Promise)) return
    isPicking.current = true
    const end = () => {
      isPicking.current = false
    }
    picking.then(end, end)
  }

  async function chooseOther(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const made = await otherwise?.choose(input.current?.value.trim() ?? '')
      if (made) choose(made)
      else revert()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.text)
    } finally {
      isBusy.current = false
    }
  }

  async function ask(): Promise<void> {
    asking.current?.abort()
    const ending = new AbortController()
    asking.current = ending
    isOpen.value = true
    try {
      const typed = input.current?.value === called() ? '' : input.current?.value
      const ways = words && /\S[\s/]+\S/.test(typed ?? '') ? ['search', words] : ['search']
      const pages = await Promise.all(
        ways.map((way) => get<Page<Row>>(withQuery(url, { ...query, [way]: typed, limit: FITTING }), ending.signal)),
      )
      const rows = new Map(pages.flatMap(({ body }) => body.results.map((row) => [row.pk, row])))
      const fitting = closestFirst([...rows.values()], text, typed ?? '').slice(0, MAX_OFFERED)
      active.value = 0
      found.value = fitting
      const [first] = fitting
      const end = endAwaiting.current
      endAwaiting.current = undefined
      if (end && first) choose(first)
      else if (end && mayMake.current && otherwise?.text(typed ?? '')) await chooseOther()
      else if (end && document.activeElement !== input.current) left()
      end?.()
    } catch (error) {
      if (error instanceof Refusal) {
        endAwaiting.current?.()
        found.value = []
      } else if ((error as Error).name !== 'AbortError') throw error
    }
  }

  function typed(): void {
    clearTimeout(timer.current)
    // what fits less is not offered any more, and Enter was for what was typed until then: nothing is chosen unseen
    asking.current?.abort()
    endAwaiting.current?.()
    found.value = undefined
    isUnchosen.value = false
    if (input.current?.value === '') {
      close()
      chosen.current = undefined
      onPick(undefined)
      return
    }
    isOpen.value = true
    timer.current = setTimeout(ask, PAUSE)
  }

  const isNone = found.value?.length === 0
  const other = isNone ? otherwise?.text(input.current?.value.trim() ?? '') : undefined

  function pressed(event: KeyboardEvent): void {
    const rows = found.value ?? []
    // what is typed meanwhile is for what comes of it, and is no choice of another
    if (isPicking.current) {
      if ((event.key.length === 1 || event.key === 'Enter') && !event.ctrlKey && !event.metaKey) event.preventDefault()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen.value) ask()
      else if (rows.length > 0) active.value = (active.value + (event.key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length
    } else if (isOpen.value && (event.key === 'Enter' || event.key === 'Tab')) {
      const row = rows[active.value]
      const isMaking = event.key === 'Enter' && !isScanEnd(event)
      if (other !== undefined && isMaking) chooseOther()
      else if (row) choose(row)
      else if (found.value === undefined && !endAwaiting.current) awaitFitting(event.currentTarget as Element, isMaking)
      if (event.key === 'Enter') event.preventDefault()
    } else if (isOpen.value && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      revert()
    }
  }

  /** Shows again what is chosen, as somebody decided. */
  function revert(): void {
    close()
    isUnchosen.value = false
    show(called())
  }

  /** The field was left: what was typed stays until something is chosen for it, and keeps its form from being sent. */
  function left(): void {
    if (endAwaiting.current) return
    close()
    const typed = input.current?.value.trim() ?? ''
    if (typed === '' || typed === called()) show(called())
    else isUnchosen.value = true
  }

  const rows = found.value ?? []
  return (
    <div class="chooser">
      <input
        {...attributes}
        ref={input}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder ?? t('pick.hint')}
        aria-expanded={isOpen.value}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={
          other !== undefined ? `${id}-other` : isOpen.value && rows.length > 0 ? `${id}-${active.value}` : undefined
        }
        onInput={typed}
        onKeyDown={pressed}
        onClick={() => !isOpen.value && ask()}
        onFocus={() => {
          input.current?.select()
          if (isUnchosen.value) ask()
        }}
        onBlur={left}
        {...(isUnchosen.value ? { 'aria-invalid': true, 'aria-describedby': `${id}-unchosen`, 'data-unchosen': '' } : {})}
      />
      {isUnchosen.value && (
        <p class="error" id={`${id}-unchosen`} role="alert">
          {t('pick.unchosen')}
        </p>
      )}
      <div class="chooser-list" popover="manual" ref={popup}>
        {isNone && <p class="quiet-text">{t('nothing-found')}</p>}
        <ul id={`${id}-list`} role="listbox" aria-label={t('pick.hint')}>
          {rows.map((row, at) => (
            <li
              key={row.pk}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active.value}
              // the field keeps the focus
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(row)}
            >
              {text(row)}
              {more?.(row) && <small>{more(row)}</small>}
            </li>
          ))}
          {other !== undefined && (
            <li
              id={`${id}-other`}
              role="option"
              aria-selected={true}
              onPointerDown={(event) => event.preventDefault()}
              onClick={chooseOther}
            >
              <Icon name="plus" /> {other}
            </li>
          )}
        </ul>
      </div>
    </div>
  )
}

/** Does something each time what is on the screen may stand elsewhere. @returns ends that */
function whenMoved(act: () => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  window.addEventListener('scroll', act, { capture: true, signal })
  window.addEventListener('resize', act, { signal })
  // the keyboard of a phone makes only this one smaller
  window.visualViewport?.addEventListener('resize', act, { signal })
  window.visualViewport?.addEventListener('scroll', act, { signal })
  return () => ending.abort()
}

/** Under its field, or above it where there is more room. It is over everything, also over a dialog. */
function place(list: HTMLElement, input: HTMLElement): void {
  const { left, top, bottom, width } = input.getBoundingClientRect()
  const { height, offsetTop } = window.visualViewport ?? { height: window.innerHeight, offsetTop: 0 }
  const below = offsetTop + height - bottom
  const above = top - offsetTop
  const isBelow = below > 260 || below > above
  Object.assign(list.style, {
    left: `${left}px`,
    top: isBelow ? `${bottom + 2}px` : 'auto',
    bottom: isBelow ? 'auto' : `${window.innerHeight - top + 2}px`,
    width: `${Math.min(Math.max(width, 280), window.innerWidth - left - 8)}px`,
    maxHeight: `${Math.max(120, (isBelow ? below : above) - 16)}px`,
  })
}
