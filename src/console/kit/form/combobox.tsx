import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../language/language.ts'
import { isScanEnd } from '../navigation/scan-terminator.ts'
import { Icon } from '../page/icon.tsx'
import { Thumbnail } from '../page/thumbnail.tsx'
import { warn } from '../page/toast.tsx'
import { ApiError, get, type Page, withQuery } from '../service/api.ts'
import { sortClosestFirst } from '../values/closest-first.ts'

/** Debounce of the search after the last letter, in milliseconds. */
const SEARCH_DELAY_MS = 120
/** Maximum number of matches that are offered. */
const MAX_OPTIONS = 12
const MAX_FETCHED = 60

/** Fields in which Enter was pressed before the matches had arrived, with a promise for their arrival. */
const pendingSelections = new Map<Element, Promise<void>>()

/** Resolves when the pending selections of a form are made. Returns undefined when there are none. */
export function awaitPendingSelections(form: HTMLFormElement): Promise<unknown> | undefined {
  const pending = [...pendingSelections].flatMap(([field, promise]) => (form.contains(field) ? promise : []))
  return pending.length > 0 ? Promise.all(pending) : undefined
}

/** Finds a field of a form with typed text and no selected object. */
export const findUnselectedField = (form: ParentNode): HTMLElement | null => form.querySelector<HTMLElement>('[data-unchosen]')

/** A list from which one object is selected. */
export type Source<Row> = {
  /** URL of the list, such as `/api/company/`. */
  url: string
  /** Filters of the list: `{ is_supplier: true }`. Parameters that end with `_detail` are also sent when a single object is read. */
  query?: Record<string, string | number | boolean | undefined>
  /** Filter for text of several words, such as `pathstring`: a search does not match the words of a path. */
  pathFilter?: string
  /** Name of an object. */
  getTitle: (row: Row) => string
  /** Text that distinguishes an object from others of that name. */
  getDetail?: (row: Row) => string
  /** URL of its picture. */
  picture?: (row: Row) => string
  /** Whether the text is a path: its end distinguishes it from others, and stays visible in a narrow field. */
  isPath?: boolean
}

/** Alternative when there are no matches, such as creating the missing object. */
export type Fallback<Row> = {
  /** Label of the alternative for the typed text; undefined when it is not offered. */
  text: (typed: string) => string | undefined
  /** Runs it; the object that it returns, if any, is selected. @throws ApiError, which is shown */
  run: (typed: string) => Promise<Row | undefined>
}

type Properties<Row> = {
  source: Source<Row>
  fallback?: Fallback<Row> | undefined
  /** Key of the selected object. */
  value: number | string | null | undefined
  /** Receives undefined when the selection is cleared. Typing is blocked until a returned promise settles. */
  onPick: (row: Row | undefined) => unknown
  /** Attributes of the input: its `id`, `name`, and description. */
  attributes?: Record<string, unknown>
  placeholder?: string
}

/**
 * Selects one object from many by some letters of its name and Enter. Matches are listed below while typing; Enter takes the first one,
 * even when it has not arrived yet. Without matches, an alternative may be offered.
 */
