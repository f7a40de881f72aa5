import type { ComponentChildren } from 'preact'
import { label, language } from '../language/language.ts'
import { useProgressiveRows } from '../page/progressive-rows.ts'
import { type Column, getCellClass } from './column.ts'

type Properties<Row> = {
  /** Description of the table for screen readers. */
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** A last row, such as totals. */
  footer?: ComponentChildren
}

/** All rows of a short list that was loaded with its page, such as the lines of an order. */
export function ShortTable<Row extends { pk: number }>({ title, rows, columns, footer }: Properties<Row>) {
  const renderedCount = useProgressiveRows(rows.length)
  return (
    <div class="short-table">
      <table aria-label={title} aria-rowcount={renderedCount < rows.length ? rows.length + 1 : undefined}>
        <thead>
          <tr>
            {columns.map((column) => {
              const title = column.title?.() ?? label(column.name)
              const attributes = { class: getCellClass(column), style: column.width ? { width: column.width } : undefined }
              // columns with row actions have no header
              if (title === '') return <td key={column.name} {...attributes} />
              return (
                <th key={column.name} scope="col" {...attributes}>
                  {title}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, renderedCount).map((row) => (
            <Line key={row.pk} row={row} columns={columns} />
          ))}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  )
}

/** A row. It reads a signal, and so re-renders only when its properties or the signal change, and not when rows are added. */
function Line<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  language.value
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.name} class={getCellClass(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}
