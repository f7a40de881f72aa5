import type { ComponentChildren } from 'preact'
import { type Column, classOf } from './column.ts'
import { label } from './language.ts'

type Properties<Row> = {
  /** What the table is of, for those who hear the page. */
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** A last row, such as totals. */
  foot?: ComponentChildren
}

/** All rows of something short that was read with its page, such as the lines of an order. */
export const ShortTable = <Row extends { pk: number }>({ title, rows, columns, foot }: Properties<Row>) => (
  <div class="short-table">
    <table aria-label={title}>
      <thead>
        <tr>
          {columns.map((column) => {
            const title = column.title?.() ?? label(column.name)
            const attributes = { class: classOf(column), style: column.width ? { width: column.width } : undefined }
            // nothing stands over what is done with a row
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
        {rows.map((row) => (
          <tr key={row.pk}>
            {columns.map((column) => (
              <td key={column.name} class={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  </div>
)
