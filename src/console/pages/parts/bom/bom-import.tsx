import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../../kit/form/form-footer.tsx'
import { count, decimalSign, errorText, number, t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Badge } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { ApiError, type FieldError, isNotExecuted, newKey, post } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { useFileDrop } from '../../../kit/window/file-drop.ts'
import type { Part } from '../part-details.tsx'
import type { BomLine } from '../part-reading.ts'
import { COMPONENT_COLUMNS, guessColumns } from './guess-columns.ts'
import { type Reading, ReadingChoices } from './reading-choices.tsx'

/** Maximum number of table rows shown; all of them are checked, and those with errors come first. */
const MAX_PREVIEW_ROWS = 100

/** A table as the service read it from a file. */
type Uploaded = Reading & {
  file_fields: Record<string, { value?: string }>
  model_fields: Record<string, { required?: boolean }>
  rows: (string | null)[][]
  row_numbers: number[]
  filename: string
}
type Row = { part: number | null; errors: Record<string, string> } & Record<string, unknown>
/** The rows of one component, with their errors by field, and the rows that become no line. */
type Extracted = {
  rows: {
    original: (string | null)[]
    data: Row
    field_errors: FieldError[]
    row_numbers: number[]
    part_detail: { full_name: string } | null
  }[]
  skipped: { row_number: number; reason: 'not_populated' | 'below_first_level' | 'no_component' }[]
  quantity_counted: boolean
}

/** Columns that identify the component; in a line they are its `sub_part`. */
const COMPONENT = new Set([...COMPONENT_COLUMNS, 'level', 'dnp', 'fitted', 'errors'])

type Properties = {
  part: Part
  lines: readonly BomLine[]
  /** The table, if it is already available. */
  table?: File
  onDone: () => void
  onClose: () => void
}

