import type { ComponentChildren } from 'preact'
import type { GridRow } from '../../../kit/grid/grid.tsx'
import { RowsPanel } from '../../../kit/grid/rows-panel.tsx'
import { t } from '../../../kit/language/language.ts'
import { readQuery, setQuery } from '../../../kit/navigation/router.ts'
import { type Page, withQuery } from '../../../kit/service/api.ts'

/** Number of rows that are shown at once. */
const MAX_ROWS = 200

/** The URL of a list of settings, with the search in the URL of the page. */
export const getSearchedUrl = (path: string, query: Record<string, string> = {}): string =>
  withQuery(path, { ...query, search: readQuery('search'), etag: true, limit: MAX_ROWS })

type Properties<Row> = Omit<Parameters<typeof RowsPanel<Row & GridRow>>[0], 'rows' | 'children' | 'emptyText'> & {
  page: Page<Row>
  /** Text when there are none at all. */
  emptyText: string
  children?: ComponentChildren
}

/** Objects that are edited in place, with a search; of very many, only those that match it are shown. */
export function SearchedRows<Row extends GridRow>({ page, emptyText, children, ...properties }: Properties<Row>) {
  const search = readQuery('search') ?? ''
  return (
    <>
      <div class="settings-filter">
        <input
          type="search"
          data-search
          aria-label={t('settings.search-list', { list: properties.title })}
          placeholder={t('settings.search-list', { list: properties.title })}
          value={search}
          onInput={({ currentTarget }) => setQuery({ search: currentTarget.value }, { replace: true })}
        />
      </div>
      <RowsPanel<Row> {...properties} rows={page.results} emptyText={search === '' ? emptyText : t('settings.no-rows-match')}>
        {page.count > page.results.length && (
          <p class="quiet-text pad">{t('settings.more-rows', { shown: page.results.length, total: page.count })}</p>
        )}
        {children}
      </RowsPanel>
    </>
  )
}
