import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { get, type Page, withQuery } from './api.ts'
import type { Form } from './form.tsx'
import { label, t } from './language.ts'

/** How long after the last letter objects are looked for, in milliseconds. */
const PAUSE = 120
/** How many are offered at once. */
const MOST = 12

type Properties<Row> = {
  form: Form
  /** The field, which holds the key of what is chosen, or null. */
  name: string
  /** The list that is chosen from: `/api/company/`. */
  url: string
  /** What narrows it: `{ is_supplier: true }`. */
  query?: Record<string, string | number | boolean | undefined>
  /** What an object is called there. */
  text: (row: Row) => string
  /** What tells it from others of that name. */
  more?: (row: Row) => string
  title?: string
  help?: string | null
  autofocus?: boolean
  /** Is told what was chosen. */
  onPick?: (row: Row | undefined) => void
}

/** A field that holds another object: what is typed is looked for in its list, and one is chosen by keys or by a press. */
export function Pick<Row extends { pk: number }>(properties: Properties<Row>) {
  const { form, name, url, query = {}, text, more, title = label(name), help, autofocus, onPick } = properties
  const facts = form.facts.fields[name] ?? { kind: 'integer' }
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const words = useSignal<string | undefined>(undefined)
  const found = useSignal<readonly Row[]>([])
  const chosen = useSignal(0)
  const shown = useSignal('')
  const value = form.values.value[name] as number | null | undefined
  // what the field holds at first is called by its own list
  useEffect(() => {
    if (!value) {
      shown.value = ''
      return
    }
    if (found.value.some(({ pk }) => pk === value)) return
    const ending = new AbortController()
    get<Row>(`${url}${value}/`, ending.signal).then(
      ({ body }) => {
        shown.value = text(body)
      },
      () => {},
    )
    return () => ending.abort()
  }, [value])
  useEffect(() => {
    if (words.value === undefined) return
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const { body } = await get<Page<Row>>(withQuery(url, { ...query, search: words.value, limit: MOST }), ending.signal)
      found.value = body.results
      chosen.value = 0
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [words.value])
  const isOpen = words.value !== undefined
  const close = () => {
    words.value = undefined
    if (input.current) input.current.value = shown.value
  }
  const pick = (row: Row | undefined) => {
    shown.value = row ? text(row) : ''
    form.values.value = { ...form.values.value, [name]: row?.pk ?? null }
    close()
    onPick?.(row)
  }
  const errors = form.errors.value[name] ?? []
  const explained = help === null ? undefined : (help ?? facts.help)
  return (
    <div class="field pick">
      <label for={id} class={facts.isRequired ? 'required' : ''}>
        {title}
      </label>
      <input
        ref={input}
        id={id}
        name={name}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && found.value[chosen.value] ? `${id}-${chosen.value}` : undefined}
        aria-invalid={errors.length > 0 ? true : undefined}
        aria-describedby={[explained && `${id}-help`, errors.length > 0 && `${id}-error`].filter(Boolean).join(' ') || undefined}
        autocomplete="off"
        spellcheck={false}
        autofocus={autofocus}
        placeholder={t('pick.hint')}
        value={isOpen ? words.value : shown.value}
        onInput={(event) => {
          words.value = event.currentTarget.value
          if (words.value === '' && facts.isNullable) pick(undefined)
        }}
        onBlur={close}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (by !== 0) {
            event.preventDefault()
            if (isOpen) chosen.value = Math.min(Math.max(0, chosen.value + by), found.value.length - 1)
            else words.value = ''
          }
          const row = found.value[chosen.value]
          if (event.key === 'Enter' && isOpen && row) {
            event.preventDefault()
            pick(row)
          }
          if (event.key === 'Escape' && isOpen) {
            // it closes the list, and not what is round it
            event.stopPropagation()
            event.preventDefault()
            close()
          }
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={title} hidden={!isOpen}>
        {isOpen &&
          found.value.map((row, at) => (
            <li
              key={row.pk}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === chosen.value}
              onPointerDown={(event) => {
                event.preventDefault()
                pick(row)
              }}
            >
              {text(row)}
              {more && <small>{more(row)}</small>}
            </li>
          ))}
        {isOpen && found.value.length === 0 && (
          <li role="option" aria-selected={false} aria-disabled="true">
            {t('nothing-found')}
          </li>
        )}
      </ul>
      {explained && (
        <p class="help" id={`${id}-help`}>
          {explained.replaceAll('`', '')}
        </p>
      )}
      {errors.length > 0 && (
        <p class="error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}