/** Creates lines from a table in a file, in three steps: the file, the meaning of its columns, and the result for each row. */
export function BomImport({ part, lines, table: source, onDone, onClose }: Properties) {
  const table = useSignal<Uploaded | undefined>(undefined)
  const columns = useSignal<readonly string[]>([])
  /** The columns whose meaning the user selected. */
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const extraction = useSignal<Extracted | undefined>(undefined)
  /** The file, and how to read it if the user specified that. */
  const file = useRef<File | undefined>(undefined)
  const reading = useRef<Partial<Reading>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  /** The meanings guessed for the columns, and the meanings that the loaded result is for. */
  const guessed = useRef<readonly string[]>([])
  const extractedColumns = useRef<readonly string[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const make = useRef<HTMLButtonElement>(null)

  /** Shows why a request was rejected, rather than throwing the error. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isNotExecuted(error)) key.current = newKey()
      problem.value = textOf(error)
    } finally {
      isBusy.value = false
    }
  }
  const upload = (source: File | undefined, options: Partial<Reading> = {}) =>
    source &&
    attempt(async () => {
      file.current = source
      const form = new FormData()
      form.set('data_file', source)
      form.set('part', String(part.pk))
      form.set('clear_existing_bom', 'false')
      for (const [name, value] of Object.entries(options)) if (value !== undefined) form.set(name, String(value))
      const { body } = await post<Uploaded>('/api/bom/import/upload/', form)
      guessed.current = await guessColumns(guessedFields(body), body.rows, findExistingNumbers)
      reading.current = options
      table.value = body
      columns.value = guessed.current
      chosen.value = new Set()
      extraction.value = undefined
    })
  useEffect(() => {
    upload(source)
  }, [])
  const drop = useFileDrop(([file]) => upload(file))
  // looks the rows up again whenever a column gets another meaning; a response for the previous meaning is ignored
  useEffect(() => {
    const { value: read } = table
    if (!read || columns.value === extractedColumns.current) return
    let isOld = false
    extraction.value = undefined
    problem.value = undefined
    const columnFields = columns.value
    extract(read, columnFields, part.pk).then(
      (extracted) => {
        if (isOld) return
        // this result is already loaded, so setting the columns to it causes no second request
        extractedColumns.current = columnFields
        extraction.value = extracted
      },
      (error) => {
        if (!(error instanceof ApiError)) throw error
        if (!isOld) problem.value = textOf(error)
      },
    )
    return () => {
      isOld = true
    }
  }, [table.value, columns.value])
  useEffect(() => {
    // a user who is selecting the meaning of columns keeps the focus there
    if (extraction.value && !(document.activeElement instanceof HTMLSelectElement)) make.current?.focus()
  }, [extraction.value])

  const has = new Set(lines.map(({ sub_part }) => sub_part))
  const good = extraction.value?.rows.filter(({ data }) => Object.keys(data.errors).length === 0 && data.part !== null) ?? []
  const fresh = good.filter(({ data }) => !has.has(data.part as number))
  const submit = () =>
    attempt(async () => {
      const items = fresh.map(({ data }) => ({
        ...Object.fromEntries(Object.entries(data).filter(([name]) => !COMPONENT.has(name))),
        part: part.pk,
        sub_part: data.part,
      }))
      const { body } = await post<{ items: unknown[] }>('/api/bom/import/submit/', { items }, key.current)
      showToast(count('parts.imported', body.items.length))
      onDone()
    })
  const read = table.value
  /** Whether the meaning of a column comes neither from its heading nor from the user. */
  const isGuess = (at: number) =>
    !!read && !!columns.value[at] && !chosen.value.has(at) && columns.value[at] !== guessedFields(read)[at]
  return (
    <Dialog title={t(source ? 'parts.pasted' : 'parts.import')} onClose={onClose} size="wide">
      {!read && (
        <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.listens}>
          <p>{t('parts.import-text')}</p>
          <p class="drop-hint">{t('parts.import-drop')}</p>
          <input
            ref={chooser}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,.xlsx,.xls,.xml"
            onChange={(event) => upload(event.currentTarget.files?.[0])}
          />
          <div class="buttons">
            <button type="button" class="primary" disabled={isBusy.value} onClick={() => chooser.current?.click()}>
              <Icon name="file" />
              {t('parts.import-choose')}
            </button>
            <button type="button" onClick={onClose}>
              {t('cancel')}
            </button>
          </div>
        </div>
      )}
      {read && (
        <>
          <p>{t('parts.import-columns', { file: read.filename })}</p>
          <ReadingChoices
            read={read}
            isPasted={source !== undefined}
            isBusy={isBusy.value}
            // another sheet has its headings in another row
            onChoose={(options) =>
              upload(file.current, { ...reading.current, ...(options.sheet ? { heading_row: undefined } : {}), ...options })
            }
          />
          <div class="short-table import">
            <table aria-label={t('parts.import')}>
              <thead>
                <tr>
                  <th scope="col">{t('parts.import-found')}</th>
                  <th scope="col">{t('parts.import-row')}</th>
                  {headingsOf(read).map((heading, at) => (
                    <th key={heading} scope="col">
                      {heading}
                      <select
                        aria-label={t('parts.import-meaning', { column: heading })}
                        aria-describedby={isGuess(at) ? `guess-${at}` : undefined}
                        value={columns.value[at]}
                        onChange={(event) => {
                          // the result for the previous meaning can no longer be submitted, not even briefly
                          extraction.value = undefined
                          chosen.value = new Set([...chosen.value, at])
                          columns.value = columns.value.with(at, event.currentTarget.value)
                        }}
                      >
                        <option value="">{t('parts.import-nothing')}</option>
                        {Object.keys(read.model_fields).map((name) => (
                          <option key={name} value={name}>
                            {t(`parts.column.${name}` as 'parts.column.quantity')}
                          </option>
                        ))}
                      </select>
                      {isGuess(at) && (
                        <small class="guess" id={`guess-${at}`}>
                          {t('parts.import-guessed')}
                        </small>
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {previewRows(read, columns.value, extraction.value).map(({ cells, data, rows, name }, at) => (
                  <tr key={at}>
                    <td>
                      {data && <MatchResult row={data} isExisting={data.part !== null && has.has(data.part)} />}
                      {name && <small class="found-part">{name}</small>}
                    </td>
                    <td>{rows.join(', ')}</td>
                    {cells.map((cell, column) => (
                      <td key={column}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {read.rows.length > MAX_PREVIEW_ROWS && (
            <p class="quiet-text">{t('parts.import-more', { count: read.rows.length - MAX_PREVIEW_ROWS })}</p>
          )}
          {extraction.value?.quantity_counted && <p class="quiet-text">{t('parts.import-counted')}</p>}
          {extraction.value && <Skipped rows={extraction.value.skipped} />}
          {extraction.value && extraction.value.rows.length > fresh.length && (
            <p class="quiet-text">{count('parts.import-passed-over', extraction.value.rows.length - fresh.length)}</p>
          )}
        </>
      )}
      <Problem form={{ problem }} />
      {read && (
        <div class="buttons">
          <button ref={make} type="button" class="primary" disabled={isBusy.value || fresh.length === 0} onClick={submit}>
            {count('parts.import-make', fresh.length)}
          </button>
          <button
            type="button"
            disabled={isBusy.value}
            onClick={() => {
              table.value = undefined
              problem.value = undefined
            }}
          >
            {t('parts.import-other')}
          </button>
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      )}
    </Dialog>
  )
}

/** The meanings of the columns of a table by their headings; an empty text if a heading is unknown. */
const guessedFields = ({ file_fields }: Uploaded): string[] => Object.values(file_fields).map(({ value }) => value ?? '')

/** The headings of a table, or the positions of its columns. */
const headingsOf = ({ file_fields, heading_row }: Uploaded): string[] =>
  Object.keys(file_fields).map((heading, at) => (heading_row === 0 ? t('parts.pasted-column', { at: at + 1 }) : heading))

/** Returns those of the texts that are numbers or names of parts. Looks up none if there are more texts than a table may have rows. */
async function findExistingNumbers(texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length > 5_000) return new Set()
  const { rows } = await extractRows({ columns: ['part', 'quantity'], rows: texts.map((text) => [text, '1']) })
  // two texts may name the same part
  return new Set(
    rows.flatMap(({ row_numbers, data }) => (data.part !== null ? row_numbers.map((at) => texts[at - 1] ?? '') : [])),
  )
}

/** The first five errors, each once. */
const textOf = (error: ApiError): string =>
  [...new Set(Object.values(error.fields).flat())].slice(0, 5).join(' ') || error.message

type ImportRow = { cells: readonly (string | null)[]; rows: readonly number[]; data?: Row; name?: string }

/** The first rows of a table, with the rows that have errors first once those are known. */
function previewRows(read: Uploaded, columns: readonly string[], extraction: Extracted | undefined): ImportRow[] {
  if (!extraction) return read.rows.slice(0, MAX_PREVIEW_ROWS).map((cells, at) => ({ cells, rows: [read.row_numbers[at] ?? 0] }))
  const wrong = ({ data }: { data: Row }) => Number(Object.keys(data.errors).length > 0)
  return extraction.rows
    .toSorted((one, other) => wrong(other) - wrong(one))
    .slice(0, MAX_PREVIEW_ROWS)
    .map(({ original, data, row_numbers, part_detail }) => ({
      cells: original.map((cell, at) => displayCell(columns[at] ?? '', cell, data)),
      rows: row_numbers,
      data,
      name: part_detail?.full_name,
    }))
}

/** A cell as the line has it: the sum of quantities and all references of several rows; numbers in the reader's format. */
function displayCell(name: string, cell: string | null, data: Row): string | null {
  if (!['quantity', 'overage', 'reference'].includes(name) || data.errors[name]) return cell
  const text = data[name] === null || data[name] === undefined ? null : String(data[name])
  return name === 'reference' ? text : (text?.replace(/^\d+(\.\d+)?(?=\s*%?$)/, (amount) => number(amount)) ?? null)
}

/** Requests the result for the rows, with errors in the reader's language. */
async function extract(read: Uploaded, columns: readonly string[], part: number): Promise<Extracted> {
  const { rows, row_numbers, separator } = read
  const request = { columns, rows, row_numbers, part, decimal_separator: decimalSign(), is_workbook: separator === null }
  const extracted = await extractRows(request)
  return {
    ...extracted,
    rows: extracted.rows.map((row) => {
      const errors = Object.fromEntries(row.field_errors.map((error) => [error.pointer.slice(1), errorText(error)]))
      return { ...row, data: { ...row.data, errors } }
    }),
  }
}

const extractRows = async (body: object): Promise<Extracted> => (await post<Extracted>('/api/bom/import/extract/', body)).body

/** The rows that become no line, and why. */
function Skipped({ rows }: { rows: Extracted['skipped'] }) {
  const reasons = ['not_populated', 'below_first_level', 'no_component'] as const
  return reasons.map((reason) => {
    const numbers = rows.filter((row) => row.reason === reason).map(({ row_number }) => row_number)
    if (numbers.length === 0) return null
    return (
      <p key={reason} class="quiet-text">
        {count(`parts.import-${reason}`, numbers.length)} {t('parts.import-rows', { rows: numbers.join(', ') })}
      </p>
    )
  })
}

/** The result of a row. Its errors are not part of an error response, so they have not been translated yet. */
function MatchResult({ row, isExisting }: { row: Row; isExisting: boolean }) {
  const problems = Object.values(row.errors)
  if (problems.length > 0) return <Badge tone="bad">{problems.join(' ')}</Badge>
  if (isExisting) return <Badge>{t('parts.import-there')}</Badge>
  return <Badge tone="good">{t('parts.import-ok')}</Badge>
}
