import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { type Answer, Refusal } from './api.ts'
import { beginningOf, isElsewhere, isEmpty, isSame, rowName, tellUnsaved } from './cell.ts'
import { Confirm } from './confirm.tsx'
import { Conflict } from './edit.tsx'
import type { FieldFacts, ResourceFacts } from './facts.ts'
import { Control, type Values } from './form.tsx'
import { useGrowing } from './growing.ts'
import { useCommands } from './keys.ts'
import { choiceLabel, label, t } from './language.ts'
import { problemOf } from './limits.ts'
import { save as saveInTurn } from './saves.ts'
import { type Acts, classOf, type Edit, Line, NONE, type SheetColumn, type SheetRow } from './sheet-line.tsx'

export type { EditorProperties, SheetColumn, SheetRow } from './sheet-line.tsx'

type Properties<Row> = {
  /** Where the rows are: `/api/order/po-line/`. Each is changed at its own address below. */
  facts: ResourceFacts
  title: string
  rows: readonly Row[]
  columns: readonly SheetColumn<Row>[]
  /** Whether the account may change rows; without, it is a table. */
  mayChange: boolean
  /** Takes a row as the service has it now. */
  onRow: (answer: Answer<Row>) => void
  /** What stands at the end of each row, such as a button that deletes it. */
  end?: (row: Row) => ComponentChildren
  foot?: ComponentChildren
  /** It is not the table of its page that keys go to first. */
  isBeside?: boolean
  /** A cell that is to be edited at once, such as the quantity of a new row. It is emptied when that was done. */
  begin?: Signal<{ pk: number; name: string } | undefined>
}

type Place = { row: number; column: number }

/**
 * Rows that are edited in place. Arrows move, Enter or what is typed begins, Enter saves and goes down, Tab saves and goes on, Escape gives up, and
 * once more gives the keys back to the page.
 * A row that somebody else changed meanwhile shows both versions.
 */
export function Sheet<Row extends SheetRow>(properties: Properties<Row>) {
  const { facts, title, rows, columns, mayChange, onRow, end, foot, begin, isBeside } = properties
  const at = useSignal<Place>({ row: 0, column: 0 })
  /** Those that are open: the one that is typed in, and those that were left and are being saved, or were refused. */
  const edits = useSignal<readonly Edit[]>([])
  /** Where the focus goes when an edit has ended. */
  const wanted = useRef<Place | undefined>(undefined)
  const ref = useRef<HTMLTableElement>(null)
  const isEdited = (column: SheetColumn<Row> | undefined, row: Row | undefined) =>
    mayChange && column?.edit !== undefined && row !== undefined && (column.isOpen?.(row) ?? true)
  const here = (): Place => ({
    row: Math.min(at.value.row, rows.length - 1),
    column: Math.min(at.value.column, columns.length - 1),
  })
  const editOf = (pk: number, name: string) => edits.value.find((one) => one.pk === pk && one.name === name)
  const cellAt = ({ row, column }: Place) => ref.current?.querySelector<HTMLElement>(`[data-at="${row}-${column}"]`)
  const focusCell = (place: Place) => {
    at.value = place
    cellAt(place)?.focus()
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
    // typed before the field was drawn
    else if (open && start !== undefined) open.start = (open.start ?? '') + start
    else edits.value = [...edits.value, { pk, name, start, etag }]
  }
  /** The next cell that can be edited, in reading order. */
  const nextEdited = (step: 1 | -1): Place | undefined => {
    const { row, column } = here()
    for (let index = row * columns.length + column + step; index >= 0 && index < rows.length * columns.length; index += step) {
      const place = { row: Math.floor(index / columns.length), column: index % columns.length }
      if (isEdited(columns[place.column], rows[place.row]) && isShown(place.column)) return place
    }
    return undefined
  }
  const placeAfter = (then: Then): Place => {
    const { row, column } = here()
    const next = then === 'on' ? nextEdited(1) : then === 'back' ? nextEdited(-1) : undefined
    return next ?? { row: then === 'down' ? Math.min(row + 1, rows.length - 1) : row, column }
  }
  const finish = (open: Edit, then: Then) => {
    edits.value = edits.value.filter((one) => one !== open)
    if (then !== 'leave') wanted.current = placeAfter(then)
  }
  // the cell is there again once it is drawn, and has the focus before the next key
  useLayoutEffect(() => {
    if (!wanted.current) return
    focusCell(wanted.current)
    wanted.current = undefined
  })
  useEffect(() => {
    const started = begin?.value
    if (!started) return
    const row = rows.findIndex(({ pk }) => pk === started.pk)
    const column = columns.findIndex(({ name }) => name === started.name)
    if (row < 0 || column < 0) return
    if (begin) begin.value = undefined
    at.value = { row, column }
    if (!editOf(started.pk, started.name)) edits.value = [...edits.value, { ...started, etag: rows[row]?.etag }]
  }, [begin?.value, rows])
  const drawn = useGrowing(rows.length)
  const enter = useRef(() => {})
  enter.current = () => focusCell(here())
  useCommands(
    () =>
      rows.length === 0 || isBeside
        ? []
        : [
            { keys: 'ArrowDown', label: () => t('sheet.enter', { title }), run: () => enter.current(), isLocal: true },
            ...(mayChange ? [{ keys: 'F2', label: () => t('sheet.edit'), run: () => enter.current(), isLocal: true }] : []),
          ],
    [rows.length === 0, mayChange, title],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest('.cells-editor')) return
    // links and buttons in a cell do what they do
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
      // the keys of the page are its own again; a window is closed by it
      ...(ref.current?.closest('dialog') ? {} : { Escape: () => (event.target as HTMLElement).blur() }),
    }
    const column = columns[here().column]
    const field: FieldFacts = facts.fields[column?.name ?? ''] ?? { kind: 'text' }
    const isNumber = column?.align === 'end' && field.kind !== 'date'
    const typed = isEdited(column, rows[here().row]) ? beginningOf(event, field, isNumber) : undefined
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
        facts={facts}
        column={column}
        row={row}
        open={open}
        onRow={onRow}
        onGo={(then) => focusCell(placeAfter(then))}
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
                hereAt={here().row === rowAt ? here().column : -1}
                edits={own.length > 0 ? own : NONE}
                columns={columns}
                mayChange={mayChange}
                end={end}
                acts={acts}
              />
            )
          })}
        </tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  )
}

