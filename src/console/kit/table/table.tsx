import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { count as formatCount, t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { createParameters, navigate, type Parameters } from '../navigation/router.ts'
import { useAutoReload, warnStale } from '../page/data.ts'
import { Empty } from '../page/page.tsx'
import { isFieldVisible } from '../service/features.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { type RowAction, RowSelection } from './choice.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { type Column, getCellClass } from './column.ts'
import { Download } from './download.tsx'
import { ColumnChoice, FilterBar, type FilterChoices } from './filter-bar.tsx'
import { type ParameterOptions, readParameterFilters, useParameters } from './parameter-filters.tsx'
import { ColumnHeader, useTable } from './table-head.tsx'
import { buildQuery, selectVisibleColumns } from './table-query.ts'
import { createRows, type FirstRows, type Rows } from './table-rows.ts'
import { getRowHeight, useScrolledRows } from './table-scroll.ts'
import { Views } from './views.tsx'

type TableProperties<Row> = {
  /** Metadata of the list: `/api/company/`. */
  metadata: ResourceMetadata
  columns: readonly Column<Row>[]
  /** Available filters, by their names in the API. */
  filters?: readonly string[]
  /** Values with their texts for filters for which the API lists none. */
  filterChoices?: FilterChoices
  /** Rarely used filters: they are shown when they are set, or on request. */
  rareFilters?: readonly string[]
  /** The parameters of the rows, such as the resistance of parts: filters and columns for them can be selected. */
  parameters?: ParameterOptions | undefined
  /** Fixed parameters of the list. */
  fixed?: Record<string, string | undefined>
  /** The order of the list if the URL sets none, such as `-creation`. */
  order?: string
  /** The page of a row. */
  to?: (row: Row) => string | undefined
  /** Description of the table for screen readers. */
  title: string
  /** Content when the list is empty without filters. */
  empty?: ComponentChildren
  /** Content when filters leave nothing, instead of the default text. */
  noMatches?: ComponentChildren
  /** Prefix of the table's parameters in the URL of a page with several tables, such as `lines` in `lines.search`. */
  urlPrefix?: string
  /** Whether it is embedded in a page and as high as its rows, up to most of the window. */
  isEmbedded?: boolean
  /** Commands for the current row, by a key. */
  rowCommands?: readonly { keys: string; label: () => string; run: (row: Row) => void }[]
  /** Actions on several rows. With any, each row has a checkbox, and a bar shows the number of selected rows. */
  actions?: readonly RowAction<Row>[]
  /** The first rows, if the page has loaded them with its other data, from `getFirstRowsUrl` for the same table. */
  first?: FirstRows<Row>
  /** Content at the end of the bar above the rows, such as a link to an action on all of them. */
  toolbarEnd?: ComponentChildren
  /** Passes the rows to the page, which reloads them after a change. */
  onRows?: (rows: Rows<Row>) => void
}

/**
 * A list of any length: its columns can be selected, its order and filters are in the URL, its rows load when they come into view, and
 * keys move through them.
 */
export function Table<Row extends { pk: number }>(properties: TableProperties<Row>) {
  const { metadata, to, title, empty, urlPrefix, isEmbedded, rareFilters: rare, filterChoices: choices } = properties
  const urlParameters = createParameters(urlPrefix)
  const parameters = useParameters(properties.parameters, urlParameters)
  const parameterColumns = (parameters?.columns ?? []) as readonly Column<Row>[]
  const columns = useMemo(
    () => [...properties.columns.filter(({ name }) => isFieldVisible(name)), ...parameterColumns],
    [properties.columns, parameterColumns.map(({ name, isExtra }) => `${name} ${isExtra}`).join()],
  )
  const filters = (properties.filters ?? []).filter(isFieldVisible)
  const { query } = urlParameters
  const queryParameters = buildQuery(properties)
  // used once: they are from the time when the page was opened
  const first = useRef(properties.first)
  const rows = useMemo(() => {
    const firstRows = first.current
    first.current = undefined
    return createRows(metadata.path, queryParameters, firstRows)
  }, [metadata.path, JSON.stringify(queryParameters)])
  useEffect(() => {
    properties.onRows?.(rows)
    return () => rows.dispose()
  }, [rows])
  // other filters clear the selection; another order shows the same rows, and keeps it
  const choice = useMemo(
    () => new RowSelection<Row>(),
    [metadata.path, JSON.stringify({ ...queryParameters, ordering: undefined })],
  )
  const isFiltered = ['search', ...filters, ...Object.keys(readParameterFilters(urlParameters))].some(
    (name) => query(name) !== undefined,
  )
  const rowCount = rows.count.value
  const error = rows.error.value
  useAutoReload(rows.reload)
  useEffect(() => {
    if (error && rowCount) warnStale(error)
  }, [error])
  return (
    <div class={isEmbedded ? 'table-frame embedded' : 'table-frame'}>
      <FilterBar {...{ metadata, filters, rare, choices, urlParameters, parameters }} listError={error}>
        {properties.toolbarEnd}
        <output class="count">{rowCount === undefined ? '' : formatCount('rows', rowCount)}</output>
        {!isEmbedded && urlPrefix === undefined && <Views />}
        <Download url={metadata.path} query={queryParameters} />
        <ColumnChoice
          columns={columns}
          visibleNames={selectVisibleColumns(columns, urlParameters).map(({ name }) => name)}
          urlParameters={urlParameters}
          hasParameters={parameters?.hasColumns}
        />
      </FilterBar>
      {error && !rowCount ? (
        <Empty icon="warning" title={error.message}>
          {error.status === 0 && (
            <button type="button" onClick={rows.reload}>
              {t('try-again')}
            </button>
          )}
        </Empty>
      ) : rowCount === 0 ? (
        isFiltered ? (
          properties.noMatches || <Empty icon="search" title={t('no-matches')} />
        ) : (
          (empty ?? <Empty title={t('nothing-here')} />)
        )
      ) : (
        <Grid
          key={JSON.stringify(queryParameters)}
          rows={rows}
          columns={columns}
          metadata={{ ...metadata, orders: [...metadata.orders, ...parameterColumns.map(({ name }) => name)] }}
          to={to}
          title={title}
          urlParameters={urlParameters}
          rowCommands={properties.rowCommands}
          actions={properties.actions}
          choice={choice}
        />
      )}
    </div>
  )
}

type GridProperties<Row extends { pk: number }> = Pick<
  TableProperties<Row>,
  'columns' | 'metadata' | 'to' | 'title' | 'rowCommands' | 'actions'
> & {
  rows: Rows<Row>
  urlParameters: Parameters
  choice: RowSelection<Row>
}

function Grid<Row extends { pk: number }>(properties: GridProperties<Row>) {
  const { rows, columns, metadata, to, title, urlParameters, rowCommands = [], actions = [], choice } = properties
  const { query, setQuery } = urlParameters
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const total = rows.count.value ?? 0
  const start = useMemo(() => Math.max(0, Number.parseInt(query('at') ?? '0', 10) || 0), [])
  const scrolled = useScrolledRows(scroller, total, start)
  const currentIndex = useSignal(start)
  const visibleColumns = selectVisibleColumns(columns, urlParameters)
  const table = useTable(columns, visibleColumns)
  rows.version.value
  rows.ensureLoaded(scrolled.startIndex, Math.max(scrolled.endIndex, 1))

  const open = () => {
    const row = rows.row(currentIndex.value)
    const page = row && to?.(row)
    if (!page) return
    // for navigating back
    setQuery({ at: currentIndex.value > 0 ? String(currentIndex.value) : undefined }, { replace: true })
    navigate(page)
  }
  const select = (index: number) => {
    currentIndex.value = Math.min(Math.max(0, index), Math.max(0, total - 1))
    scrolled.scrollTo(currentIndex.value)
  }
  const canSelect = actions.length > 0
  const selection = choice.chosen.value
  const run = async (action: RowAction<Row>) => {
    const row = rows.row(currentIndex.value)
    // the selection includes all rows, even those that have not arrived yet
    if (choice.pending && !(await choice.pending)) return
    const targetRows = choice.chosen.value.size > 0 ? choice.rows(rows) : row ? [row] : []
    const matchingRows = action.isFor ? targetRows.filter(action.isFor) : targetRows
    if (matchingRows.length === 0) return
    action.run(matchingRows, () => {
      choice.clear()
      rows.reload()
    })
  }
  /** Moves by a number of rows, and selects the rows in between. */
  const extend = (steps: number) => {
    const startIndex = currentIndex.value
    select(startIndex + steps)
    choice.extend(rows, startIndex, currentIndex.value)
  }
  const moves = useRef({ open, select, extend, run, actions })
  moves.current = { open, select, extend, run, actions }
  const getPageSize = () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / getRowHeight()) - 2)
  const move = (steps: number) => moves.current.select(currentIndex.value + steps)
  useCommands(() => [
    { keys: 'ArrowDown', label: () => t('key.down'), run: () => move(1), isLocal: true },
    { keys: 'ArrowUp', label: () => t('key.up'), run: () => move(-1), isLocal: true },
    { keys: 'PageDown', label: () => t('key.page-down'), run: () => move(getPageSize()), isLocal: true },
    { keys: 'PageUp', label: () => t('key.page-up'), run: () => move(-getPageSize()), isLocal: true },
    { keys: 'Home', label: () => t('key.first'), run: () => moves.current.select(0), isLocal: true },
    { keys: 'End', label: () => t('key.last'), run: () => moves.current.select(Number.MAX_SAFE_INTEGER), isLocal: true },
    { keys: 'Enter', label: () => t('key.open'), run: () => moves.current.open(), isLocal: true },
  ])

  useCommands(
    () =>
      rowCommands.map(({ keys, label, run }) => ({
        keys,
        label,
        run: () => {
          const row = rows.row(currentIndex.value)
          if (row) run(row)
        },
        isLocal: true,
      })),
    [rows, rowCommands.length],
  )

  useCommands(
    () =>
      canSelect
        ? [
            { keys: 'Space', label: () => t('choice.row'), run: () => choice.toggle(rows, currentIndex.value), isLocal: true },
            { keys: 'Shift+ArrowDown', label: () => t('choice.down'), run: () => moves.current.extend(1), isLocal: true },
            { keys: 'Shift+ArrowUp', label: () => t('choice.up'), run: () => moves.current.extend(-1), isLocal: true },
            { keys: 'Ctrl+A', label: () => t('choice.every'), run: () => choice.all(rows), isLocal: true },
          ]
        : [],
    [rows, choice, canSelect],
  )
  useCommands(
    () =>
      moves.current.actions.flatMap(({ keys, label }, position) =>
        keys
          ? { keys, label, run: () => moves.current.run(moves.current.actions[position] as RowAction<Row>), isLocal: true }
          : [],
      ),
    [actions.map(({ keys }) => keys).join()],
  )
  useCommands(
    () =>
      selection.size > 0
        ? [
            {
              keys: 'Escape',
              label: () => t('choice.none'),
              run: () => {
                // Escape closes an open menu instead
                if (!document.querySelector('.menu-content:not([hidden])')) choice.clear()
              },
              isLocal: true,
            },
          ]
        : [],
    [choice, selection.size > 0],
  )

  const renderedRows: { row: Row | undefined; index: number; key: string }[] = []
  const renderedKeys = new Set<number>()
  for (let index = scrolled.startIndex; index < scrolled.endIndex; index++) {
    const row = rows.row(index)
    // while a list is reloaded, a row may be in two parts of it
    const isKnown = row && !renderedKeys.has(row.pk)
    if (row) renderedKeys.add(row.pk)
    renderedRows.push({ row, index, key: isKnown ? String(row.pk) : `at ${index}` })
  }
  const widths = table.getVisibleLeafColumns().map(({ id }) => visibleColumns.find(({ name }) => name === id)?.width)
  return (
    <>
      <div class="table-scroller" ref={scroller}>
        <div class="table-length" style={{ height: `${scrolled.height}px` }}>
          <div class="table-window" style={{ height: `${scrolled.viewHeight}px` }}>
            <table
              role="grid"
              aria-label={title}
              aria-rowcount={total + 1}
              tabIndex={0}
              aria-activedescendant={total > 0 ? `${id}-${currentIndex.value}` : undefined}
            >
              <colgroup>
                {canSelect && <col class="checkbox-fields" />}
                {widths.map((width, position) => (
                  <col
                    key={visibleColumns[position]?.name}
                    class={visibleColumns[position]?.isWide ? 'wide-only' : ''}
                    style={width ? { width } : undefined}
                  />
                ))}
              </colgroup>
              <thead>
                <tr aria-rowindex={1}>
                  {canSelect && (
                    <th class="checkbox-field" scope="col">
                      <input
                        type="checkbox"
                        aria-label={t('choice.every')}
                        checked={selection.size > 0}
                        ref={(checkbox) => {
                          if (checkbox) checkbox.indeterminate = selection.size > 0 && selection.size < total
                        }}
                        onChange={(event) => {
                          const { currentTarget: checkbox } = event
                          if (selection.size > 0) choice.clear()
                          else choice.all(rows)
                          checkbox.checked = choice.chosen.value.size > 0
                        }}
                      />
                    </th>
                  )}
                  {table.getVisibleLeafColumns().map(({ id }) => {
                    const column = visibleColumns.find(({ name }) => name === id) as Column<Row>
                    return <ColumnHeader key={id} column={column} metadata={metadata} urlParameters={urlParameters} />
                  })}
                </tr>
              </thead>
              <tbody style={{ transform: `translateY(${scrolled.top}px)` }} onPointerOver={showFullText}>
                {renderedRows.map(({ row, index, key }) => (
                  <tr
                    key={key}
                    id={`${id}-${index}`}
                    aria-rowindex={index + 2}
                    aria-selected={index === currentIndex.value}
                    onClick={(event) => {
                      const last = currentIndex.value
                      currentIndex.value = index
                      if (canSelect && (event.target as Element).closest('.checkbox-field')) {
                        if (event.shiftKey) choice.extend(rows, last, index)
                        else choice.toggle(rows, index)
                        const checkbox = event.currentTarget.querySelector<HTMLInputElement>('.checkbox-field input')
                        if (checkbox && row) checkbox.checked = choice.chosen.value.has(row.pk)
                        return
                      }
                      // links keep their behavior, and selected text stays selected
                      const isHandledElsewhere =
                        (event.target as Element).closest('a, button, input') || getSelection()?.toString()
                      if (!isHandledElsewhere) open()
                    }}
                  >
                    {canSelect && (
                      // the focus stays where it is, and a range does not select text
                      <td class="checkbox-field" onMouseDown={(event) => event.preventDefault()}>
                        {row && (
                          <input
                            type="checkbox"
                            tabIndex={-1}
                            id={`${id}-${index}-tick`}
                            aria-label={t('choice.row')}
                            aria-labelledby={`${id}-${index}-tick ${id}-${index}-0`}
                            checked={selection.has(row.pk)}
                          />
                        )}
                      </td>
                    )}
                    {visibleColumns.map((column, position) => (
                      <td
                        key={column.name}
                        id={canSelect && position === 0 ? `${id}-${index}-0` : undefined}
                        class={getCellClass(column)}
                      >
                        {row ? column.cell(row) : <span class="waiting" />}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      </div>
      <ChoiceBar choice={choice} rows={rows} actions={actions} onRun={run} />
    </>
  )
}

/** Shows the full text of a cut-off cell on hover. */
function showFullText({ target }: Event): void {
  const cell = (target as Element).closest('td')
  if (cell) cell.title = cell.scrollWidth > cell.clientWidth ? cell.innerText : ''
}
