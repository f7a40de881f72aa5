import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../kit/language/language.ts'
import { useReturnFocus } from '../kit/navigation/focus.ts'
import { commands } from '../kit/navigation/keys.ts'
import { navigateOrConfirm } from '../kit/navigation/router.ts'
import { ShortcutKeys } from '../kit/page/shortcut-keys.tsx'
import { type Page, postQuery } from '../kit/service/api.ts'
import { KINDS, SEARCHED_KINDS, type SearchHit } from './search-results.ts'

/** Delay of the search after the last letter, in milliseconds, in addition to the time for which scan detection holds that letter. */
const SEARCH_DELAY_MS = 90

type Entry = { id: string; kind: string; text: string; more?: string; keys?: string; run: () => void }

/** Ctrl+K: the commands of the page, and all objects that match the words. */
export function Palette({ onClose }: { onClose: () => void }) {
  const searchText = useSignal('')
  const results = useSignal<readonly Entry[]>([])
  /** The text that these results match. A search is in progress if the input differs from it. */
  const resultsText = useSignal('')
  /** Whether Enter was pressed before the results arrived. */
  const isEnterPending = useRef(false)
  const chosen = useSignal(0)
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useReturnFocus(ref, () => ref.current?.close())
  useLayoutEffect(() => ref.current?.showModal(), [])
  useEffect(() => {
    const text = searchText.value.trim()
    if (text.length < 2) {
      results.value = []
      resultsText.value = text
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      searchObjects(text, controller.signal).then(
        (entries) => {
          results.value = entries
          resultsText.value = text
          if (isEnterPending.current) run(entries[0])
          isEnterPending.current = false
        },
        (error: Error) => {
          if (error.name !== 'AbortError') throw error
        },
      )
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [searchText.value])
  const searchWords = searchText.value.trim().toLowerCase().split(/\s+/)
  const matchingCommands: Entry[] = commands.value
    .filter(({ isLocal }) => !isLocal)
    .filter(({ label, words }) => {
      const text = `${label()} ${words?.() ?? ''}`.toLowerCase()
      return searchWords.every((word) => text.includes(word))
    })
    .map((command, index) => ({
      id: `command-${index}`,
      kind: t('palette.commands'),
      text: command.label(),
      keys: command.keys,
      run: command.run,
    }))
  const entries = [...matchingCommands, ...results.value]
  const activeIndex = Math.min(chosen.value, entries.length - 1)
  const isOutdated = resultsText.value !== searchText.value.trim()
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  return (
    <dialog
      ref={ref}
      class="palette"
      aria-label={t('palette.title')}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <input
        // a scan opens its object, as a code matches no words
        data-scans="page"
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries[activeIndex] && `${id}-${entries[activeIndex].id}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={t('palette.hint')}
        value={searchText.value}
        onInput={(event) => {
          searchText.value = event.currentTarget.value
          chosen.value = 0
          isEnterPending.current = false
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (step !== 0) {
            event.preventDefault()
            chosen.value = Math.min(Math.max(0, activeIndex + step), entries.length - 1)
            document.getElementById(`${id}-${entries[chosen.value]?.id}`)?.scrollIntoView({ block: 'nearest' })
          }
          if (event.key === 'Enter') {
            event.preventDefault()
            // the first result for other words is not the intended one
            if (isOutdated && matchingCommands.length === 0 && chosen.value === 0) isEnterPending.current = true
            else run(entries[activeIndex])
          }
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t('palette.title')}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === activeIndex}
            onClick={() => run(entry)}
            onPointerMove={() => {
              chosen.value = index
            }}
          >
            <span class="palette-kind">{entry.kind}</span>
            <span class="palette-text">
              {entry.text}
              {entry.more && <small>{entry.more}</small>}
            </span>
            {entry.keys && <ShortcutKeys keys={entry.keys} />}
          </li>
        ))}
      </ul>
      {entries.length === 0 && !isOutdated && <p class="palette-empty">{t('palette.empty')}</p>}
    </dialog>
  )
}

/** Searches objects of all kinds that have pages here. */
async function searchObjects(text: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const searches = Object.fromEntries(SEARCHED_KINDS.map((name) => [name, KINDS[name].parameters]))
  const { body } = await postQuery<Record<string, Page<SearchHit> | { error: string }>>(
    '/api/search/',
    { search: text, limit: 5, ...searches },
    signal,
  )
  return SEARCHED_KINDS.flatMap((name) => {
    const page = body[name]
    const { title, describe } = KINDS[name]
    if (!page || !('results' in page)) return []
    return page.results.map((object): Entry => {
      const { text, more, to } = describe(object)
      return { id: `${name}-${object.pk}`, kind: t(title), text, more, run: () => navigateOrConfirm(to) }
    })
  })
}
