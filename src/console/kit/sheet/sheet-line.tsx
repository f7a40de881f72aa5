import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Values } from '../form/form.tsx'
import { language } from '../language/language.ts'

/** A row of a sheet, with the version that its edit begins with (`?etag=true`). */
export type SheetRow = { pk: number; etag?: string }

/** What an editor of its own is given: it saves, or gives up. `start` is what was typed to begin it, or the `data-start` of what was pressed. */
export type EditorProperties<Row> = { row: Row; start?: string; save: (body: Values) => void; cancel: () => void }

/** A column of a sheet. */
export type SheetColumn<Row> = {
  /** The field. */
  name: string
  title?: () => string
  cell: (row: Row) => ComponentChildren
  align?: 'end'
  width?: string
  /** It is left out where there is little room, as on a phone. */
  isWide?: boolean
  /** It is left out where there is less room than on a desk. */
  isDesk?: boolean
  /** It is edited in place: as its kind of value is, or by an editor of its own. */
  edit?: true | ((properties: EditorProperties<Row>) => ComponentChildren)
  /** Whether it can be edited in this row; by default it can. */
  isOpen?: (row: Row) => boolean
  /** What is asked before it is saved, such as about a quantity that is more than needed. */
  doubt?: (row: Row, given: unknown) => string | undefined
  /** What its change sends beside it, which may rest on what is given. */
  along?: Values | ((row: Row, given: unknown) => Promise<Values>)
  /** Is told what a change of it made of the row, which may be more than the cell. */
  onSaved?: (before: Row, after: Row) => void
}

/** The edit of a cell: another object each time that one begins. It stays until it is saved, or given up, also when the cell is left. */
export type Edit = {
  pk: number
  name: string
  /** What was typed to begin it, or the `data-start` of what was pressed. */
  start?: string
  /** The version of the row that it begins with. */
  etag?: string
}

/** No cell of a row is open. */
export const NONE: readonly Edit[] = []

/** What a row asks of its sheet. */
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
  /** Which of its cells is the one that keys go to; -1 for none. */
  hereAt: number
  edits: readonly Edit[]
  acts: { readonly current: Acts<Row> }
}

/**
 * A row. It is drawn anew when something of it changes: of a thousand rows a key changes two. For that `columns` and `end` of its sheet stay
 * the same from one time to the next.
 */
export function Line<Row extends SheetRow>({ row, rowAt, hereAt, edits, columns, mayChange, end, acts }: LineProperties<Row>) {
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
            tabIndex={hereAt === columnAt && !open ? 0 : -1}
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
  return useMemo(drawn, [row, rowAt, hereAt, edits, columns, mayChange, end, language.value])
}

/** How a cell of a column is drawn. */
export const classOf = ({ align, isWide, isDesk }: { align?: 'end'; isWide?: boolean; isDesk?: boolean }): string =>
  `${align === 'end' ? 'end' : ''} ${isWide ? 'wide-only' : ''} ${isDesk ? 'desk-only' : ''}`.trim()
