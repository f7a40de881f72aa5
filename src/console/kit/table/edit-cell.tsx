import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { getRowName, getStartText, isFocusElsewhere, isSame, reportUnsaved } from '../form/cell.ts'
import { choiceText } from '../form/choice-text.ts'
import { Conflict } from '../form/edit.tsx'
import { Control, type Values } from '../form/form.tsx'
import { label, t } from '../language/language.ts'
import { ApiError, type ApiResponse } from '../service/api.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { findProblem } from '../service/limits.ts'
import { save as saveInTurn } from '../service/saves.ts'

type Properties<Row> = {
  metadata: ResourceMetadata
  /** The edited field. */
  name: string
  /** The row with its version: its list is read with `etag: 'true'`. */
  row: Row
  /** Called with the saved object, or with the one that another user has saved in the meantime. */
  onSaved: (response: ApiResponse<Row>) => void
  /** Content while it is not edited. */
  children: ComponentChildren
  align?: 'end'
}

/**
 * A table value that is edited in place, as in a grid: Enter starts the edit, saves and moves down, Tab saves and moves to the next,
 * Escape cancels. If another user has saved first, both values are shown.
 */
export function EditCell<Row extends { pk: number; etag?: string }>(properties: Properties<Row>) {
  const { metadata, name, row, onSaved, children, align } = properties
  const url = `${metadata.path}${row.pk}/`
  const field = metadata.fields[name] ?? { kind: 'text' }
  const isNumber = field.kind === 'integer' || field.kind === 'number'
  const isEditing = useSignal(false)
  /** The row at the start of the edit: it may be reloaded during it. */
  const start = useRef<{ before: unknown; etag?: string }>({ before: undefined })
  const value = useSignal<unknown>(undefined)
  const error = useSignal<string | undefined>(undefined)
  const conflict = useSignal<ApiResponse<Row> | undefined>(undefined)
  /** Whether both versions are shown. A user who types elsewhere is not interrupted, and sees them on returning. */
  const isComparing = useSignal(false)
  const isBusy = useRef(false)
  /** Whether typing started it. */
  const isTyped = useRef(false)
  const ref = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (!isEditing.value) return
    const control = ref.current?.querySelector<HTMLInputElement>('input, select, textarea')
    control?.focus()
    if (control?.type === 'text' && !isTyped.current) control.select()
  }, [isEditing.value])

  function begin(typed?: string): void {
    if (isEditing.value) {
      // typed before the field was rendered
      value.value = `${value.value ?? ''}${typed ?? ''}`
      return
    }
    const before = (row as Values)[name]
    start.current = { before, etag: row.etag }
    isTyped.current = typed !== undefined
    value.value = typed ?? before
    error.value = undefined
    isEditing.value = true
  }
  const stopEditing = () => {
    isEditing.value = false
    error.value = undefined
  }
  /** @param isLeft whether the focus moved elsewhere @returns whether the cell may be left */
  async function save(isLeft = false): Promise<boolean> {
    if (isBusy.current) return false
    const newValue = value.value
    if (isSame(newValue, start.current.before, isNumber)) {
      stopEditing()
      return true
    }
    const foundProblem = findProblem(field, newValue)
    if (foundProblem !== undefined) {
      if (isLeft) reportUnsaved(getRowName(ref.current), label(name), newValue, foundProblem)
      error.value = foundProblem
      return false
    }
    isBusy.current = true
    const rowLabel = getRowName(ref.current)
    /** Reports the reason why the value was not saved: in the cell, and in a toast if the user has left it. */
    const reportError = (text: string) => {
      error.value = text
      if (!ref.current?.isConnected || isFocusElsewhere(ref.current)) reportUnsaved(rowLabel, label(name), newValue, text)
    }
    try {
      const result = await saveInTurn<Row>(url, { [name]: newValue }, start.current.etag)
      if ('conflict' in result) {
        conflict.value = result.conflict
        if (ref.current?.isConnected && !isFocusElsewhere(ref.current)) isComparing.value = true
        else reportError(t('conflict.title'))
        return false
      }
      const isDone = value.value === newValue
      if (isDone) stopEditing()
      // text typed during the pending save is saved next
      else start.current = { before: (result.saved.body as Values)[name], etag: result.saved.etag }
      onSaved(result.saved)
      return isDone
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason
      reportError(reason.fields[name]?.join(' ') ?? reason.message)
      return false
    } finally {
      isBusy.current = false
    }
  }
  /** Moves to the same column of another row, or to another cell, that can be edited. */
  async function moveOn(
    next: (cells: HTMLElement[], index: number) => HTMLElement | undefined,
    isOpened: boolean,
  ): Promise<void> {
    const currentCell = ref.current
    if (!currentCell || !(await save())) return
    const cells = [...(currentCell.closest('table')?.querySelectorAll<HTMLElement>('.edit-cell') ?? [])]
    const button = (next(cells, cells.indexOf(currentCell)) ?? currentCell).querySelector('button')
    // the button of this cell exists after rendering
    requestAnimationFrame(() => {
      const target = button ?? currentCell.querySelector('button')
      target?.focus()
      if (isOpened && button) button.click()
    })
  }
  const findBelow = (cells: HTMLElement[], index: number) => cells.slice(index + 1).find((cell) => cell.dataset.name === name)

  return (
    <div ref={ref} class={align === 'end' ? 'edit-cell end' : 'edit-cell'} data-name={name}>
      {isEditing.value ? (
        <Control
          metadata={field}
          value={value.value}
          choiceText={(choice) => choiceText(metadata.path, name, choice)}
          onValue={(newValue) => {
            value.value = newValue
          }}
          attributes={{
            'aria-label': label(name),
            'aria-invalid': error.value ? true : undefined,
            'aria-describedby': error.value ? id : undefined,
            onBlur: () => {
              if (!conflict.value && isEditing.value) save(true)
            },
            onFocus: () => {
              if (conflict.value && !isBusy.current) isComparing.value = true
            },
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key === 'Escape') {
                event.stopPropagation()
                stopEditing()
              } else if (event.key === 'Enter' && !event.shiftKey) {
                event.preventDefault()
                moveOn(findBelow, false)
              } else if (event.key === 'Tab') {
                event.preventDefault()
                moveOn((cells, index) => cells[index + (event.shiftKey ? -1 : 1)], true)
              }
            },
          }}
        />
      ) : (
        <button
          type="button"
          onClick={() => begin()}
          onKeyDown={(event) => {
            // leaves the cell, so that shortcuts of the page work; in a dialog, Escape closes it
            if (event.key === 'Escape' && !ref.current?.closest('dialog')) event.currentTarget.blur()
            const typed = getStartText(event, field, isNumber)
            if (typed === undefined) return
            event.preventDefault()
            begin(typed.replace(',', '.'))
          }}
          title={t('edit')}
        >
          {children}
          <span class="visually-hidden">
            {t('edit')}: {label(name)}
          </span>
        </button>
      )}
      {error.value && (
        <p class="error" id={id} role="alert">
          {error.value}
        </p>
      )}
      {conflict.value && isComparing.value && (
        <Conflict
          mine={{ [name]: value.value }}
          theirs={conflict.value.body as Values}
          onMine={() => {
            start.current.etag = conflict.value?.etag
            conflict.value = undefined
            isComparing.value = false
            save()
          }}
          onTheirs={() => {
            const theirs = conflict.value as ApiResponse<Row>
            conflict.value = undefined
            isComparing.value = false
            stopEditing()
            onSaved(theirs)
          }}
          onClose={() => {
            conflict.value = undefined
            isComparing.value = false
          }}
        />
      )}
    </div>
  )
}
