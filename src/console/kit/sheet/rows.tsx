import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Confirm } from '../form/confirm.tsx'
import type { Values } from '../form/form.tsx'
import { t } from '../language/language.ts'
import { dropKeys, holdKeys } from '../navigation/type-ahead.ts'
import { Icon } from '../page/icon.tsx'
import { attempt, tell } from '../page/toast.tsx'
import { type Answer, post } from '../service/api.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import { remove } from '../service/saves.ts'
import { Sheet, type SheetColumn, type SheetRow } from './sheet.tsx'

type Deletion<Row> = {
  /** Where the rows are: `/api/company/contact/`. */
  path: string
  /** What a row is called, as the end of "Delete …". */
  nameOf: (row: Row) => string
  /** What goes with it. */
  loses?: (row: Row) => string | undefined
  /** What is told once it is gone. */
  deleted?: string
  /** Reads the rows anew. */
  onChanged: () => void
}

/** Deletes rows, each after asking. `bin` stands at the end of a row; `question` outside the rows, so that its keys are not theirs. */
export function useRowDeletion<Row extends SheetRow>(
  properties: Deletion<Row>,
): { bin: (row: Row) => ComponentChildren; question: ComponentChildren } {
  const { path, nameOf, loses, deleted, onChanged } = properties
  const asked = useSignal<Row | undefined>(undefined)
  const row = asked.value
  const lost = row && loses?.(row)
  async function take({ pk, etag }: Row) {
    // what was refused may have been changed by somebody else
    await remove(`${path}${pk}/`, etag).finally(onChanged)
    if (deleted !== undefined) tell(deleted)
  }
  return {
    bin: (one) => (
      <button
        type="button"
        class="quiet icon-only"
        aria-label={t('rows.delete', { name: nameOf(one) })}
        onClick={() => {
          asked.value = one
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
          asked.value = undefined
        }}
      >
        {lost && <p>{lost}</p>}
      </Confirm>
    ),
  }
}

/** A cell that is to be edited at once. */
export type Begin = Signal<{ pk: number; name: string } | undefined>

/**
 * Adds rows without asking for anything, one at a time; `add` tells whether one was made, and what is refused is said. What is typed before
 * the new one is there is for its cell.
 * @param cell the column in which a new one is typed in at once
 */
export function useAddedRow(
  path: string,
  cell: string,
  onChanged: () => void,
): { begin: Begin; add: (body: Values | (() => Promise<Values>)) => Promise<boolean> } {
  const begin: Begin = useSignal(undefined)
  const isBusy = useRef(false)
  async function add(body: Values | (() => Promise<Values>)): Promise<boolean> {
    if (isBusy.current) return false
    isBusy.current = true
    holdKeys()
    const isMade = await attempt(async () => {
      const made = await post<{ pk: number }>(path, typeof body === 'function' ? await body() : body)
      begin.value = { pk: made.body.pk, name: cell }
    }).finally(() => {
      isBusy.current = false
    })
    if (!isMade) dropKeys()
    onChanged()
    return isMade
  }
  return { begin, add }
}

/** Rows as they were read, and as saves have made them since. `save` takes one as a save answered it, and has them read anew. */
export function useSavedRows<Row extends SheetRow>(
  read: readonly Row[],
  onChanged: () => void,
): { rows: ReadonlySignal<readonly Row[]>; save: (answer: Answer<Row>) => void } {
  const rows = useSignal(read)
  useEffect(() => {
    rows.value = read
  }, [read])
  return {
    rows,
    save({ body, etag }) {
      rows.value = rows.value.map((row) => (row.pk === body.pk ? { ...row, ...withoutNothing(body), etag } : row))
      onChanged()
    },
  }
}

/** What a change answers lacks what is nested, which stays as the list had it. */
const withoutNothing = <Row extends object>(body: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !(name.endsWith('_detail') && (value === null || value === undefined))),
  ) as Partial<Row>

export type RowsProperties<Row> = Omit<Deletion<Row>, 'path'> & {
  title: string
  /** Where the rows are: `/api/company/contact/`. */
  facts: ResourceMetadata
  rows: readonly Row[]
  columns: readonly SheetColumn<Row>[]
  rights: { change: boolean; delete: boolean }
  /** Whether a row is the object's own, rather than shown of another; by default all are. */
  isOwn?: (row: Row) => boolean
  /** What is said where there are none. */
  none?: string | undefined
  /** It is not the table of its page that keys go to first. */
  isBeside?: boolean
  /** The cell of a new row that is typed in next. */
  begin?: Begin
}

/** Rows that belong to an object: each is edited in place, and deleted after asking. */
export function Rows<Row extends SheetRow>(properties: RowsProperties<Row>) {
  const { title, facts, columns, rights, isOwn, none, isBeside, begin } = properties
  const { rows, save } = useSavedRows(properties.rows, properties.onChanged)
  const deletion = useRowDeletion({ ...properties, path: facts.path })
  const own = useMemo(() => (isOwn ? columns.map((column) => ({ ...column, isOpen: isOwn })) : columns), [columns, isOwn])
  return (
    <>
      {rows.value.length > 0 ? (
        <Sheet
          facts={facts}
          title={title}
          rows={rows.value}
          columns={own}
          mayChange={rights.change}
          isBeside={isBeside}
          onRow={save}
          begin={begin}
          end={rights.delete ? (row) => (isOwn?.(row) ?? true) && deletion.bin(row) : undefined}
        />
      ) : (
        none !== undefined && <p class="quiet-text pad">{none}</p>
      )}
      {deletion.question}
    </>
  )
}