/** Where the focus goes from a cell whose edit has ended; `leave`: it is elsewhere already. */
type Then = 'down' | 'on' | 'back' | 'stay' | 'leave'

type CellProperties<Row> = {
  facts: ResourceFacts
  column: SheetColumn<Row>
  row: Row
  open: Edit
  onRow: (answer: Answer<Row>) => void
  /** Moves the focus on, while the cell stays open for what becomes of its save. */
  onGo: (then: Then) => void
  onFinish: (then: Then) => void
}

/** A cell while it is edited. */
function Editor<Row extends SheetRow>({ facts, column, row, open, onRow, onGo, onFinish }: CellProperties<Row>) {
  const { name, edit, along, title = () => label(name) } = column
  const field = facts.fields[name] ?? ({ kind: 'text' } as FieldFacts)
  const { start } = open
  /** As the edit began with it: the row may be read again meanwhile. */
  const before = useRef((row as Values)[name])
  const isNumber = column.align === 'end' && field.kind !== 'date'
  const value = useSignal<unknown>(start ?? (isNumber && !isEmpty(before.current) ? plain(before.current) : before.current))
  const problem = useSignal<string | undefined>(undefined)
  const conflict = useSignal<{ mine: Values; theirs: Answer<Row> } | undefined>(undefined)
  /** Both versions are shown. Whoever types elsewhere is not interrupted, and sees them on coming back. */
  const isComparing = useSignal(false)
  /** What is asked before it is saved, and what is saved then. */
  const doubt = useSignal<{ text: string; body: Values; then: Then } | undefined>(undefined)
  const isBusy = useRef(false)
  /** The field loses the focus once more when it goes. */
  const isOver = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  const end = (then: Then) => {
    isOver.current = true
    onFinish(ref.current?.contains(document.activeElement) ? then : 'leave')
  }
  useLayoutEffect(() => {
    const input = ref.current?.querySelector<HTMLInputElement>('input, select, textarea')
    input?.focus()
    if (start === undefined) input?.select?.()
    // a field of another kind takes it as if it was typed there
    else if (typeof edit === 'function') document.execCommand('insertText', false, start)
  }, [])
  async function save(body: Values, then: Then, etag = open.etag): Promise<void> {
    if (isBusy.current || isOver.current) return
    isBusy.current = true
    const called = rowName(ref.current)
    const sent = value.value
    /** Says why it was not saved: in the cell, and beside it to whoever is not there any more. */
    const refuse = (text: string) => {
      const cell = ref.current
      problem.value = text
      if (!cell?.isConnected || isElsewhere(cell)) tellUnsaved(called, title(), body[name], text)
      else cell.querySelector('input')?.focus()
    }
    try {
      const done = await saveInTurn<Row>(`${facts.path}${row.pk}/`, { ...body, ...along }, etag)
      if ('conflict' in done) {
        conflict.value = { mine: body, theirs: done.conflict }
        if (ref.current?.isConnected && !isElsewhere(ref.current)) isComparing.value = true
        else refuse(t('conflict.title'))
        return
      }
      if (value.value === sent) end(then)
      else goOn(done.saved)
      onRow(done.saved)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(error.status === 0 ? t('unreachable') : (error.fields[name]?.join(' ') ?? error.message))
    } finally {
      isBusy.current = false
    }
  }
  /** What was typed while the save was under way is the next one. */
  const goOn = ({ body, etag }: Answer<Row>) => {
    before.current = (body as Values)[name]
    open.etag = etag
    isBusy.current = false
    if (!ref.current?.contains(document.activeElement)) submit('leave')
  }
  const submit = (then: Then) => {
    if (conflict.value || doubt.value || isOver.current) return
    const given = value.value
    if (isSame(given, before.current, isNumber)) return end(then)
    const wrong = problemOf(isNumber && field.kind === 'text' ? { ...field, kind: 'number' } : field, given)
    if (wrong !== undefined) {
      problem.value = wrong
      if (then === 'leave') tellUnsaved(rowName(ref.current), title(), given, wrong)
      return
    }
    const body = { [name]: given === '' && field.isNullable ? null : given }
    const text = column.doubt?.(row, given)
    if (text !== undefined) {
      // whoever types elsewhere already is not interrupted, but told, and asked on saving it
      if (then !== 'leave') doubt.value = { text, body, then }
      else {
        problem.value = text
        tellUnsaved(rowName(ref.current), title(), given, text)
      }
      return
    }
    // The focus does not wait for the answer: what is typed next is for the next cell. A cell that loses it is saved.
    if (then !== 'leave') onGo(then)
    save(body, then)
  }
  return (
    <div
      class="cells-editor"
      ref={ref}
      onFocusIn={() => {
        if (conflict.value && !isBusy.current) isComparing.value = true
      }}
    >
      {typeof edit === 'function' ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the field in it
        <div
          onKeyDown={(event) => {
            // what the field itself uses does not come here
            if (event.defaultPrevented) return
            event.stopPropagation()
            if (event.key === 'Escape' || event.key === 'Enter') {
              event.preventDefault()
              end('stay')
            }
          }}
          onFocusOut={(event) => {
            if (
              !ref.current?.contains(event.relatedTarget as Node | null) &&
              !isBusy.current &&
              !problem.value &&
              !isOver.current
            )
              end('leave')
          }}
        >
          {edit({ row, start, save: (body) => save(body, 'on'), cancel: () => end('stay') })}
        </div>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the field in it
        <div
          onKeyDown={(event) => {
            if (event.isComposing) return
            event.stopPropagation()
            const then = event.key === 'Enter' ? 'down' : event.key === 'Tab' ? (event.shiftKey ? 'back' : 'on') : undefined
            if (event.key === 'Escape') end('stay')
            else if (then) submit(then)
            else return
            event.preventDefault()
          }}
          onFocusOut={(event) => {
            if (!ref.current?.contains(event.relatedTarget as Node | null) && !problem.value) submit('leave')
          }}
        >
          <Control
            facts={isNumber ? { ...field, kind: 'number', choices: undefined } : field}
            value={value.value}
            word={(choice) => choiceLabel(facts.path, name, choice)}
            onValue={(given) => {
              value.value = given
              problem.value = undefined
            }}
            attributes={{
              'aria-label': title(),
              'aria-invalid': problem.value ? true : undefined,
              autocomplete: 'off',
            }}
          />
        </div>
      )}
      {problem.value && (
        <p class="cells-problem" role="alert">
          {problem.value}
        </p>
      )}
      {doubt.value && (
        <Confirm
          title={doubt.value.text}
          button={t('doubt.meant')}
          keep={t('doubt.back')}
          onConfirm={async () => {
            const { body, then } = doubt.value as NonNullable<typeof doubt.value>
            doubt.value = undefined
            await save(body, then)
          }}
          onClose={() => {
            doubt.value = undefined
          }}
        />
      )}
      {conflict.value && isComparing.value && (
        <Conflict
          mine={conflict.value.mine}
          theirs={conflict.value.theirs.body as Values}
          onTheirs={() => {
            const { theirs } = conflict.value as { theirs: Answer<Row> }
            end('stay')
            onRow(theirs)
          }}
          onMine={() => {
            const { mine, theirs } = conflict.value as { mine: Values; theirs: Answer<Row> }
            conflict.value = undefined
            isComparing.value = false
            problem.value = undefined
            save(mine, 'down', theirs.etag)
          }}
          onClose={() => {
            conflict.value = undefined
            isComparing.value = false
            end('stay')
          }}
        />
      )}
    </div>
  )
}

/** A number without the zeros behind it: `12.500000` is edited as `12.5`. */
const plain = (value: unknown): string =>
  String(value)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
