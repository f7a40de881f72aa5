import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../../kit/form/form-footer.tsx'
import { count, errorText, formatNumber, getDecimalSeparator, t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Badge } from '../../../kit/page/page.tsx'
import { showToast } from '../../../kit/page/toast.tsx'
import { ApiError, type FieldError, isNotExecuted, newKey, post } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { useFileDrop } from '../../../kit/window/file-drop.ts'
import type { Part } from '../part-details.tsx'
import type { BomLine } from '../part-requests.ts'
import { COMPONENT_COLUMNS, guessColumns } from './guess-columns.ts'
import { type ReadSettings, ReadSettingsForm } from './reading-choices.tsx'

/** Maximum number of table rows shown; all of them are checked, and those with errors come first. */
const MAX_PREVIEW_ROWS = 100

/** A table as the service read it from a file. */
type UploadedTable = ReadSettings & {
  file_fields: Record<string, { value?: string }>
  model_fields: Record<string, { required?: boolean }>
  rows: (string | null)[][]
  row_numbers: number[]
  filename: string
}
type Row = { part: number | null; errors: Record<string, string> } & Record<string, unknown>
/** The rows of one component, with their errors by field, and the skipped rows. */
type ExtractionResult = {
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
const COMPONENT_FIELDS = new Set([...COMPONENT_COLUMNS, 'level', 'dnp', 'fitted', 'errors'])

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
  const table = useSignal<UploadedTable | undefined>(undefined)
  const columns = useSignal<readonly string[]>([])
  /** The columns whose meaning the user selected. */
  const selectedColumns = useSignal<ReadonlySet<number>>(new Set())
  const extraction = useSignal<ExtractionResult | undefined>(undefined)
  /** The file, and how to read it if the user specified that. */
  const file = useRef<File | undefined>(undefined)
  const readSettings = useRef<Partial<ReadSettings>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  /** The meanings guessed for the columns, and the meanings that the loaded result is for. */
  const guessed = useRef<readonly string[]>([])
  const extractedColumns = useRef<readonly string[]>([])
  const fileInput = useRef<HTMLInputElement>(null)
  const submitButton = useRef<HTMLButtonElement>(null)

  /** Shows why a request was rejected, rather than throwing the error. */
  async function attempt(task: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      await task()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isNotExecuted(error)) key.current = newKey()
      problem.value = formatError(error)
    } finally {
      isBusy.value = false
    }
  }
  const upload = (source: File | undefined, options: Partial<ReadSettings> = {}) =>
    source &&
    attempt(async () => {
      file.current = source
      const form = new FormData()
      form.set('data_file', source)
      form.set('part', String(part.pk))
      form.set('clear_existing_bom', 'false')
      for (const [name, value] of Object.entries(options)) if (value !== undefined) form.set(name, String(value))
      const { body } = await post<UploadedTable>('/api/bom/import/upload/', form)
      guessed.current = await guessColumns(getGuessedFields(body), body.rows, findKnownParts)
      readSettings.current = options
      table.value = body
      columns.value = guessed.current
      selectedColumns.value = new Set()
      extraction.value = undefined
    })
  useEffect(() => {
    upload(source)
  }, [])
  const drop = useFileDrop(([file]) => upload(file))
  // requests the result again whenever a column gets another meaning; a response for the previous meaning is ignored
  useEffect(() => {
    const { value: uploaded } = table
    if (!uploaded || columns.value === extractedColumns.current) return
    let isOutdated = false
    extraction.value = undefined
    problem.value = undefined
    const columnFields = columns.value
    extract(uploaded, columnFields, part.pk).then(
      (extracted) => {
        if (isOutdated) return
        // this result is already loaded, so setting the columns to it causes no second request
        extractedColumns.current = columnFields
        extraction.value = extracted
      },
      (error) => {
        if (!(error instanceof ApiError)) throw error
        if (!isOutdated) problem.value = formatError(error)
      },
    )
    return () => {
      isOutdated = true
    }
  }, [table.value, columns.value])
  useEffect(() => {
    // a user who is selecting the meaning of columns keeps the focus there
    if (extraction.value && !(document.activeElement instanceof HTMLSelectElement)) submitButton.current?.focus()
  }, [extraction.value])

  const existingParts = new Set(lines.map(({ sub_part }) => sub_part))
  const validRows = extraction.value?.rows.filter(({ data }) => Object.keys(data.errors).length === 0 && data.part !== null) ?? []
  const newRows = validRows.filter(({ data }) => !existingParts.has(data.part as number))
  const submit = () =>
    attempt(async () => {
      const items = newRows.map(({ data }) => ({
        ...Object.fromEntries(Object.entries(data).filter(([name]) => !COMPONENT_FIELDS.has(name))),
        part: part.pk,
        sub_part: data.part,
      }))
      const { body } = await post<{ items: unknown[] }>('/api/bom/import/submit/', { items }, key.current)
      showToast(count('parts.imported', body.items.length))
      onDone()
    })
  const uploaded = table.value
  /** Whether the meaning of a column comes neither from its heading nor from the user. */
  const isGuess = (index: number) =>
    !!uploaded &&
    !!columns.value[index] &&
    !selectedColumns.value.has(index) &&
    columns.value[index] !== getGuessedFields(uploaded)[index]
  return (
    <Dialog title={t(source ? 'parts.pasted' : 'parts.import')} onClose={onClose} size="wide">
      {!uploaded && (
        <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.handlers}>
          <p>{t('parts.import-text')}</p>
          <p class="drop-hint">{t('parts.import-drop')}</p>
          <input
            ref={fileInput}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,.xlsx,.xls,.ods,.xml"
            onChange={(event) => upload(event.currentTarget.files?.[0])}
          />
          <div class="buttons">
            <button type="button" class="primary" disabled={isBusy.value} onClick={() => fileInput.current?.click()}>
              <Icon name="file" />
              {t('parts.import-select-file')}
            </button>
            <button type="button" onClick={onClose}>
              {t('cancel')}
            </button>
          </div>
        </div>
      )}
      {uploaded && (
        <>
          <p>{t('parts.import-columns', { file: uploaded.filename })}</p>
          <ReadSettingsForm
            settings={uploaded}
            isPasted={source !== undefined}
            isBusy={isBusy.value}
            // another sheet has its headings in another row
            onChoose={(options) =>
              upload(file.current, { ...readSettings.current, ...(options.sheet ? { heading_row: undefined } : {}), ...options })
            }
          />
          <div class="short-table import">
            <table aria-label={t('parts.import')}>
              <thead>
                <tr>
                  <th scope="col">{t('parts.import-found')}</th>
                  <th scope="col">{t('parts.import-row')}</th>
                  {listHeadings(uploaded).map((heading, index) => (
                    <th key={heading} scope="col">
                      {heading}
                      <select
                        aria-label={t('parts.import-meaning', { column: heading })}
                        aria-describedby={isGuess(index) ? `guess-${index}` : undefined}
                        value={columns.value[index]}
                        onChange={(event) => {
                          // the result for the previous meaning can no longer be submitted, not even briefly
                          extraction.value = undefined
                          selectedColumns.value = new Set([...selectedColumns.value, index])
                          columns.value = columns.value.with(index, event.currentTarget.value)
                        }}
                      >
                        <option value="">{t('parts.import-not-used')}</option>
                        {Object.keys(uploaded.model_fields).map((name) => (
                          <option key={name} value={name}>
                            {t(`parts.column.${name}` as 'parts.column.quantity')}
                          </option>
                        ))}
                      </select>
                      {isGuess(index) && (
                        <small class="guess" id={`guess-${index}`}>
                          {t('parts.import-guessed')}
                        </small>
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {previewRows(uploaded, columns.value, extraction.value).map(({ cells, data, rows, name }, index) => (
                  <tr key={index}>
                    <td>
                      {data && <MatchResult row={data} isExisting={data.part !== null && existingParts.has(data.part)} />}
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
          {uploaded.rows.length > MAX_PREVIEW_ROWS && (
            <p class="quiet-text">{t('parts.import-more', { count: uploaded.rows.length - MAX_PREVIEW_ROWS })}</p>
          )}
          {extraction.value?.quantity_counted && <p class="quiet-text">{t('parts.import-counted')}</p>}
          {extraction.value && <SkippedRows rows={extraction.value.skipped} />}
          {extraction.value && extraction.value.rows.length > newRows.length && (
            <p class="quiet-text">{count('parts.import-skipped', extraction.value.rows.length - newRows.length)}</p>
          )}
        </>
      )}
      <Problem form={{ problem }} />
      {uploaded && (
        <div class="buttons">
          <button
            ref={submitButton}
            type="button"
            class="primary"
            disabled={isBusy.value || newRows.length === 0}
            onClick={submit}
          >
            {count('parts.import-create', newRows.length)}
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

/** The meanings of the columns of a table by their headings; an empty string if a heading is unknown. */
const getGuessedFields = ({ file_fields }: UploadedTable): string[] => Object.values(file_fields).map(({ value }) => value ?? '')

/** The headings of a table, or the positions of its columns. */
const listHeadings = ({ file_fields, heading_row }: UploadedTable): string[] =>
  Object.keys(file_fields).map((heading, index) => (heading_row === 0 ? t('parts.pasted-column', { at: index + 1 }) : heading))

/** Returns the strings that are numbers or names of parts. Looks up none if there are more strings than a table may have rows. */
async function findKnownParts(texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length > 5_000) return new Set()
  const { rows } = await extractRows({ columns: ['part', 'quantity'], rows: texts.map((text) => [text, '1']) })
  // two strings may name the same part
  return new Set(
    rows.flatMap(({ row_numbers, data }) => (data.part !== null ? row_numbers.map((index) => texts[index - 1] ?? '') : [])),
  )
}

/** The first five errors, each once. */
const formatError = (error: ApiError): string =>
  [...new Set(Object.values(error.fields).flat())].slice(0, 5).join(' ') || error.message

type ImportRow = { cells: readonly (string | null)[]; rows: readonly number[]; data?: Row; name?: string }

/** The first rows of a table, with the rows that have errors first once those are known. */
function previewRows(uploaded: UploadedTable, columns: readonly string[], extraction: ExtractionResult | undefined): ImportRow[] {
  if (!extraction)
    return uploaded.rows.slice(0, MAX_PREVIEW_ROWS).map((cells, index) => ({ cells, rows: [uploaded.row_numbers[index] ?? 0] }))
  const getErrorRank = ({ data }: { data: Row }) => Number(Object.keys(data.errors).length > 0)
  return extraction.rows
    .toSorted((one, other) => getErrorRank(other) - getErrorRank(one))
    .slice(0, MAX_PREVIEW_ROWS)
    .map(({ original, data, row_numbers, part_detail }) => ({
      cells: original.map((cell, index) => displayCell(columns[index] ?? '', cell, data)),
      rows: row_numbers,
      data,
      name: part_detail?.full_name,
    }))
}

/** A cell as the line will have it: the sum of quantities and all references of several rows; numbers in the reader's format. */
function displayCell(name: string, cell: string | null, data: Row): string | null {
  if (!['quantity', 'overage', 'reference'].includes(name) || data.errors[name]) return cell
  const text = data[name] === null || data[name] === undefined ? null : String(data[name])
  return name === 'reference' ? text : (text?.replace(/^\d+(\.\d+)?(?=\s*%?$)/, (amount) => formatNumber(amount)) ?? null)
}

/** Requests the result for the rows, with errors in the reader's language. */
async function extract(uploaded: UploadedTable, columns: readonly string[], part: number): Promise<ExtractionResult> {
  const { rows, row_numbers, separator } = uploaded
  const request = { columns, rows, row_numbers, part, decimal_separator: getDecimalSeparator(), is_workbook: separator === null }
  const extracted = await extractRows(request)
  return {
    ...extracted,
    rows: extracted.rows.map((row) => {
      const errors = Object.fromEntries(row.field_errors.map((error) => [error.pointer.slice(1), errorText(error)]))
      return { ...row, data: { ...row.data, errors } }
    }),
  }
}

const extractRows = async (body: object): Promise<ExtractionResult> =>
  (await post<ExtractionResult>('/api/bom/import/extract/', body)).body

/** The skipped rows, with the reasons. */
function SkippedRows({ rows }: { rows: ExtractionResult['skipped'] }) {
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
  if (isExisting) return <Badge>{t('parts.import-exists')}</Badge>
  return <Badge tone="good">{t('parts.import-ok')}</Badge>
}
