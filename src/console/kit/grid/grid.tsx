import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { startOf } from '../form/cell.ts'
import { label, t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { useProgressiveRows } from '../page/progressive-rows.ts'
import type { ApiResponse } from '../service/api.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { Editor, type Then } from './grid-editor.tsx'
import { type Acts, classOf, type Edit, Line, NO_EDITS, type SheetColumn, type SheetRow } from './grid-row.tsx'

export type { EditorProperties, SheetColumn, SheetRow } from './grid-row.tsx'

type Properties<Row> = {
  /** Metadata of the rows, with their address: `/api/order/po-line/`. Each row is changed at its own address below. */
  metadata: ResourceMetadata
  title: string
  rows: readonly Row[]
  columns: readonly SheetColumn<Row>[]
  /** Whether the account may change rows; otherwise it is a read-only table. */
  mayChange: boolean
  /** Receives the current row from the service. */
  onRow: (answer: ApiResponse<Row>) => void
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
 * cancels, and a second Escape gives shortcuts back to the page. A row that another user changed in the meantime shows both versions.
 */
export function Sheet<Row extends SheetRow>(properties: Properties<Row>) {
  const { metadata, title, rows, columns, mayChange, onRow, end, footer, editRequest, isSecondary } = properties
  const at = useSignal<Position>({ row: 0, column: 0 })
  /** Open edits: the one with the focus, and those that are being saved or were rejected. */
  const edits = useSignal<readonly Edit[]>([])
  /** Position of the focus after the end of an edit. */
  const nextFocus = useRef<Position | undefined>(undefined)
  const ref = useRef<HTMLTableElement>(null)
  const isEdited = (column: SheetColumn<Row> | undefined, row: Row | undefined) =>
    mayChange && column?.edit !== undefined && row !== undefined && (column.isOpen?.(row) ?? true)
  const here = (): Position => ({
    row: Math.min(at.value.row, rows.length - 1),
    column: Math.min(at.value.column, columns.length - 1),
  })
  const editOf = (pk: number, name: string) => edits.value.find((one) => one.pk === pk && one.name === name)
  const cellAt = ({ row, column }: Position) => ref.current?.querySelector<HTMLElement>(`[data-at="${row}-${column}"]`)
  const focusCell = (position: Position) => {
    at.value = position
    cellAt(position)?.focus()
  }
  const isShown = (column: number) => {
    const cell = cellAt({ row: 0, column })
    return cell === null || cell === undefined || cell.offsetParent !== null
  }
  const move = (rowsDown: number, columnsOn: number) => {
    const { row, column } = here()
    let next = column + columnsOn
    while (columnsOn !== 0 && next >= 0 && next < columns.length && !isShown(next)) next += columnsOn
    focusCell({
      row: Math.min(Math.max(0, row + rowsDown), rows.length - 1),
      column: next >= 0 && next < columns.length ? next : column,
    })
  }
  const edit = (start?: string) => {
    const { row, column } = here()
    if (!isEdited(columns[column], rows[row])) return
    const { pk, etag } = rows[row] as Row
    const { name } = columns[column] as SheetColumn<Row>
    const open = editOf(pk, name)
    const field = open && cellAt({ row, column })?.querySelector<HTMLElement>('input, select, textarea')
    if (field) field.focus()
    // typed before the field was rendered
    else if (open && start !== undefined) open.start = (open.start ?? '') + start
    else edits.value = [...edits.value, { pk, name, start, etag }]
  }
  /** The next editable cell, in reading order. */
  const nextEdited = (step: 1 | -1): Position | undefined => {
    const { row, column } = here()
    for (let index = row * columns.length + column + step; index >= 0 && index < rows.length * columns.length; index += step) {
      const position = { row: Math.floor(index / columns.length), column: index % columns.length }
      if (isEdited(columns[position.column], rows[position.row]) && isShown(position.column)) return position
    }
    return undefined
  }
  const placeAfter = (then: Then): Position => {
    const { row, column } = here()
    const next = then === 'on' ? nextEdited(1) : then === 'back' ? nextEdited(-1) : undefined
    return next ?? { row: then === 'down' ? Math.min(row + 1, rows.length - 1) : row, column }
  }
  const finish = (open: Edit, then: Then) => {
    edits.value = edits.value.filter((one) => one !== open)
    if (then !== 'leave') nextFocus.current = placeAfter(then)
  }
  // the cell exists again after rendering, and gets the focus before the next key
  useLayoutEffect(() => {
    if (!nextFocus.current) return
    focusCell(nextFocus.current)
    nextFocus.current = undefined
  })
  useEffect(() => {
    const started = editRequest?.value
    if (!started) return
    const row = rows.findIndex(({ pk }) => pk === started.pk)
    const column = columns.findIndex(({ name }) => name === started.name)
    if (row < 0 || column < 0) return
    if (editRequest) editRequest.value = undefined
    at.value = { row, column }
    if (!editOf(started.pk, started.name)) edits.value = [...edits.value, { ...started, etag: rows[row]?.etag }]
  }, [editRequest?.value, rows])
  const drawn = useProgressiveRows(rows.length)
  const enter = useRef(() => {})
  enter.current = () => focusCell(here())
  useCommands(
    () =>
      rows.length === 0 || isSecondary
        ? []
        : [
            { keys: 'ArrowDown', label: () => t('sheet.enter', { title }), run: () => enter.current(), isLocal: true },
            ...(mayChange ? [{ keys: 'F2', label: () => t('sheet.edit'), run: () => enter.current(), isLocal: true }] : []),
          ],
    [rows.length === 0, mayChange, title],
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
      Home: () => focusCell({ row: here().row, column: 0 }),
      End: () => focusCell({ row: here().row, column: columns.length - 1 }),
      Enter: () => edit(),
      F2: () => edit(),
      // gives shortcuts back to the page; in a window Escape closes it
      ...(ref.current?.closest('dialog') ? {} : { Escape: () => (event.target as HTMLElement).blur() }),
    }
    const column = columns[here().column]
    const declaredField: FieldMetadata = metadata.fields[column?.name ?? ''] ?? { kind: 'text' }
    // an object is selected by letters of its name, whatever the type of its key
    const field: FieldMetadata =
      typeof column?.edit === 'function' && declaredField.kind === 'integer' ? { kind: 'text' } : declaredField
    const isNumber = column?.align === 'end' && field.kind !== 'date'
    const typed = isEdited(column, rows[here().row]) ? startOf(event, field, isNumber) : undefined
    const run = moves[event.key] ?? (typed === undefined ? undefined : () => edit(typed))
    if (!run) return
    event.preventDefault()
    run()
  }
  const acts = useRef<Acts<Row>>(undefined as never)
  acts.current = {
    focus: (row, column) => {
      at.value = { row, column }
    },
    edit: (row, column, start) => {
      at.value = { row, column }
      edit(start)
    },
    editor: (row, column, open) => (
      <Editor
        metadata={metadata}
        column={column}
        row={row}
        open={open}
        onRow={onRow}
        onMove={(then) => focusCell(placeAfter(then))}
        onFinish={(then) => finish(open, then)}
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
                class={classOf(column)}
                style={column.width ? { width: column.width } : undefined}
              >
                {(column.title ?? (() => label(column.name)))()}
              </th>
            ))}
            {end && (
              <th scope="col" class="cells-end">
                <span class="unseen">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, drawn).map((row, rowAt) => {
            const own = edits.value.filter(({ pk }) => pk === row.pk)
            return (
              <Line
                key={row.pk}
                row={row}
                rowAt={rowAt}
                focusedColumn={here().row === rowAt ? here().column : -1}
                edits={own.length > 0 ? own : NO_EDITS}
                columns={columns}
                mayChange={mayChange}
                end={end}
                acts={acts}
              />
            )
          })}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  )
}
