import { useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../kit/language/language.ts'
import { useFocusBack } from '../kit/navigation/focus.ts'
import { commands } from '../kit/navigation/keys.ts'
import { navigateOrConfirm } from '../kit/navigation/router.ts'
import { Keys } from '../kit/page/shortcut-keys.tsx'
import { type Page, postQuery } from '../kit/service/api.ts'
import { KINDS, SEARCHED, type SearchHit } from './search-results.ts'

/** Delay of the search after the last letter, in milliseconds, on top of the time that the scanner holds it. */
const PAUSE = 90

type Entry = { id: string; kind: string; text: string; more?: string; keys?: string; run: () => void }

/** Ctrl+K: the commands of the page, and all objects that match the words. */
export function Palette({ onClose }: { onClose: () => void }) {
  const searchText = useSignal('')
  const results = useSignal<readonly Entry[]>([])
  /** The words of these results: a search for later input is in progress. */
  const foundBy = useSignal('')
  /** Whether Enter was pressed before the results arrived. */
  const isAwaited = useRef(false)
  const chosen = useSignal(0)
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useFocusBack(ref, () => ref.current?.close())
  useLayoutEffect(() => ref.current?.showModal(), [])
  useEffect(() => {
    const text = searchText.value.trim()
    if (text.length < 2) {
      results.value = []
      foundBy.value = text
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      find(text, controller.signal).then(
        (entries) => {
          results.value = entries
          foundBy.value = text
          if (isAwaited.current) run(entries[0])
          isAwaited.current = false
        },
        (error: Error) => {
          if (error.name !== 'AbortError') throw error
        },
      )
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [searchText.value])
  const searchWords = searchText.value.trim().toLowerCase().split(/\s+/)
  const doable: Entry[] = commands.value
    .filter(({ isLocal }) => !isLocal)
    .map((command, at) => ({
      id: `command-${at}`,
      kind: t('palette.commands'),
      text: command.label(),
      keys: command.keys,
      run: command.run,
    }))
    .filter(({ text }) => searchWords.every((word) => text.toLowerCase().includes(word)))
  const entries = [...doable, ...results.value]
  const at = Math.min(chosen.value, entries.length - 1)
  const isOld = foundBy.value !== searchText.value.trim()
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
        aria-activedescendant={entries[at] && `${id}-${entries[at].id}`}
        autocomplete="off"
        spellcheck={false}
        placeholder={t('palette.hint')}
        value={searchText.value}
        onInput={(event) => {
          searchText.value = event.currentTarget.value
          chosen.value = 0
          isAwaited.current = false
        }}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (by !== 0) {
            event.preventDefault()
            chosen.value = Math.min(Math.max(0, at + by), entries.length - 1)
            document.getElementById(`${id}-${entries[chosen.value]?.id}`)?.scrollIntoView({ block: 'nearest' })
          }
          if (event.key === 'Enter') {
            event.preventDefault()
            // the first result for other words is not the intended one
            if (isOld && doable.length === 0 && chosen.value === 0) isAwaited.current = true
            else run(entries[at])
          }
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={t('palette.title')}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === at}
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
            {entry.keys && <Keys keys={entry.keys} />}
          </li>
        ))}
      </ul>
      {entries.length === 0 && !isOld && <p class="palette-empty">{t('palette.empty')}</p>}
    </dialog>
  )
}

/** Searches objects of all kinds that have pages here. */
async function find(text: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const searches = Object.fromEntries(SEARCHED.map((name) => [name, KINDS[name].parameters]))
  const { body } = await postQuery<Record<string, Page<SearchHit> | { error: string }>>(
    '/api/search/',
    { search: text, limit: 5, ...searches },
    signal,
  )
  return SEARCHED.flatMap((name) => {
    const page = body[name]
    const { title, describe } = KINDS[name]
    if (!page || !('results' in page)) return []
    return page.results.map((object): Entry => {
      const { text, more, to } = describe(object)
      return { id: `${name}-${object.pk}`, kind: t(title), text, more, run: () => navigateOrConfirm(to) }
    })
  })
}
