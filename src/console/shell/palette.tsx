import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { formatNumber, t } from '../kit/language/language.ts'
import { useReturnFocus } from '../kit/navigation/focus.ts'
import { commands } from '../kit/navigation/keys.ts'
import { navigateOrConfirm } from '../kit/navigation/router.ts'
import { Icon } from '../kit/page/icon.tsx'
import { ShortcutKeys } from '../kit/page/shortcut-keys.tsx'
import { ThumbnailOrIcon } from '../kit/page/thumbnail.tsx'
import { getResultsUrl, type Result, type ResultGroup } from '../pages/search/search-objects.ts'
import { findPages } from '../pages/search/search-pages.ts'
import { type Match, matchWords, splitWords } from '../pages/search/search-words.ts'
import { useSearch } from '../pages/search/use-search.ts'

/** Delay of the search after the last letter, in milliseconds, in addition to the time for which scan detection holds that letter. */
const SEARCH_DELAY_MS = 90
/** Minimum length of a text for which objects are searched. */
const MIN_LENGTH = 2
/** Maximum number of results of each kind. */
const MAX_RESULTS = 5
/** Maximum number of pages, and of commands, once a text is entered. */
const MAX_PAGES = 6

type Entry = Partial<Pick<Result, 'detail' | 'icon' | 'picture'>> & {
  id: string
  title: string
  keys?: string
  match?: Match
  run: () => void
}
type Group = { name: string; title: string; count?: number; entries: readonly Entry[] }

const goTo = (to: string) => () => navigateOrConfirm(to)

/** The pages that match. */
function groupPages(words: readonly string[]): Group {
  const entries = findPages(words).map(({ to, ...page }): Entry => ({ ...page, run: goTo(to) }))
  return { name: 'pages', title: t('search.pages'), entries: words.length > 0 ? entries.slice(0, MAX_PAGES) : entries }
}

/** The commands of the page and of the shell that match. */
function groupCommands(words: readonly string[]): Group {
  const entries = commands.value
    .filter(({ isLocal }) => !isLocal)
    .flatMap(({ label, synonyms, keys, run }, index): Entry[] => {
      const match = matchWords(words, label(), synonyms?.())
      return match ? [{ id: `command-${index}`, title: label(), keys, match, run }] : []
    })
  return { name: 'commands', title: t('palette.commands'), entries: words.length > 0 ? entries.slice(0, MAX_PAGES) : entries }
}

const groupResults = ({ name, title, count, results }: ResultGroup): Group => ({
  name,
  title: t(title),
  count,
  entries: results.map(({ to, ...result }) => ({ ...result, run: goTo(to) })),
})

const hasTitleMatch = ({ entries }: Group): boolean => entries.some(({ match }) => match === 'title')

/**
 * All entries for a text: pages and commands whose title matches, then objects, then pages and commands that other words find, and settings.
 * @param found objects, and settings as the last group
 */
function arrangeGroups(text: string, found: readonly ResultGroup[]): Group[] {
  const words = splitWords(text)
  const own = [groupCommands(words), groupPages(words)]
  const objects = found.filter(({ name }) => name !== 'setting')
  const settings = found.filter(({ name }) => name === 'setting')
  const groups = [
    ...own.filter(hasTitleMatch),
    ...objects.map(groupResults),
    ...own.filter((group) => !hasTitleMatch(group)),
    ...settings.map(groupResults),
  ]
  if (found.length > 0)
    groups.push({
      name: 'all',
      title: '',
      entries: [{ id: 'all', title: t('search.show-all', { text }), icon: 'search', run: goTo(getResultsUrl(text)) }],
    })
  return groups.filter(({ entries }) => entries.length > 0)
}

/** The search, by Ctrl+K or the box in the header: pages, commands, and all objects, users, templates and settings that match the words. */
export function Palette({ onClose }: { onClose: () => void }) {
  const searchText = useSignal('')
  /** Whether Enter was pressed before the results arrived. */
  const isEnterPending = useRef(false)
  const chosen = useSignal(0)
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useReturnFocus(ref, () => ref.current?.close())
  useLayoutEffect(() => ref.current?.showModal(), [])
  const text = searchText.value.trim()
  const {
    groups: found,
    foundText,
    error,
  } = useSearch(text, {
    limit: MAX_RESULTS,
    minLength: MIN_LENGTH,
    delayMs: SEARCH_DELAY_MS,
    onFound: (groups) => {
      if (isEnterPending.current) run(arrangeGroups(text, groups)[0]?.entries[0])
      isEnterPending.current = false
    },
  })
  const groups = arrangeGroups(text, found)
  const entries = groups.flatMap((group) => group.entries)
  const activeIndex = Math.min(chosen.value, entries.length - 1)
  const active = entries[activeIndex]
  const isOutdated = foundText !== text
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      chosen.value = Math.min(Math.max(0, activeIndex + step), entries.length - 1)
      document.getElementById(`${id}-${entries[chosen.value]?.id}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      // the first result for other words is not the intended one
      if (isOutdated && active?.match !== 'title' && chosen.value === 0) isEnterPending.current = true
      else run(active)
    }
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
      <div class="palette-input">
        <Icon name="search" />
        <input
          // a scan opens its object, as a code matches no words
          data-scans="page"
          role="combobox"
          aria-label={t('palette.title')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active && `${id}-${active.id}`}
          autocomplete="off"
          spellcheck={false}
          placeholder={t('palette.hint')}
          value={searchText.value}
          onInput={(event) => {
            searchText.value = event.currentTarget.value
            chosen.value = 0
            isEnterPending.current = false
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="quiet icon-only" aria-label={t('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label={t('palette.title')}>
        {groups.map(({ name, title, count, entries: ofGroup }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <ul key={name} role="group" aria-label={title || t('search')}>
            {title && (
              <li class="palette-kind" role="presentation" aria-hidden="true">
                {title}
                {count !== undefined && count > ofGroup.length && (
                  <small>{t('search.some', { shown: formatNumber(ofGroup.length), count: formatNumber(count) })}</small>
                )}
              </li>
            )}
            {ofGroup.map((entry) => (
              <li
                key={entry.id}
                id={`${id}-${entry.id}`}
                role="option"
                aria-selected={entry === active}
                onClick={() => run(entry)}
                onPointerMove={() => {
                  chosen.value = entries.indexOf(entry)
                }}
              >
                <ThumbnailOrIcon url={entry.picture} icon={entry.icon ?? 'chevron'} />
                <span class="palette-text">
                  {entry.title}
                  {entry.detail && <small>{entry.detail}</small>}
                </span>
                {entry.keys && (
                  <span>
                    <ShortcutKeys keys={entry.keys} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        ))}
      </div>
      {error && (
        <p class="palette-empty" role="alert">
          {error.message}
        </p>
      )}
      {entries.length === 0 && !isOutdated && !error && <p class="palette-empty">{t('palette.empty')}</p>}
    </dialog>
  )
}
