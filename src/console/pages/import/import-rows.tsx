import { useMemo } from 'preact/hooks'
import { count, errorText, formatNumber, t } from '../../kit/language/language.ts'
import { readQuery, setQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Badge, Panel } from '../../kit/page/page.tsx'
import { type Page, withQuery } from '../../kit/service/api.ts'
import type { Column } from '../../kit/table/column.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { ImportCell } from './import-cell.tsx'
import { getFieldLabel } from './import-field-label.ts'
import { IMPORT_TYPES } from './import-types.ts'
import { type ImportRow, listMapped, type Session } from './session-details.ts'

/** Maximum number of fields with a column on a phone, besides those with errors. */
const MAX_PHONE_COLUMNS = 1

/** Rows on a page: they are as high as their errors, so that not all can be scrolled. */
const PAGE_ROWS = 50

type Properties = {
  session: Session
  /** Fields of which rows have errors. */
  errorFields: readonly string[]
  /** Called when a row has changed. */
  onChange: () => void
  /** Changes when the rows have to be read again. */
  version: number
}

/** The rows of an import: what becomes of each, and its values, which are corrected in their cells. */
export function ImportRows({ session, errorFields, onChange, version }: Properties) {
  const mapped = listMapped(session)
  const [valid, action, search] = ['valid', 'action', 'search'].map((name) => readQuery(name) ?? '')
  const offset = Math.max(0, Number.parseInt(readQuery('at') ?? '0', 10) || 0)
  const { data } = useRead<{ rows: Page<ImportRow & { etag: string }> }>({
    rows: withQuery('/api/importer/row/', {
      session: session.pk,
      valid,
      action,
      search,
      ordering: 'row_index',
      etag: true,
      limit: PAGE_ROWS,
      offset,
      // a parameter that lists ignore: the same URL would not be read again
      version,
    }),
  })
  const columns = useMemo(() => createColumns(session, errorFields, onChange), [JSON.stringify([mapped, errorFields]), onChange])
  const renderFilter = (name: string, title: string, options: readonly (readonly [value: string, text: string])[]) => (
    <label class={readQuery(name) ? 'filter set' : 'filter'}>
      <span>{title}</span>
      <select value={readQuery(name) ?? ''} onChange={(event) => setQuery({ [name]: event.currentTarget.value, at: undefined })}>
        <option value="">{t('any')}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  const rows = data?.rows.body
  const go = (at: number) => setQuery({ at: at > 0 ? String(at) : undefined })
  return (
    <Panel title={t('import.rows')}>
      <div class="import-filters">
        {renderFilter('valid', t('import.errors'), [
          ['false', t('import.with-errors')],
          ['true', t('import.without-errors')],
        ])}
        {renderFilter('action', t('import.outcome'), [
          ['create', t('import.created')],
          ['update', t('import.updated')],
          ['skip', t('import.skipped')],
        ])}
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          defaultValue={search}
          onChange={(event) => setQuery({ search: event.currentTarget.value, at: undefined })}
        />
        <output class="count">{rows && count('rows', rows.count)}</output>
      </div>
      {rows && rows.count === 0 && <p class="quiet-text">{t('no-matches')}</p>}
      {rows && rows.count > 0 && (
        <section class="import-rows" tabIndex={0} aria-label={t('import.rows')}>
          <ShortTable title={t('import.rows')} rows={rows.results} columns={columns} />
        </section>
      )}
      {rows && rows.count > PAGE_ROWS && (
        <nav class="buttons" aria-label={t('import.pages')}>
          <button type="button" disabled={offset === 0} onClick={() => go(offset - PAGE_ROWS)}>
            {t('import.previous')}
          </button>
          <button type="button" disabled={offset + PAGE_ROWS >= rows.count} onClick={() => go(offset + PAGE_ROWS)}>
            {t('import.next')}
          </button>
          <span class="quiet-text">
            {t('import.page', {
              first: formatNumber(offset + 1),
              last: formatNumber(Math.min(offset + PAGE_ROWS, rows.count)),
              total: formatNumber(rows.count),
            })}
          </span>
        </nav>
      )}
    </Panel>
  )
}

function createColumns(session: Session, errorFields: readonly string[], reload: () => void): readonly Column<ImportRow>[] {
  const mapped = listMapped(session)
  const shown = new Set(mapped.map(({ field }) => field))
  return [
    {
      name: 'row_index',
      title: () => t('import.row'),
      width: '4.5rem',
      align: 'end',
      cell: ({ row_index }) => formatNumber(row_index + session.heading_row + 1),
    },
    {
      name: 'result',
      title: () => t('import.outcome'),
      order: null,
      width: '13rem',
      cell: (row) => <Outcome {...{ session, row, shown }} />,
    },
    ...mapped.map(
      ({ field }, index): Column<ImportRow> => ({
        name: `data.${field}`,
        title: () => getFieldLabel(field),
        isWide: index >= MAX_PHONE_COLUMNS && !errorFields.includes(field),
        cell: (row) => <ImportCell session={session} row={row} field={field} onSaved={reload} />,
      }),
    ),
  ]
}

/** What becomes of a row, with the object that it found, and the errors that belong to none of the shown fields. */
function Outcome({ session, row, shown }: { session: Session; row: ImportRow; shown: ReadonlySet<string> }) {
  const others = row.field_errors.filter(({ pointer }) => !shown.has(pointer.split('/')[1] ?? ''))
  const { page } = IMPORT_TYPES[session.model_type] ?? {}
  const isUnchanged = row.action === 'update' && row.previous !== null && Object.keys(row.previous).length === 0
  const text = !row.valid
    ? t('import.has-error')
    : row.action === 'create'
      ? t(row.complete ? 'import.was-created' : 'import.creates')
      : row.action === 'skip'
        ? t('import.skips')
        : isUnchanged
          ? t('import.unchanged')
          : t(row.complete ? 'import.was-updated' : 'import.updates')
  return (
    <>
      <Badge
        tone={
          row.valid ? (row.complete ? 'good' : row.action === 'create' || row.action === 'update' ? 'accent' : undefined) : 'bad'
        }
      >
        {text}
      </Badge>
      {row.object !== null && page && (
        <>
          {' '}
          <a href={`${page}${row.object}/`} aria-label={t('import.open-object', { key: row.object })}>
            #{row.object}
          </a>
        </>
      )}
      {row.valid && row.created.length > 0 && (
        <small class="import-note">{t('import.with', { names: row.created.map(({ name }) => name).join(', ') })}</small>
      )}
      {others.map((error) => (
        <p key={error.pointer + error.code} class="error">
          {[...listFieldNames(error.pointer), errorText(error)].join(': ')}
        </p>
      ))}
    </>
  )
}

const listFieldNames = (pointer: string): string[] => {
  const [, name] = pointer.split('/')
  return name ? [getFieldLabel(name)] : []
}
