import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Confirm } from '../form/confirm.tsx'
import type { Values } from '../form/form.tsx'
import { t } from '../language/language.ts'
import { bufferKeys, dropKeys } from '../navigation/type-ahead.ts'
import { Icon } from '../page/icon.tsx'
import { attempt, showToast } from '../page/toast.tsx'
import { type ApiResponse, post } from '../service/api.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { remove } from '../service/saves.ts'
import { EditableGrid, type GridColumn, type GridRow } from './grid.tsx'

type Deletion<Row> = {
  /** URL of the rows: `/api/company/contact/`. */
  path: string
  /** Returns the name of a row for "Delete …". */
  getName: (row: Row) => string
  /** Returns a warning about other data that is deleted with the row. */
  getLossWarning?: (row: Row) => string | undefined
  /** Message after deletion. */
  deleted?: string
  /** Reloads the rows. */
  onChanged: () => void
}

/** Deletes rows, each after a confirmation. Put the button at the end of a row, and the dialog outside the rows, so that its key events do not reach them. */
export function useRowDeletion<Row extends GridRow>(
  properties: Deletion<Row>,
): { renderButton: (row: Row) => ComponentChildren; dialog: ComponentChildren } {
  const { path, getName, getLossWarning, deleted, onChanged } = properties
  const deletionTarget = useSignal<Row | undefined>(undefined)
  const row = deletionTarget.value
  const lossWarning = row && getLossWarning?.(row)
  async function deleteRow({ pk, etag }: Row) {
    // after a rejection the row may have been changed by another user
    await remove(`${path}${pk}/`, etag).finally(onChanged)
    if (deleted !== undefined) showToast(deleted)
  }
  return {
    renderButton: (listedRow) => (
      <button
        type="button"
        class="quiet icon-only"
        aria-label={t('rows.delete', { name: getName(listedRow) })}
        onClick={() => {
          deletionTarget.value = listedRow
        }}
      >
        <Icon name="trash" />
      </button>
    ),
    dialog: row && (
      <Confirm
        title={t('rows.delete-confirm', { name: getName(row) })}
        button={t('delete')}
        onConfirm={() => deleteRow(row)}
        onClose={() => {
          deletionTarget.value = undefined
        }}
      >
        {lossWarning && <p>{lossWarning}</p>}
      </Confirm>
    ),
  }
}

/** A cell that opens for editing as soon as it is rendered. */
export type EditRequest = Signal<{ pk: number; name: string } | undefined>

/**
 * Adds rows without a form, one at a time; `add` returns whether a row was created, and errors are reported. Keys typed before the new row
 * appears are entered into its cell.
 * @param cell the column in which a new row opens for editing
 */
export function useAddedRow(
  path: string,
  cell: string,
  onChanged: () => void,
): { editRequest: EditRequest; add: (body: Values | (() => Promise<Values>)) => Promise<boolean> } {
  const editRequest: EditRequest = useSignal(undefined)
  const isBusy = useRef(false)
  async function add(body: Values | (() => Promise<Values>)): Promise<boolean> {
    if (isBusy.current) return false
    isBusy.current = true
    bufferKeys()
    const isCreated = await attempt(async () => {
      const created = await post<{ pk: number }>(path, typeof body === 'function' ? await body() : body)
      editRequest.value = { pk: created.body.pk, name: cell }
    }).finally(() => {
      isBusy.current = false
    })
    if (!isCreated) dropKeys()
    onChanged()
    return isCreated
  }
  return { editRequest, add }
}

/** The loaded rows, updated by saves. `save` applies the response of a save, and reloads the rows. */
export function useSavedRows<Row extends GridRow>(
  loadedRows: readonly Row[],
  onChanged: () => void,
): { rows: ReadonlySignal<readonly Row[]>; save: (response: ApiResponse<Row>) => void } {
  const rows = useSignal(loadedRows)
  useEffect(() => {
    rows.value = loadedRows
  }, [loadedRows])
  return {
    rows,
    save({ body, etag }) {
      rows.value = rows.value.map((row) => (row.pk === body.pk ? { ...row, ...omitUndefined(body), etag } : row))
      onChanged()
    },
  }
}

/** The response to a change without empty nested objects, so that those from the list remain. */
const omitUndefined = <Row extends object>(body: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(name.endsWith('_detail') && (value === null || value === undefined))),
  ) as Partial<Row>

export type RowsProperties<Row> = Omit<Deletion<Row>, 'path'> & {
  title: string
  /** Metadata of the rows, with their URL: `/api/company/contact/`. */
  metadata: ResourceMetadata
  rows: readonly Row[]
  columns: readonly GridColumn<Row>[]
  rights: { change: boolean; delete: boolean }
  /** Whether a row belongs to the object itself, rather than being shown from another one; by default all do. */
  isOwn?: (row: Row) => boolean
  /** Text when there are none. */
  emptyText?: string | undefined
  /** Whether another table of the page gets keys first. */
  isSecondary?: boolean
  /** The cell of a new row that is edited next. */
  editRequest?: EditRequest
}

/** Rows that belong to an object: each is edited in place, and deleted after a confirmation. */
export function Rows<Row extends GridRow>(properties: RowsProperties<Row>) {
  const { title, metadata, columns, rights, isOwn, emptyText, isSecondary, editRequest } = properties
  const { rows, save } = useSavedRows(properties.rows, properties.onChanged)
  const deletion = useRowDeletion({ ...properties, path: metadata.path })
  const editableColumns = useMemo(
    () => (isOwn ? columns.map((column) => ({ ...column, isOpen: isOwn })) : columns),
    [columns, isOwn],
  )
  return (
    <>
      {rows.value.length > 0 ? (
        <EditableGrid
          metadata={metadata}
          title={title}
          rows={rows.value}
          columns={editableColumns}
          canChange={rights.change}
          isSecondary={isSecondary}
          onRow={save}
          editRequest={editRequest}
          end={rights.delete ? (row) => (isOwn?.(row) ?? true) && deletion.renderButton(row) : undefined}
        />
      ) : (
        emptyText !== undefined && <p class="quiet-text pad">{emptyText}</p>
      )}
      {deletion.dialog}
    </>
  )
}
