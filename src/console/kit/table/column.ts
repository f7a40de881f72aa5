import type { ComponentChildren } from 'preact'

/** A column of a table. */
export type Column<Row> = {
  /** What it is called in the address; by default also its field, and its order. */
  name: string
  /** What stands over it; by default the word for its field. */
  title?: () => string
  cell: (row: Row) => ComponentChildren
  /** What the list is ordered by where not by its name; null for nothing. */
  order?: string | null
  /** Numbers stand at the end. */
  align?: 'end'
  /** As CSS has it, such as `12rem`. The rest is shared by columns without one. */
  width?: string
  /** It is shown only when somebody chooses it. */
  isExtra?: boolean
  /** It is left out where there is little room, as on a phone. */
  isWide?: boolean
}

/** How a cell of a column is drawn. */
export const classOf = <Row>({ align, isWide }: Pick<Column<Row>, 'align' | 'isWide'>): string =>
  `${align === 'end' ? 'end' : ''} ${isWide ? 'wide-only' : ''}`.trim()
