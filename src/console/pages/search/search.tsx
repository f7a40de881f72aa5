import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatNumber, t } from '../../kit/language/language.ts'
import { routeLocation, setQuery } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page, Panel } from '../../kit/page/page.tsx'
import { ThumbnailOrIcon } from '../../kit/page/thumbnail.tsx'
import { getResultsUrl, type ResultGroup } from './search-objects.ts'
import { findPages, type PageResult } from './search-pages.ts'
import { splitWords } from './search-words.ts'
import { useSearch } from './use-search.ts'

/** Milliseconds without a further letter until the search starts. */
const SEARCH_DELAY_MS = 120
/** Maximum number of results of each kind, and of the only kind that is shown. */
const MAX_RESULTS = 10
const MAX_RESULTS_OF_ONE = 100

/** `/search/`: all results of a search by kind, with their numbers. The URL holds the text, and the only kind that is shown, if any. */
export function SearchPage() {
  const { query } = routeLocation.value
  const searchText = query.get('q') ?? ''
  const only = query.get('kind') ?? undefined
  const text = searchText.trim()
  const { groups, foundText, error } = useSearch(text, {
    limit: only === undefined ? MAX_RESULTS : MAX_RESULTS_OF_ONE,
    only,
    minLength: 1,
    delayMs: SEARCH_DELAY_MS,
  })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  if (error) return <LoadError error={error} />
  const pages = only === undefined && text !== '' ? findPages(splitWords(text)) : []
  const isComplete = foundText === text
  return (
    <Page title={t('search.results')}>
      <label class="search-field">
        <span class="visually-hidden">{t('search')}</span>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          data-search
          data-scans="page"
          placeholder={t('palette.hint')}
          value={searchText}
          onInput={({ currentTarget }) => setQuery({ q: currentTarget.value, kind: undefined }, { replace: true })}
        />
      </label>
      {only !== undefined && (
        <p>
          <a href={getResultsUrl(text)}>{t('search.all-kinds')}</a>
        </p>
      )}
      {text === '' && <Empty icon="search" title={t('search.enter')} />}
      {text !== '' && isComplete && groups.length + pages.length === 0 && (
        <Empty icon="search" title={t('search.none', { text })}>
          <p>{t('search.none-more')}</p>
        </Empty>
      )}
      <div class="search-results" aria-busy={!isComplete}>
        {pages.length > 0 && <Results title={t('search.pages')} results={pages} />}
        {groups.map((group) => (
          <FoundGroup key={group.name} group={group} isOnly={only !== undefined} />
        ))}
      </div>
    </Page>
  )
}

/** The results of one kind, with a link to all of them. */
function FoundGroup({ group: { title, results, count, all }, isOnly }: { group: ResultGroup; isOnly: boolean }) {
  const isMore = count > results.length
  // the URL of this page shows no more than it does already
  const isHere = isOnly && all.startsWith('/search/')
  return (
    <Results
      title={t(title)}
      count={count}
      results={results}
      actions={
        isMore && !isHere ? (
          <a class="quiet-link" href={all}>
            {t('search.show-count', { count: formatNumber(count) })}
          </a>
        ) : undefined
      }
      note={isMore && isHere ? t('search.some', { shown: formatNumber(results.length), count: formatNumber(count) }) : undefined}
    />
  )
}

type ResultsProperties = {
  title: string
  count?: number
  results: readonly (PageResult | ResultGroup['results'][number])[]
  actions?: ComponentChildren
  note?: string | undefined
}

const Results = ({ title, count, results, actions, note }: ResultsProperties) => (
  <Panel class="flush" title={count === undefined ? title : `${title} (${formatNumber(count)})`} actions={actions}>
    <ul class="search-rows">
      {results.map(({ id, title, detail, to, icon, picture }) => (
        <li key={id}>
          <ThumbnailOrIcon url={picture} icon={icon} />
          <span>
            <a href={to}>{title}</a>
            {detail && <small>{detail}</small>}
          </span>
        </li>
      ))}
    </ul>
    {note && <p class="quiet-text search-note">{note}</p>}
  </Panel>
)
