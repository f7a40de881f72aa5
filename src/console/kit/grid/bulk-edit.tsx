import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { isEmpty, isSame } from '../form/cell.ts'
import { choiceText } from '../form/choice-text.ts'
import { bindSubmit, Field, type Form, useForm } from '../form/form.tsx'
import { FormFooter } from '../form/form-footer.tsx'
import { findSource } from '../form/reference.ts'
import { count, formatDate, formatNumber, label, t } from '../language/language.ts'
import { showToast } from '../page/toast.tsx'
import { ApiError, change, read, withQuery } from '../service/api.ts'
import { isFieldVisible } from '../service/features.ts'
import type { ResourceMetadata } from '../service/field-metadata.ts'
import type { RowAction } from '../table/choice.ts'
import { Dialog } from '../window/dialog.tsx'

/** A row of a list, with the fields of its object. */
type Row = { pk: number }

type Options<R extends Row> = {
  /** Metadata of the list, whose URL changes several objects by PATCH. */
  metadata: ResourceMetadata
  /** The fields that are offered, in their order. */
  fields: readonly string[]
  getName: (row: R) => string
  /** Whether the account can change the objects. */
  isAllowed: boolean
}

/** Maximum number of rows that the preview names. */
const MAX_PREVIEWED = 50
/** Maximum number of referenced objects whose names the preview reads. */
const MAX_READ_NAMES = 20

/** The action that changes one field of several rows of a table, and its dialog. There is no action for accounts that cannot change them. */
export function useBulkEdit<R extends Row>(
  options: Options<R>,
): {
  actions: readonly RowAction<R>[]
  dialog: ComponentChildren
} {
  const opened = useSignal<{ rows: readonly R[]; done: () => void } | undefined>(undefined)
  const close = () => {
    opened.value = undefined
  }
  const action: RowAction<R> = {
    label: () => t('bulk.edit'),
    icon: 'edit',
    run: (rows, done) => {
      opened.value = { rows, done }
    },
  }
  return {
    actions: options.isAllowed ? [action] : [],
    dialog: opened.value && (
      <BulkEdit
        {...options}
        rows={opened.value.rows}
        onDone={() => {
          opened.value?.done()
          close()
        }}
        onClose={close}
      />
    ),
  }
}

type Properties<R extends Row> = Omit<Options<R>, 'isAllowed'> & { rows: readonly R[]; onDone: () => void; onClose: () => void }

const getValue = (row: Row, name: string): unknown => (row as Record<string, unknown> & Row)[name]

/** Changes one field of several rows by one request: all of them or none. The old values and the new one are shown before. */
function BulkEdit<R extends Row>({ metadata, fields, getName, rows: selectedRows, onDone, onClose }: Properties<R>) {
  const names = fields.filter((name) => metadata.fields[name] && !metadata.fields[name].isReadOnly && isFieldVisible(name))
  const name = useSignal(names[0] ?? '')
  const id = useId()
  const form = useForm(metadata, { [name.value]: getStart(metadata, name.value) })
  /** The rows that were rejected, with the errors, and those that the user left out after that. */
  const errors = useSignal<ReadonlyMap<number, string>>(new Map())
  const omitted = useSignal<ReadonlySet<number>>(new Set())
  const field = name.value
  const { kind = 'text' } = metadata.fields[field] ?? {}
  const value = form.values.value[field]
  const rows = selectedRows.filter(({ pk }) => !omitted.value.has(pk))
  const isMissing = value === undefined || (isEmpty(value) && metadata.fields[field]?.isRequired === true)
  const changed = isMissing
    ? []
    : rows.filter((row) => !isSame(value, getValue(row, field), kind === 'number' || kind === 'integer'))
  const formatValue = useValueNames(metadata, field, [...rows.map((row) => getValue(row, field)), value])

  async function send() {
    const keys = changed.map(({ pk }) => pk)
    const undo = groupByValue(changed, field)
    errors.value = new Map()
    const result = await form.submit(() =>
      change(metadata.path, { items: keys, [field]: value }, undefined).catch((error) => {
        if (error instanceof ApiError) errors.value = readRowErrors(error, keys)
        throw error
      }),
    )
    if (!result) return
    showToast(count('bulk.changed', keys.length), async () => {
      for (const { before, items } of undo) await change(metadata.path, { items, [field]: before }, undefined)
    })
    onDone()
  }
  return (
    <Dialog title={count('bulk.title', selectedRows.length)} onClose={onClose} size="wide">
      <form {...bindSubmit(send)}>
        <div class="fields">
          <div class="field">
            <label for={`${id}-field`}>{t('bulk.field')}</label>
            <select
              id={`${id}-field`}
              value={field}
              onChange={({ currentTarget }) => {
                name.value = currentTarget.value
                errors.value = new Map()
                form.values.value = { [name.value]: getStart(metadata, name.value) }
              }}
            >
              {names.map((option) => (
                <option key={option} value={option}>
                  {label(option)}
                </option>
              ))}
            </select>
          </div>
          <NewValue key={field} form={form} name={field} />
        </div>
        <div class="short-table bulk-preview">
          <table aria-label={t('bulk.preview')}>
            <thead>
              <tr>
                <th scope="col">{t('bulk.row')}</th>
                <th scope="col">{t('bulk.before')}</th>
                <th scope="col">{t('bulk.after')}</th>
              </tr>
            </thead>
            <tbody>
              {listPreviewed(rows, errors.value).map((row) => (
                <tr key={row.pk} class={changed.includes(row) ? '' : 'quiet-text'}>
                  <td>
                    {getName(row)}
                    <RowError text={errors.value.get(row.pk)} />
                    {errors.value.has(row.pk) && (
                      <button
                        type="button"
                        onClick={() => {
                          omitted.value = new Set([...omitted.value, row.pk])
                        }}
                      >
                        {t('bulk.leave-out', { name: getName(row) })}
                      </button>
                    )}
                  </td>
                  <td>{formatValue(getValue(row, field))}</td>
                  <td>{changed.includes(row) ? <strong>{formatValue(value)}</strong> : formatValue(getValue(row, field))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length > MAX_PREVIEWED && <p class="quiet-text">{count('bulk.more', rows.length - MAX_PREVIEWED)}</p>}
        {!isMissing && changed.length < rows.length && (
          <p class="quiet-text">{count('bulk.same', rows.length - changed.length)}</p>
        )}
        <FormFooter form={form} isDisabled={changed.length === 0} onCancel={onClose}>
          {count('bulk.change', changed.length)}
        </FormFooter>
      </form>
    </Dialog>
  )
}

const RowError = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  )

/** The value that a field starts with: a flag with none, so that neither of its values is set by accident. */
const getStart = ({ fields }: ResourceMetadata, name: string): unknown =>
  fields[name]?.kind === 'boolean' || fields[name]?.choices ? undefined : fields[name]?.isNullable ? null : ''

/** The field of the new value. A flag is a selection, as an empty checkbox would say nothing about what it sets. */
const NewValue = ({ form, name }: { form: Form; name: string }) => {
  const id = useId()
  if (form.metadata.fields[name]?.kind !== 'boolean') return <Field form={form} name={name} help={null} />
  const value = form.values.value[name]
  return (
    <div class="field">
      <label for={id}>{label(name)}</label>
      <select
        id={id}
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget }) => {
          form.values.value = { [name]: currentTarget.value === '' ? undefined : currentTarget.value === 'true' }
        }}
      >
        <option value="" />
        <option value="true">{t('yes')}</option>
        <option value="false">{t('no')}</option>
      </select>
    </div>
  )
}

