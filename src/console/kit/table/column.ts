import type { ComponentChildren } from 'preact'

/** A column of a table. */
export type Column<Row> = {
  /** Name in the URL; by default also its field, and its order. */
  name: string
  /** Column header; by default the label of its field. */
  title?: () => string
  cell: (row: Row) => ComponentChildren
  /** Sort field if it is not the name; null if it cannot be sorted. */
  order?: string | null
  /** Alignment at the end, as for numbers. */
  align?: 'end'
  /** CSS width, such as `12rem`. Columns without one share the rest. */
  width?: string
  /** Whether it is shown only when the user selects it. */
  isExtra?: boolean
  /** Whether it is hidden in narrow windows, as on a phone. */
  isWide?: boolean
}

/** CSS classes of a column's cell, in tables and grids. */
export const getCellClass = ({ align, isWide, isDesk }: { align?: 'end'; isWide?: boolean; isDesk?: boolean }): string =>
  `${align === 'end' ? 'end' : ''} ${isWide ? 'wide-only' : ''} ${isDesk ? 'desk-only' : ''}`.trim()
