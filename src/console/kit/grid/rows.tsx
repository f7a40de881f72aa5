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
import { Sheet, type SheetColumn, type SheetRow } from './grid.tsx'

type Deletion<Row> = {
  /** Address of the rows: `/api/company/contact/`. */
  path: string
  /** Name of a row, for the end of "Delete …". */
  nameOf: (row: Row) => string
  /** Text about other data that is deleted with it. */
  loses?: (row: Row) => string | undefined
  /** Message after deletion. */
  deleted?: string
  /** Reloads the rows. */
  onChanged: () => void
}

/** Deletes rows, each after a confirmation. Put `bin` at the end of a row, and `question` outside the rows, so that its keys do not reach them. */
export function useRowDeletion<Row extends SheetRow>(
  properties: Deletion<Row>,
): { bin: (row: Row) => ComponentChildren; question: ComponentChildren } {
  const { path, nameOf, loses, deleted, onChanged } = properties
  const deletionTarget = useSignal<Row | undefined>(undefined)
  const row = deletionTarget.value
  const lost = row && loses?.(row)
  async function take({ pk, etag }: Row) {
    // after a rejection the row may have been changed by another user
    await remove(`${path}${pk}/`, etag).finally(onChanged)
    if (deleted !== undefined) showToast(deleted)
  }
  return {
    bin: (one) => (
      <button
        type="button"
        class="quiet icon-only"
        aria-label={t('rows.delete', { name: nameOf(one) })}
        onClick={() => {
          deletionTarget.value = one
        }}
      >
        <Icon name="trash" />
      </button>
    ),
    question: row && (
      <Confirm
        title={t('rows.delete-ask', { name: nameOf(row) })}
        button={t('delete')}
        onConfirm={() => take(row)}
        onClose={() => {
          deletionTarget.value = undefined
        }}
      >
        {lost && <p>{lost}</p>}
      </Confirm>
    ),
  }
}

/** A cell that opens for editing as soon as it is rendered. */
export type EditRequest = Signal<{ pk: number; name: string } | undefined>

/**
 * Adds rows without a form, one at a time; `add` returns whether one was made, and errors are reported. Keys typed before the new row
 * appears go to its cell.
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
    const isMade = await attempt(async () => {
      const created = await post<{ pk: number }>(path, typeof body === 'function' ? await body() : body)
      editRequest.value = { pk: created.body.pk, name: cell }
    }).finally(() => {
      isBusy.current = false
    })
    if (!isMade) dropKeys()
    onChanged()
    return isMade
  }
  return { editRequest, add }
}

/** The loaded rows, updated by saves. `save` applies the response of a save, and reloads the rows. */
export function useSavedRows<Row extends SheetRow>(
  read: readonly Row[],
  onChanged: () => void,
): { rows: ReadonlySignal<readonly Row[]>; save: (answer: ApiResponse<Row>) => void } {
  const rows = useSignal(read)
  useEffect(() => {
    rows.value = read
  }, [read])
  return {
    rows,
    save({ body, etag }) {
      rows.value = rows.value.map((row) => (row.pk === body.pk ? { ...row, ...omitUndefined(body), etag } : row))
      onChanged()
    },
  }
}

/** The response to a change without empty nested objects, which stay as the list had them. */
const omitUndefined = <Row extends object>(body: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(name.endsWith('_detail') && (value === null || value === undefined))),
  ) as Partial<Row>

export type RowsProperties<Row> = Omit<Deletion<Row>, 'path'> & {
  title: string
  /** Metadata of the rows, with their address: `/api/company/contact/`. */
  metadata: ResourceMetadata
  rows: readonly Row[]
  columns: readonly SheetColumn<Row>[]
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
export function Rows<Row extends SheetRow>(properties: RowsProperties<Row>) {
  const { title, metadata, columns, rights, isOwn, emptyText, isSecondary, editRequest } = properties
  const { rows, save } = useSavedRows(properties.rows, properties.onChanged)
  const deletion = useRowDeletion({ ...properties, path: metadata.path })
  const own = useMemo(() => (isOwn ? columns.map((column) => ({ ...column, isOpen: isOwn })) : columns), [columns, isOwn])
  return (
    <>
      {rows.value.length > 0 ? (
        <Sheet
          metadata={metadata}
          title={title}
          rows={rows.value}
          columns={own}
          mayChange={rights.change}
          isSecondary={isSecondary}
          onRow={save}
          editRequest={editRequest}
          end={rights.delete ? (row) => (isOwn?.(row) ?? true) && deletion.bin(row) : undefined}
        />
      ) : (
        emptyText !== undefined && <p class="quiet-text pad">{emptyText}</p>
      )}
      {deletion.question}
    </>
  )
}
