import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Values } from '../form/form.tsx'
import { language } from '../language/language.ts'
import { getCellClass } from '../table/column.ts'

/** A row of a grid, with the version that its edit begins with (`?etag=true`). */
export type GridRow = { pk: number; etag?: string }

/**
 * Properties of a custom editor: it saves, or cancels. `start` is the text that was typed to begin it, or the `data-start` of the pressed
 * element.
 */
export type EditorProperties<Row> = { row: Row; start?: string; save: (body: Values) => void; cancel: () => void }

/** A column of a grid. */
export type GridColumn<Row> = {
  /** Name of the field. */
  name: string
  title?: () => string
  cell: (row: Row) => ComponentChildren
  align?: 'end'
  width?: string
  /** The flag with which responses show the field, if they do not always. */
  flag?: string
  /** Whether it is hidden in narrow windows, as on a phone. */
  isWide?: boolean
  /** Whether it is hidden in windows narrower than on a desktop. */
  isDesk?: boolean
  /** Whether a row has no value in it: a column that is empty in all rows is hidden until the reader asks for it. */
  isEmpty?: (row: Row) => boolean
  /** Edits it in place: according to its type, or with a custom editor. */
  edit?: true | ((properties: EditorProperties<Row>) => ComponentChildren)
  /** Whether it can be edited in this row; by default it can. */
  isOpen?: (row: Row) => boolean
  /** Returns a warning that the user confirms before it is saved, such as about a quantity above the required one. */
  getWarning?: (row: Row, value: unknown) => string | undefined
  /** Other values that are sent with its change, which may depend on the new value. */
  relatedValues?: Values | ((row: Row, value: unknown) => Promise<Values>)
  /** Called after a change with the row before and after, which may differ in more than the cell. */
  onSaved?: (before: Row, after: Row) => void
}

/** The edit of a cell: a new object for each edit. It exists until it is saved or canceled, even when the focus leaves the cell. */
export type Edit = {
  pk: number
  name: string
  /** The text that was typed to begin it, or the `data-start` of the pressed element. */
  start?: string
  /** The version of the row at its start. */
  etag?: string
}

/** Edits of a row without an open cell. */
export const NO_EDITS: readonly Edit[] = []

/** Callbacks of a row to its grid. */
export type RowCallbacks<Row> = {
  focus: (row: number, column: number) => void
  edit: (row: number, column: number, start?: string) => void
  editor: (row: Row, column: GridColumn<Row>, open: Edit) => ComponentChildren
}

type LineProperties<Row> = {
  columns: readonly GridColumn<Row>[]
  canChange: boolean
  end?: (row: Row) => ComponentChildren
  row: Row
  rowIndex: number
  /** Index of the row's cell that receives keys; -1 for none. */
  focusedColumn: number
  edits: readonly Edit[]
  callbacks: { readonly current: RowCallbacks<Row> }
}

/**
 * A row. It re-renders only when one of its properties changes: a key press changes two of a thousand rows. This requires that `columns` and
 * `end` of the grid are the same objects in each render.
 */
export function Line<Row extends GridRow>({
  row,
  rowIndex,
  focusedColumn,
  edits,
  columns,
  canChange,
  end,
  callbacks,
}: LineProperties<Row>) {
  const renderRow = () => (
    <tr>
      {columns.map((column, columnIndex) => {
        const open = edits.find(({ name }) => name === column.name)
        const canEdit = canChange && column.edit !== undefined && (column.isOpen?.(row) ?? true)
        return (
          <td
            key={column.name}
            role="gridcell"
            class={`${getCellClass(column)} ${canEdit ? 'edited' : ''} ${open ? 'editing' : ''}`}
            data-at={`${rowIndex}-${columnIndex}`}
            tabIndex={focusedColumn === columnIndex && !open ? 0 : -1}
            aria-readonly={canEdit ? undefined : true}
            onFocusIn={() => callbacks.current.focus(rowIndex, columnIndex)}
            onClick={(event) => {
              const target = event.target as Element
              if (open || target.closest('a, button, input')) return
              callbacks.current.edit(rowIndex, columnIndex, target.closest<HTMLElement>('[data-start]')?.dataset.start)
            }}
          >
            {open ? callbacks.current.editor(row, column, open) : column.cell(row)}
          </td>
        )
      })}
      {end && <td class="cells-end">{end(row)}</td>}
    </tr>
  )
  return useMemo(renderRow, [row, rowIndex, focusedColumn, edits, columns, canChange, end, language.value])
}
