import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { label as fieldLabel, formatNumber, t } from '../../../kit/language/language.ts'
import { useCommands } from '../../../kit/navigation/keys.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { useProgressiveRows } from '../../../kit/page/progressive-rows.ts'
import { type Column, getCellClass } from '../../../kit/table/column.ts'
import { listParents, listVisible } from './tree-rows.ts'

/** Number of rows up to which a tree is expanded at first. */
const MAX_EXPANDED_ROWS = 200

type Properties<Row> = {
  /** Description of the table for screen readers. */
  title: string
  /** Each row is followed by those below it, of the next higher depth. */
  rows: readonly Row[]
  /** The heading of the first column, and its content. */
  nameTitle: string
  name: (row: Row) => ComponentChildren
  /** The plain name of a row, for its button. */
  plainName: (row: Row) => string
  columns: readonly Column<Row>[]
  /** A last row, such as totals. */
  footer?: ComponentChildren
  /** Content before the buttons that expand and collapse everything. */
  toolbar?: ComponentChildren
}

/** A tree in the rows of a table, with a button for each row that has others below it. */
export function TreeTable<Row extends { depth: number }>(properties: Properties<Row>) {
  const { title, rows, nameTitle, name, plainName, columns, footer, toolbar } = properties
  const parents = useMemo(() => listParents(rows), [rows])
  const collapsed = useSignal<ReadonlySet<number>>(new Set(rows.length > MAX_EXPANDED_ROWS ? parents : []))
  const visible = listVisible(rows, collapsed.value)
  const renderedCount = useProgressiveRows(visible.length)
  const collapse = (indexes: Iterable<number>) => {
    collapsed.value = new Set(indexes)
  }
  const setCollapsed = (index: number, isCollapsed: boolean) =>
    collapse(isCollapsed ? [...collapsed.value, index] : [...collapsed.value].filter((one) => one !== index))
  useCommands(
    () => [
      { label: () => t('tree.expand-all'), run: () => collapse([]) },
      { label: () => t('tree.collapse-all'), run: () => collapse(parents) },
    ],
    [rows],
  )
  return (
    <Panel>
      <div class="tree-toolbar">
        {toolbar}
        {parents.length > 0 && (
          <>
            <button type="button" class="quiet" onClick={() => collapse([])}>
              {t('tree.expand-all')}
            </button>
            <button type="button" class="quiet" onClick={() => collapse(parents)}>
              {t('tree.collapse-all')}
            </button>
          </>
        )}
      </div>
      <div class="short-table">
        <table class="tree" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{nameTitle}</th>
              {columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  class={getCellClass(column)}
                  style={column.width ? { width: column.width } : undefined}
                >
                  {column.title?.() ?? fieldLabel(column.name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.slice(0, renderedCount).map((index) => {
              const row = rows[index] as Row
              const isCollapsed = collapsed.value.has(index)
              const isParent = (rows[index + 1]?.depth ?? 0) > row.depth
              return (
                <tr key={index} class={row.depth === 1 ? 'first-level' : ''}>
                  <td>
                    <div class="tree-name" style={{ '--level': row.depth - 1 }}>
                      {isParent ? (
                        <button
                          type="button"
                          class="quiet icon-only"
                          aria-expanded={!isCollapsed}
                          aria-label={t('tree.below', { name: plainName(row) })}
                          onClick={() => setCollapsed(index, !isCollapsed)}
                          onKeyDown={(event) => {
                            if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
                            event.preventDefault()
                            setCollapsed(index, event.key === 'ArrowLeft')
                          }}
                        >
                          <Icon name="chevron" />
                        </button>
                      ) : (
                        <span class="tree-gap" />
                      )}
                      <div>
                        {row.depth > 1 && (
                          <span class="visually-hidden">{t('tree.level', { level: formatNumber(row.depth) })}</span>
                        )}
                        {name(row)}
                      </div>
                    </div>
                  </td>
                  {columns.map((column) => (
                    <td key={column.name} class={getCellClass(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
          {footer && <tfoot>{footer}</tfoot>}
        </table>
      </div>
    </Panel>
  )
}
