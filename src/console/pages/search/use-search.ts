import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../kit/service/api.ts'
import { findSettings, getSettingsUrl, readSearchableSettings, type SearchableSetting } from './search-global-settings.ts'
import { type ResultGroup, searchObjects } from './search-objects.ts'
import { splitWords } from './search-words.ts'

type Options = {
  /** Maximum number of results of each kind. */
  limit: number
  /** The only kind that is searched. */
  only?: string | undefined
  /** Minimum length of the text; nothing is searched for a shorter one. */
  minLength: number
  /** Milliseconds without a further letter until the search starts. */
  delayMs: number
  /** Receives the results once they are complete. */
  onFound?: (groups: readonly ResultGroup[]) => void
}

type Search = {
  /** The results by kind, objects first, then settings. Those of the previous text stay until new ones arrive. */
  groups: readonly ResultGroup[]
  /** The text that the groups match. A search is in progress while it differs from the input. */
  foundText: string
  error: ApiError | undefined
}

/** The name of the group of global settings. */
const SETTINGS_GROUP = 'setting'

/** Searches objects, users, templates and settings for a text, each time that it changes. */
export function useSearch(text: string, { limit, only, minLength, delayMs, onFound }: Options): Search {
  const found = useSignal<Search>({ groups: [], foundText: '', error: undefined })
  const settings = useSearchableSettings()
  // no one types the text that a page is opened with
  const isOpening = useRef(true)
  useEffect(() => {
    const waitMs = isOpening.current ? 0 : delayMs
    isOpening.current = false
    if (text.length < minLength) {
      found.value = { groups: [], foundText: text, error: undefined }
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      searchObjects(text, { limit, only, signal: controller.signal }).then(
        (groups) => {
          found.value = { groups, foundText: text, error: undefined }
          onFound?.(groups)
        },
        (error: Error) => {
          if (error instanceof ApiError) found.value = { groups: [], foundText: text, error }
          else if (error.name !== 'AbortError') throw error
        },
      )
    }, waitMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, limit, only])
  const { groups, foundText, error } = found.value
  const hasSettings = only === undefined || only === SETTINGS_GROUP
  const settingsGroup = hasSettings && foundText.length >= minLength ? groupSettings(settings.value, foundText, limit) : []
  return { groups: [...groups, ...settingsGroup], foundText, error }
}

/** The global settings, once they are loaded: while the search is open they do not change. */
function useSearchableSettings(): Signal<readonly SearchableSetting[]> {
  const settings = useSignal<readonly SearchableSetting[]>([])
  useEffect(() => {
    readSearchableSettings().then(
      (read) => {
        settings.value = read
      },
      (error) => {
        // the search of objects reports that the service cannot be reached
        if (!(error instanceof ApiError)) throw error
      },
    )
  }, [])
  return settings
}

function groupSettings(settings: readonly SearchableSetting[], text: string, limit: number): ResultGroup[] {
  const results = findSettings(settings, splitWords(text))
  if (results.length === 0) return []
  return [
    {
      name: SETTINGS_GROUP,
      title: 'found.settings',
      results: results.slice(0, limit),
      count: results.length,
      all: getSettingsUrl(text),
    },
  ]
}
