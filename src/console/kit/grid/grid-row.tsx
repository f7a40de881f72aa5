import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Values } from '../form/form.tsx'
import { language } from '../language/language.ts'

/** A row of a sheet, with the version that its edit begins with (`?etag=true`). */
export type SheetRow = { pk: number; etag?: string }

/**
 * Properties of a custom editor: it saves, or cancels. `start` is the text that was typed to begin it, or the `data-start` of the pressed
 * element.
 */
export type EditorProperties<Row> = { row: Row; start?: string; save: (body: Values) => void; cancel: () => void }

/** A column of a sheet. */
export type SheetColumn<Row> = {
  /** Name of the field. */
  name: string
  title?: () => string
  cell: (row: Row) => ComponentChildren
  align?: 'end'
  width?: string
  /** Whether it is hidden in narrow windows, as on a phone. */
  isWide?: boolean
  /** Whether it is hidden in windows narrower than on a desk. */
  isDesk?: boolean
  /** Edits it in place: according to its type, or with a custom editor. */
  edit?: true | ((properties: EditorProperties<Row>) => ComponentChildren)
  /** Whether it can be edited in this row; by default it can. */
  isOpen?: (row: Row) => boolean
  /** Question before it is saved, such as about a quantity that is more than needed. */
  getWarning?: (row: Row, given: unknown) => string | undefined
  /** Other values that are sent with its change, which may depend on the new value. */
  relatedValues?: Values | ((row: Row, given: unknown) => Promise<Values>)
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

/** Callbacks of a row to its sheet. */
export type Acts<Row> = {
  focus: (row: number, column: number) => void
  edit: (row: number, column: number, start?: string) => void
  editor: (row: Row, column: SheetColumn<Row>, open: Edit) => ComponentChildren
}

type LineProperties<Row> = {
  columns: readonly SheetColumn<Row>[]
  mayChange: boolean
  end?: (row: Row) => ComponentChildren
  row: Row
  rowAt: number
  /** Index of the row's cell that receives keys; -1 for none. */
  focusedColumn: number
  edits: readonly Edit[]
  acts: { readonly current: Acts<Row> }
}

/**
 * A row. It re-renders when one of its properties changes: of a thousand rows a key changes two. For that, `columns` and `end` of its sheet
 * keep their identity between renders.
 */
export function Line<Row extends SheetRow>({
  row,
  rowAt,
  focusedColumn,
  edits,
  columns,
  mayChange,
  end,
  acts,
}: LineProperties<Row>) {
  const drawn = () => (
    <tr>
      {columns.map((column, columnAt) => {
        const open = edits.find(({ name }) => name === column.name)
        const mayEdit = mayChange && column.edit !== undefined && (column.isOpen?.(row) ?? true)
        return (
          <td
            key={column.name}
            role="gridcell"
            class={`${classOf(column)} ${mayEdit ? 'edited' : ''} ${open ? 'editing' : ''}`}
            data-at={`${rowAt}-${columnAt}`}
            tabIndex={focusedColumn === columnAt && !open ? 0 : -1}
            aria-readonly={mayEdit ? undefined : true}
            onFocusIn={() => acts.current.focus(rowAt, columnAt)}
            onClick={(event) => {
              const target = event.target as Element
              if (open || target.closest('a, button, input')) return
              acts.current.edit(rowAt, columnAt, target.closest<HTMLElement>('[data-start]')?.dataset.start)
            }}
          >
            {open ? acts.current.editor(row, column, open) : column.cell(row)}
          </td>
        )
      })}
      {end && <td class="cells-end">{end(row)}</td>}
    </tr>
  )
  return useMemo(drawn, [row, rowAt, focusedColumn, edits, columns, mayChange, end, language.value])
}

/** CSS classes of a column's cell. */
export const classOf = ({ align, isWide, isDesk }: { align?: 'end'; isWide?: boolean; isDesk?: boolean }): string =>
  `${align === 'end' ? 'end' : ''} ${isWide ? 'wide-only' : ''} ${isDesk ? 'desk-only' : ''}`.trim()