/** The first rows, those with an error before all others. */
const listPreviewed = <R extends Row>(rows: readonly R[], errors: ReadonlyMap<number, string>): readonly R[] =>
  rows.toSorted((one, other) => Number(errors.has(other.pk)) - Number(errors.has(one.pk))).slice(0, MAX_PREVIEWED)

/** The rows by their value, for the requests that restore it. */
const groupByValue = <R extends Row>(rows: readonly R[], name: string): { before: unknown; items: number[] }[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(getValue(row, name) ?? null))].map(([before, group]) => ({
    before: JSON.parse(before),
    items: group.map(({ pk }) => pk),
  }))

/** The errors of rows, which the service names by their positions among the items. */
const readRowErrors = ({ errors }: ApiError, keys: readonly number[]): ReadonlyMap<number, string> =>
  new Map(
    Object.entries((errors.items ?? {}) as Record<string, Record<string, string[]> | undefined>).flatMap(([index, texts]) => {
      const key = keys[Number(index)]
      return key === undefined || !texts ? [] : [[key, Object.values(texts).flat().join(' ')] as const]
    }),
  )

/** Returns the text of a value of a field: for a reference, the name of the object once it was read. */
function useValueNames(metadata: ResourceMetadata, name: string, values: readonly unknown[]): (value: unknown) => string {
  const source = findSource(metadata.path, name)
  const readNames = useSignal<Readonly<Record<string, string>>>({})
  const keys = source ? [...new Set(values.filter((value) => typeof value === 'number'))].slice(0, MAX_READ_NAMES) : []
  const missing = keys.filter((key) => !(`${name}-${key}` in readNames.value))
  useEffect(() => {
    if (!source || missing.length === 0) return
    const controller = new AbortController()
    const urls = missing.map((key) => [`${name}-${key}`, withQuery(`${source.url}${key}/`, source.query ?? {})] as const)
    read<Record<string, { pk: number }>>(
      Object.fromEntries(urls),
      controller.signal,
      urls.map(([key]) => key),
    ).then(
      (objects) => {
        const texts = urls.map(([key], index) => [key, objects[key] ? source.getTitle(objects[key].body) : `#${missing[index]}`])
        readNames.value = { ...readNames.value, ...Object.fromEntries(texts) }
      },
      // the keys stay without names
      (error) => {
        if (error.name !== 'AbortError' && !(error instanceof ApiError)) throw error
      },
    )
    return () => controller.abort()
  }, [name, missing.join()])
  const { kind, choices } = metadata.fields[name] ?? {}
  return (value) => {
    if (value === true || value === false) return t(value ? 'yes' : 'no')
    if (isEmpty(value)) return '–'
    if (source) return readNames.value[`${name}-${value}`] ?? `#${value}`
    if (choices) return choiceText(metadata.path, name, value as string | number)
    if (kind === 'date') return formatDate(String(value))
    return kind === 'number' || kind === 'integer' ? formatNumber(String(value)) : String(value)
  }
}