export function Combobox<Row extends { pk: number }>(properties: Properties<Row>) {
  const { source, fallback, value, onPick, attributes = {}, placeholder } = properties
  const { url, query = {}, pathFilter, getTitle, getDetail, picture, isPath } = source
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const id = useId()
  const matches = useSignal<readonly Row[] | undefined>(undefined)
  const isOpen = useSignal(false)
  const active = useSignal(0)
  /** Whether the field lost the focus before an object was selected for the typed text. */
  const isUnselected = useSignal(false)
  const isBusy = useRef(false)
  const selected = useRef<Row | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searchRequest = useRef<AbortController>(undefined)
  /** Whether the selection is being processed, such as by adding a line for it. */
  const isPicking = useRef(false)
  /** Set when Enter was pressed before the matches had arrived; ends the wait for them. */
  const stopAwaiting = useRef<() => void>(undefined)
  /** Whether a user pressed Enter rather than a scanner, so that the typed text counts even without matches. */
  const canCreate = useRef(false)
  const awaitMatches = (field: Element, isCreating: boolean) => {
    canCreate.current = isCreating
    const { promise, resolve } = Promise.withResolvers<void>()
    pendingSelections.set(field, promise)
    stopAwaiting.current = () => {
      stopAwaiting.current = undefined
      pendingSelections.delete(field)
      resolve()
    }
  }

  const show = (label: string) => {
    if (!input.current) return
    input.current.value = label
    showEnd()
  }
  // the browser scrolls back to the start when the field loses the focus
  const showEnd = () =>
    isPath &&
    requestAnimationFrame(() => {
      if (input.current) input.current.scrollLeft = input.current.scrollWidth
    })
  const getSelectedText = (): string => (selected.current ? getTitle(selected.current) : '')
  // loads the name of the object that was selected before
  useEffect(() => {
    if (value === null || value === undefined || value === '') {
      selected.current = undefined
      if (document.activeElement !== input.current) show('')
      return
    }
    if (selected.current?.pk === Number(value)) return
    const controller = new AbortController()
    const details = Object.fromEntries(Object.entries(query).filter(([name]) => name.endsWith('_detail')))
    get<Row>(withQuery(`${url}${value}/`, details), controller.signal).then(
      ({ body }) => {
        selected.current = body
        if (document.activeElement !== input.current || input.current?.value === '') show(getTitle(body))
      },
      (error: Error) => {
        if (error.name !== 'AbortError') show(String(value))
      },
    )
    return () => controller.abort()
  }, [value, url])
  // the browser applies autofocus only once per document
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
    positionPopup(list, field)
    if (!list.matches(':popover-open')) list.showPopover()
    return onViewportChange(() => positionPopup(list, field))
  }, [isOpen.value, matches.value])

  function close(): void {
    clearTimeout(timer.current)
    searchRequest.current?.abort()
    stopAwaiting.current?.()
    isOpen.value = false
    matches.value = undefined
  }

  function select(row: Row): void {
    close()
    isUnselected.value = false
    selected.current = row
    show(getTitle(row))
    const picking = onPick(row)
    if (!(picking instanceof Promise)) return
    isPicking.current = true
    const end = () => {
      isPicking.current = false
    }
    picking.then(end, end)
  }

  async function runFallback(): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const created = await fallback?.run(input.current?.value.trim() ?? '')
      if (created) select(created)
      else revert()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      warn(error.text)
    } finally {
      isBusy.current = false
    }
  }

  async function search(): Promise<void> {
    searchRequest.current?.abort()
    const controller = new AbortController()
    searchRequest.current = controller
    isOpen.value = true
    try {
      const typed = input.current?.value === getSelectedText() ? '' : input.current?.value
      const searchFilters = pathFilter && /\S[\s/]+\S/.test(typed ?? '') ? ['search', pathFilter] : ['search']
      const pages = await Promise.all(
        searchFilters.map((searchFilter) =>
          get<Page<Row>>(withQuery(url, { ...query, [searchFilter]: typed, limit: MAX_FETCHED }), controller.signal),
        ),
      )
      const rows = new Map(pages.flatMap(({ body }) => body.results.map((row) => [row.pk, row])))
      const bestMatches = sortClosestFirst([...rows.values()], getTitle, typed ?? '').slice(0, MAX_OPTIONS)
      active.value = 0
      matches.value = bestMatches
      const [first] = bestMatches
      const end = stopAwaiting.current
      stopAwaiting.current = undefined
      if (end && first) select(first)
      else if (end && canCreate.current && fallback?.text(typed ?? '')) await runFallback()
      else if (end && document.activeElement !== input.current) handleBlur()
      end?.()
    } catch (error) {
      if (error instanceof ApiError) {
        stopAwaiting.current?.()
        matches.value = []
      } else if ((error as Error).name !== 'AbortError') throw error
    }
  }

  function handleInput(): void {
    clearTimeout(timer.current)
    // outdated matches are not offered, and an earlier Enter was for the earlier text: nothing is selected that the user has not seen
    searchRequest.current?.abort()
    stopAwaiting.current?.()
    matches.value = undefined
    isUnselected.value = false
    if (input.current?.value === '') {
      close()
      selected.current = undefined
      onPick(undefined)
      return
    }
    isOpen.value = true
    timer.current = setTimeout(search, SEARCH_DELAY_MS)
  }

  const isNone = matches.value?.length === 0
  const fallbackText = isNone ? fallback?.text(input.current?.value.trim() ?? '') : undefined

  function handleKeyDown(event: KeyboardEvent): void {
    const rows = matches.value ?? []
    // keys pressed now are meant for the result, and do not select another object
    if (isPicking.current) {
      if ((event.key.length === 1 || event.key === 'Enter') && !event.ctrlKey && !event.metaKey) event.preventDefault()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen.value) search()
      else if (rows.length > 0) active.value = (active.value + (event.key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length
    } else if (isOpen.value && (event.key === 'Enter' || event.key === 'Tab')) {
      const row = rows[active.value]
      const isCreating = event.key === 'Enter' && !isScanEnd(event)
      if (fallbackText !== undefined && isCreating) runFallback()
      else if (row) select(row)
      else if (matches.value === undefined && !stopAwaiting.current) awaitMatches(event.currentTarget as Element, isCreating)
      if (event.key === 'Enter') event.preventDefault()
    } else if (isOpen.value && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      revert()
    }
  }

  /** Restores the selected object's name when the user cancels. */
  function revert(): void {
    close()
    isUnselected.value = false
    show(getSelectedText())
  }

  /** Handles the loss of focus: typed text stays until an object is selected for it, and blocks its form. */
  function handleBlur(): void {
    if (stopAwaiting.current) return
    close()
    const typed = input.current?.value.trim() ?? ''
    if (typed === '' || typed === getSelectedText()) show(getSelectedText())
    else isUnselected.value = true
  }

  const rows = matches.value ?? []
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
          fallbackText !== undefined ? `${id}-other` : isOpen.value && rows.length > 0 ? `${id}-${active.value}` : undefined
        }
        onInput={handleInput}
        onKeyDown={handleKeyDown}
        onClick={() => !isOpen.value && search()}
        onFocus={() => {
          input.current?.select()
          if (isUnselected.value) search()
        }}
        onBlur={handleBlur}
        {...(isUnselected.value ? { 'aria-invalid': true, 'aria-describedby': `${id}-unchosen`, 'data-unchosen': '' } : {})}
      />
      {isUnselected.value && (
        <p class="error" id={`${id}-unchosen`} role="alert">
          {t('pick.unselected')}
        </p>
      )}
      <div class="chooser-list" popover="manual" ref={popup}>
        {isNone && <p class="quiet-text">{t('no-matches')}</p>}
        <ul id={`${id}-list`} role="listbox" aria-label={t('pick.hint')}>
          {rows.map((row, index) => (
            <li
              key={row.pk}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active.value}
              // keeps the focus in the field
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => select(row)}
            >
              {picture && <Thumbnail url={picture(row)} />}
              {getTitle(row)}
              {getDetail?.(row) && <small>{getDetail(row)}</small>}
            </li>
          ))}
          {fallbackText !== undefined && (
            <li
              id={`${id}-other`}
              role="option"
              aria-selected={true}
              onPointerDown={(event) => event.preventDefault()}
              onClick={runFallback}
            >
              <Icon name="plus" /> {fallbackText}
            </li>
          )}
        </ul>
      </div>
    </div>
  )
}

/** Calls a function each time elements may have moved on the screen. @returns a function that stops this */
function onViewportChange(callback: () => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  window.addEventListener('scroll', callback, { capture: true, signal })
  window.addEventListener('resize', callback, { signal })
  // the keyboard of a phone resizes only the visual viewport
  window.visualViewport?.addEventListener('resize', callback, { signal })
  window.visualViewport?.addEventListener('scroll', callback, { signal })
  return () => controller.abort()
}

/** Places the list below its field, or above it where there is more room. It is on top of everything, even a dialog. */
function positionPopup(list: HTMLElement, input: HTMLElement): void {
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
