import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { getRowName, isEmpty, isFocusElsewhere, isSame, reportUnsaved } from '../form/cell.ts'
import { choiceText } from '../form/choice-text.ts'
import { useConfirmQuantity } from '../form/confirm-quantity.tsx'
import { Conflict } from '../form/edit.tsx'
import { Control, type Values } from '../form/form.tsx'
import { label, t } from '../language/language.ts'
import { replayKeys } from '../navigation/type-ahead.ts'
import { ApiError, type ApiResponse, withQuery } from '../service/api.ts'
import type { FieldMetadata, ResourceMetadata } from '../service/field-metadata.ts'
import { findProblem } from '../service/limits.ts'
import { save as saveInTurn } from '../service/saves.ts'
import type { Edit, GridColumn, GridRow } from './grid-row.tsx'

/** The direction in which the focus moves after the edit of a cell; `leave`: it is already elsewhere. */
export type FocusMove = 'down' | 'on' | 'back' | 'stay' | 'leave'

type CellProperties<Row> = {
  metadata: ResourceMetadata
  column: GridColumn<Row>
  row: Row
  open: Edit
  onRow: (response: ApiResponse<Row>) => void
  /** Moves the focus, while the cell stays open for the result of its save. */
  onMove: (move: FocusMove) => void
  onFinish: (move: FocusMove) => void
}

