import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { getStartText } from '../form/cell.ts'
import { label, t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { useProgressiveRows } from '../page/progressive-rows.ts'
import type { ApiResponse } from '../service/api.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { getCellClass } from '../table/column.ts'
import { HiddenColumns, useFilledColumns } from './filled-columns.tsx'
import { Editor, type FocusMove } from './grid-editor.tsx'
import { type Edit, type GridColumn, type GridRow, Line, NO_EDITS, type RowCallbacks } from './grid-row.tsx'

export type { EditorProperties, GridColumn, GridRow } from './grid-row.tsx'

type Properties<Row> = {
  /** Metadata of the rows, with their URL: `/api/order/po-line/`. Each row is changed at its own URL below. */
  metadata: ResourceMetadata
  title: string
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  /** Whether the account can change rows; otherwise it is a read-only table. */
  canChange: boolean
  /** Receives the current row from the service. */
  onRow: (response: ApiResponse<Row>) => void
  /** Content at the end of each row, such as a delete button. */
  end?: (row: Row) => ComponentChildren
  footer?: ComponentChildren
  /** Whether another table of the page gets keys first. */
  isSecondary?: boolean
  /** A cell that opens for editing, such as the quantity of a new row. It is cleared after that. */
  editRequest?: Signal<{ pk: number; name: string } | undefined>
}

type Position = { row: number; column: number }

/**
 * Rows that are edited in place. Arrows move, Enter or typing starts an edit, Enter saves and moves down, Tab saves and moves on, Escape
 * cancels, and a second Escape leaves the grid, so that shortcuts of the page work. After a change by another user, both versions are shown.
 */
export function EditableGrid<Row extends GridRow>(properties: Properties<Row>) {
  const { metadata, title, rows, canChange, onRow, end, footer, editRequest, isSecondary } = properties
  const { columns, hiddenColumns, showAll } = useFilledColumns(properties)
  const focusPosition = useSignal<Position>({ row: 0, column: 0 })
  /** Open edits: the one with the focus, and those that are being saved or were rejected. */
  const edits = useSignal<readonly Edit[]>([])
  /** Position of the focus after the end of an edit. */
  const nextFocus = useRef<Position | undefined>(undefined)
  const ref = useRef<HTMLTableElement>(null)
  const isEditable = (column: GridColumn<Row> | undefined, row: Row | undefined) =>
    canChange && column?.edit !== undefined && row !== undefined && (column.isOpen?.(row) ?? true)
  const getPosition = (): Position => ({
    row: Math.min(focusPosition.value.row, rows.length - 1),
    column: Math.min(focusPosition.value.column, columns.length - 1),
  })
  const findEdit = (pk: number, name: string) => edits.value.find((candidate) => candidate.pk === pk && candidate.name === name)
  const findCell = ({ row, column }: Position) => ref.current?.querySelector<HTMLElement>(`[data-at="${row}-${column}"]`)
  const focusCell = (position: Position) => {
    focusPosition.value = position
    findCell(position)?.focus()
  }
  const isShown = (column: number) => {
    const cell = findCell({ row: 0, column })
    return cell === null || cell === undefined || cell.offsetParent !== null
  }
  const move = (rowsDown: number, columnsOn: number) => {
    const { row, column } = getPosition()
    let next = column + columnsOn
    while (columnsOn !== 0 && next >= 0 && next < columns.length && !isShown(next)) next += columnsOn
    focusCell({
      row: Math.min(Math.max(0, row + rowsDown), rows.length - 1),
      column: next >= 0 && next < columns.length ? next : column,
    })
  }
  const edit = (start?: string) => {
    const { row, column } = getPosition()
    if (!isEditable(columns[column], rows[row])) return
    const { pk, etag } = rows[row] as Row
    const { name } = columns[column] as GridColumn<Row>
    const open = findEdit(pk, name)
    const field = open && findCell({ row, column })?.querySelector<HTMLElement>('input, select, textarea')
    if (field) field.focus()
    // typed before the field was rendered
    else if (open && start !== undefined) open.start = (open.start ?? '') + start
    else edits.value = [...edits.value, { pk, name, start, etag }]
  }
  /** The next editable cell, in reading order. */
  const findNextEditable = (step: 1 | -1): Position | undefined => {
    const { row, column } = getPosition()
    for (let index = row * columns.length + column + step; index >= 0 && index < rows.length * columns.length; index += step) {
      const position = { row: Math.floor(index / columns.length), column: index % columns.length }
      if (isEditable(columns[position.column], rows[position.row]) && isShown(position.column)) return position
    }
    return undefined
  }
  const getNextPosition = (focusMove: FocusMove): Position => {
    const { row, column } = getPosition()
    const next = focusMove === 'on' ? findNextEditable(1) : focusMove === 'back' ? findNextEditable(-1) : undefined
    return next ?? { row: focusMove === 'down' ? Math.min(row + 1, rows.length - 1) : row, column }
  }
  const finish = (open: Edit, focusMove: FocusMove) => {
    edits.value = edits.value.filter((candidate) => candidate !== open)
    if (focusMove !== 'leave') nextFocus.current = getNextPosition(focusMove)
  }
  // the cell exists again after rendering, and gets the focus before the next key
  useLayoutEffect(() => {
    if (!nextFocus.current) return
    focusCell(nextFocus.current)
    nextFocus.current = undefined
  })
  useEffect(() => {
    const request = editRequest?.value
    if (!request) return
    const row = rows.findIndex(({ pk }) => pk === request.pk)
    const column = columns.findIndex(({ name }) => name === request.name)
    if (row < 0 || column < 0) return
    if (editRequest) editRequest.value = undefined
    focusPosition.value = { row, column }
    if (!findEdit(request.pk, request.name)) edits.value = [...edits.value, { ...request, etag: rows[row]?.etag }]
  }, [editRequest?.value, rows])
  const renderedCount = useProgressiveRows(rows.length)
  const enter = useRef(() => {})
  enter.current = () => focusCell(getPosition())
  useCommands(
    () =>
      rows.length === 0 || isSecondary
        ? []
        : [
            { keys: 'ArrowDown', label: () => t('grid.enter', { title }), run: () => enter.current(), isLocal: true },
            ...(canChange ? [{ keys: 'F2', label: () => t('grid.edit'), run: () => enter.current(), isLocal: true }] : []),
          ],
    [rows.length === 0, canChange, title],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest('.cells-editor')) return
    // links and buttons in a cell keep their own behavior
    if (event.key === 'Enter' && (event.target as Element).closest('a, button')) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => move(1, 0),
      ArrowUp: () => move(-1, 0),
      ArrowLeft: () => move(0, -1),
      ArrowRight: () => move(0, 1),
      Home: () => focusCell({ row: getPosition().row, column: 0 }),
      End: () => focusCell({ row: getPosition().row, column: columns.length - 1 }),
      Enter: () => edit(),
      F2: () => edit(),
      // leaves the grid, so that shortcuts of the page work; in a dialog, Escape closes it
      ...(ref.current?.closest('dialog') ? {} : { Escape: () => (event.target as HTMLElement).blur() }),
    }
    const column = columns[getPosition().column]
    const declaredField: FieldMetadata = metadata.fields[column?.name ?? ''] ?? { kind: 'text' }
    // typing starts the selection of an object even where its key is an integer
    const field: FieldMetadata =
      typeof column?.edit === 'function' && declaredField.kind === 'integer' ? { kind: 'text' } : declaredField
    const isNumber = column?.align === 'end' && field.kind !== 'date'
    const typed = isEditable(column, rows[getPosition().row]) ? getStartText(event, field, isNumber) : undefined
    const run = moves[event.key] ?? (typed === undefined ? undefined : () => edit(typed))
    if (!run) return
    event.preventDefault()
    run()
  }
  const callbacks = useRef<RowCallbacks<Row>>(undefined as never)
  callbacks.current = {
    focus: (row, column) => {
      focusPosition.value = { row, column }
    },
    edit: (row, column, start) => {
      focusPosition.value = { row, column }
      edit(start)
    },
    editor: (row, column, open) => (
      <Editor
        metadata={metadata}
        column={column}
        row={row}
        open={open}
        onRow={onRow}
        onMove={(focusMove) => focusCell(getNextPosition(focusMove))}
        onFinish={(focusMove) => finish(open, focusMove)}
      />
    ),
  }
  return (
    <div class="cells">
      <table ref={ref} role="grid" aria-label={title} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={getCellClass(column)}
                style={column.width ? { width: column.width } : undefined}
              >
                {(column.title ?? (() => label(column.name)))()}
              </th>
            ))}
            {end && (
              <th scope="col" class="cells-end">
                <span class="visually-hidden">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, renderedCount).map((row, rowIndex) => {
            const rowEdits = edits.value.filter(({ pk }) => pk === row.pk)
            return (
              <Line
                key={row.pk}
                row={row}
                rowIndex={rowIndex}
                focusedColumn={getPosition().row === rowIndex ? getPosition().column : -1}
                edits={rowEdits.length > 0 ? rowEdits : NO_EDITS}
                columns={columns}
                canChange={canChange}
                end={end}
                callbacks={callbacks}
              />
            )
          })}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
      {canChange && <HiddenColumns columns={hiddenColumns} onShow={showAll} />}
    </div>
  )
}