/** A cell of a grid in edit mode. */
export function Editor<Row extends GridRow>({ metadata, column, row, open, onRow, onMove, onFinish }: CellProperties<Row>) {
  const { name, edit, relatedValues, title = () => label(name) } = column
  const field = metadata.fields[name] ?? ({ kind: 'text' } as FieldMetadata)
  const { start } = open
  /** Value at the start of the edit: the row may be reloaded during it. */
  const before = useRef((row as Values)[name])
  const isNumber = column.align === 'end' && field.kind !== 'date'
  const value = useSignal<unknown>(
    start ?? (isNumber && !isEmpty(before.current) ? toPlainNumber(before.current) : before.current),
  )
  const problem = useSignal<string | undefined>(undefined)
  const conflict = useSignal<{ mine: Values; theirs: ApiResponse<Row> } | undefined>(undefined)
  /** Whether both versions are shown. A user who types elsewhere is not interrupted, and sees them on returning. */
  const isComparing = useSignal(false)
  const confirmQuantity = useConfirmQuantity()
  const isBusy = useRef(false)
  /** Whether the edit is over: the field fires blur once more when it is removed. */
  const isOver = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  const end = (move: FocusMove) => {
    isOver.current = true
    onFinish(ref.current?.contains(document.activeElement) ? move : 'leave')
  }
  useLayoutEffect(() => {
    const input = ref.current?.querySelector<HTMLInputElement>('input, select, textarea')
    input?.focus()
    if (start === undefined) input?.select?.()
    // another kind of field receives it as if it was typed there
    else if (typeof edit === 'function') document.execCommand('insertText', false, start)
    replayKeys()
  }, [])
  async function save(body: Values, move: FocusMove, etag = open.etag): Promise<void> {
    if (isBusy.current || isOver.current) return
    isBusy.current = true
    const rowLabel = getRowName(ref.current)
    const sentValue = value.value
    /** Reports the reason why the value was not saved: in the cell, and in a toast if the user has left it. */
    const reportError = (text: string) => {
      const cell = ref.current
      problem.value = text
      if (!cell?.isConnected || isFocusElsewhere(cell)) reportUnsaved(rowLabel, title(), body[name], text)
      else cell.querySelector('input')?.focus()
    }
    try {
      const extraValues = typeof relatedValues === 'function' ? await relatedValues(row, body[name]) : relatedValues
      const result = await saveInTurn<Row>(
        withQuery(`${metadata.path}${row.pk}/`, column.flag ? { [column.flag]: true } : {}),
        { ...body, ...extraValues },
        etag,
      )
      if ('conflict' in result) {
        conflict.value = { mine: body, theirs: result.conflict }
        if (ref.current?.isConnected && !isFocusElsewhere(ref.current)) isComparing.value = true
        else reportError(t('conflict.title'))
        return
      }
      if (value.value === sentValue) end(move)
      else continueEdit(result.saved)
      onRow(result.saved)
      column.onSaved?.(row, result.saved.body)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      reportError(error.fields[name]?.join(' ') ?? error.message)
    } finally {
      isBusy.current = false
    }
  }
  /** Continues with the text that was typed while the save was pending. */
  const continueEdit = ({ body, etag }: ApiResponse<Row>) => {
    before.current = (body as Values)[name]
    open.etag = etag
    isBusy.current = false
    if (!ref.current?.contains(document.activeElement)) submit('leave')
  }
  const submit = (move: FocusMove) => {
    if (conflict.value || confirmQuantity.isOpen() || isOver.current) return
    const newValue = value.value
    if (isSame(newValue, before.current, isNumber)) return end(move)
    const foundProblem = findProblem(isNumber && field.kind === 'text' ? { ...field, kind: 'number' } : field, newValue)
    if (foundProblem !== undefined) {
      problem.value = foundProblem
      if (move === 'leave') reportUnsaved(getRowName(ref.current), title(), newValue, foundProblem)
      return
    }
    const body = { [name]: newValue === '' && field.isNullable ? null : newValue }
    const text = column.getWarning?.(row, newValue)
    if (text !== undefined) {
      // a user who already types elsewhere gets a toast instead of a dialog; the dialog appears when the cell is saved again
      if (move !== 'leave') confirmQuantity.before(text, () => save(body, move))
      else {
        problem.value = text
        reportUnsaved(getRowName(ref.current), title(), newValue, text)
      }
      return
    }
    // The focus does not wait for the response: the next keys are for the next cell. A cell that loses the focus is saved.
    if (move !== 'leave') onMove(move)
    save(body, move)
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
        // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the field inside it
        <div
          onKeyDown={(event) => {
            // keys that the field itself uses are already handled
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
        // biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the field inside it
        <div
          onKeyDown={(event) => {
            if (event.isComposing) return
            event.stopPropagation()
            const move = event.key === 'Enter' ? 'down' : event.key === 'Tab' ? (event.shiftKey ? 'back' : 'on') : undefined
            if (event.key === 'Escape') end('stay')
            else if (move) submit(move)
            else return
            event.preventDefault()
          }}
          onFocusOut={(event) => {
            if (!ref.current?.contains(event.relatedTarget as Node | null) && !problem.value) submit('leave')
          }}
        >
          <Control
            metadata={isNumber ? { ...field, kind: 'number', choices: undefined } : field}
            value={value.value}
            choiceText={(choice) => choiceText(metadata.path, name, choice)}
            onValue={(newValue) => {
              value.value = newValue
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
      {confirmQuantity.dialog}
      {conflict.value && isComparing.value && (
        <Conflict
          mine={conflict.value.mine}
          theirs={conflict.value.theirs.body as Values}
          onTheirs={() => {
            const { theirs } = conflict.value as { theirs: ApiResponse<Row> }
            end('stay')
            onRow(theirs)
          }}
          onMine={() => {
            const { mine, theirs } = conflict.value as { mine: Values; theirs: ApiResponse<Row> }
            conflict.value = undefined
            isComparing.value = false
            problem.value = undefined
            save(mine, 'down', theirs.etag)
          }}
          onClose={() => {
            const { theirs } = conflict.value as { theirs: ApiResponse<Row> }
            conflict.value = undefined
            isComparing.value = false
            end('stay')
            // the input is discarded, and the version saved by the other user is shown
            onRow(theirs)
          }}
        />
      )}
    </div>
  )
}

/** A number without trailing zeros: `12.500000` is edited as `12.5`. */
const toPlainNumber = (value: unknown): string =>
  String(value)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
