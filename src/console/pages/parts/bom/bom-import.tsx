import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../../kit/form/form-end.tsx'
import { count, decimalSign, errorText, number, t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Badge } from '../../../kit/page/page.tsx'
import { tell } from '../../../kit/page/toast.tsx'
import { type FieldError, newKey, post, Refusal, wasNotDone } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { useFileDrop } from '../../../kit/window/file-drop.ts'
import type { Part } from '../part-details.tsx'
import type { BomLine } from '../part-reading.ts'
import { guessColumns, NAMES_COMPONENT } from './guess-columns.ts'
import { type Reading, ReadingChoices } from './reading-choices.tsx'

/** Maximum number of table rows shown; all of them are checked, and those with errors come first. */
const SHOWN = 100

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
const COMPONENT = new Set([...NAMES_COMPONENT, 'level', 'dnp', 'fitted', 'errors'])

type Properties = {
  part: Part
  lines: readonly BomLine[]
  /** The table, if it is already available. */
  table?: File
  onDone: () => void
  onClose: () => void
}

/** Creates lines from a table in a file, in three steps: the file, the meaning of its columns, and the result for each row. */
export function BomImport({ part, lines, table: given, onDone, onClose }: Properties) {
  const table = useSignal<Uploaded | undefined>(undefined)
  const columns = useSignal<readonly string[]>([])
  /** The columns whose meaning the user selected. */
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const found = useSignal<Extracted | undefined>(undefined)
  /** The file, and how to read it if the user specified that. */
  const file = useRef<File | undefined>(undefined)
  const reading = useRef<Partial<Reading>>({})
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  /** The meanings guessed for the columns, and the meanings that the loaded result is for. */
  const guessed = useRef<readonly string[]>([])
  const known = useRef<readonly string[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const make = useRef<HTMLButtonElement>(null)

  /** Shows why a request was rejected, rather than throwing the error. */
  async function attempt(what: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      await what()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (wasNotDone(error)) key.current = newKey()
      problem.value = textOf(error)
    } finally {
      isBusy.value = false
    }
  }
  const upload = (given: File | undefined, how: Partial<Reading> = {}) =>
    given &&
    attempt(async () => {
      file.current = given
      const form = new FormData()
      form.set('data_file', given)
      form.set('part', String(part.pk))
      form.set('clear_existing_bom', 'false')
      for (const [name, value] of Object.entries(how)) if (value !== undefined) form.set(name, String(value))
      const { body } = await post<Uploaded>('/api/bom/import/upload/', form)
      guessed.current = await guessColumns(meantBy(body), body.rows, knownNumbers)
      reading.current = how
      table.value = body
      columns.value = guessed.current
      chosen.value = new Set()
      found.value = undefined
    })
  useEffect(() => {
    upload(given)
  }, [])
  const drop = useFileDrop(([file]) => upload(file))
  // looks the rows up again whenever a column gets another meaning; a response for the previous meaning is ignored
  useEffect(() => {
    const { value: read } = table
    if (!read || columns.value === known.current) return
    let isOld = false
    found.value = undefined
    problem.value = undefined
    const meant = columns.value
    extract(read, meant, part.pk).then(
      (extracted) => {
        if (isOld) return
        // this result is already loaded, so setting the columns to it causes no second request
        known.current = meant
        found.value = extracted
      },
      (error) => {
        if (!(error instanceof Refusal)) throw error
        if (!isOld) problem.value = textOf(error)
      },
    )
    return () => {
      isOld = true
    }
  }, [table.value, columns.value])
  useEffect(() => {
    // a user who is selecting the meaning of columns keeps the focus there
    if (found.value && !(document.activeElement instanceof HTMLSelectElement)) make.current?.focus()
  }, [found.value])

  const has = new Set(lines.map(({ sub_part }) => sub_part))
  const good = found.value?.rows.filter(({ data }) => Object.keys(data.errors).length === 0 && data.part !== null) ?? []
  const fresh = good.filter(({ data }) => !has.has(data.part as number))
  const submit = () =>
    attempt(async () => {
      const items = fresh.map(({ data }) => ({
        ...Object.fromEntries(Object.entries(data).filter(([name]) => !COMPONENT.has(name))),
        part: part.pk,
        sub_part: data.part,
      }))
      const { body } = await post<{ items: unknown[] }>('/api/bom/import/submit/', { items }, key.current)
      tell(count('parts.imported', body.items.length))
      onDone()
    })
  const read = table.value
  /** Whether the meaning of a column comes neither from its heading nor from the user. */
  const isGuess = (at: number) =>
    !!read && !!columns.value[at] && !chosen.value.has(at) && columns.value[at] !== meantBy(read)[at]
  return (
    <Dialog title={t(given ? 'parts.pasted' : 'parts.import')} onClose={onClose} size="wide">
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
            isPasted={given !== undefined}
            isBusy={isBusy.value}
            // another sheet has its headings in another row
            onChoose={(how) =>
              upload(file.current, { ...reading.current, ...(how.sheet ? { heading_row: undefined } : {}), ...how })
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
                          found.value = undefined
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
                {rowsShown(read, columns.value, found.value).map(({ cells, data, rows, name }, at) => (
                  <tr key={at}>
                    <td>
                      {data && <Found row={data} isThere={data.part !== null && has.has(data.part)} />}
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
          {read.rows.length > SHOWN && <p class="quiet-text">{t('parts.import-more', { count: read.rows.length - SHOWN })}</p>}
          {found.value?.quantity_counted && <p class="quiet-text">{t('parts.import-counted')}</p>}
          {found.value && <Skipped rows={found.value.skipped} />}
          {found.value && found.value.rows.length > fresh.length && (
            <p class="quiet-text">{count('parts.import-passed-over', found.value.rows.length - fresh.length)}</p>
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
const meantBy = ({ file_fields }: Uploaded): string[] => Object.values(file_fields).map(({ value }) => value ?? '')

/** The headings of a table, or the positions of its columns. */
const headingsOf = ({ file_fields, heading_row }: Uploaded): string[] =>
  Object.keys(file_fields).map((heading, at) => (heading_row === 0 ? t('parts.pasted-column', { at: at + 1 }) : heading))

/** Returns those of the texts that are numbers or names of parts. Looks up none if there are more texts than a table may have rows. */
async function knownNumbers(texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length > 5_000) return new Set()
  const { rows } = await lookInto({ columns: ['part', 'quantity'], rows: texts.map((text) => [text, '1']) })
  // two texts may name the same part
  return new Set(
    rows.flatMap(({ row_numbers, data }) => (data.part !== null ? row_numbers.map((at) => texts[at - 1] ?? '') : [])),
  )
}

/** The first five errors, each once. */
const textOf = (error: Refusal): string => [...new Set(Object.values(error.fields).flat())].slice(0, 5).join(' ') || error.message

type ImportRow = { cells: readonly (string | null)[]; rows: readonly number[]; data?: Row; name?: string }

/** The first rows of a table, with the rows that have errors first once those are known. */
function rowsShown(read: Uploaded, columns: readonly string[], found: Extracted | undefined): ImportRow[] {
  if (!found) return read.rows.slice(0, SHOWN).map((cells, at) => ({ cells, rows: [read.row_numbers[at] ?? 0] }))
  const wrong = ({ data }: { data: Row }) => Number(Object.keys(data.errors).length > 0)
  return found.rows
    .toSorted((one, other) => wrong(other) - wrong(one))
    .slice(0, SHOWN)
    .map(({ original, data, row_numbers, part_detail }) => ({
      cells: original.map((cell, at) => shownAs(columns[at] ?? '', cell, data)),
      rows: row_numbers,
      data,
      name: part_detail?.full_name,
    }))
}

/** A cell as the line has it: the sum of quantities and all references of several rows; numbers in the reader's format. */
function shownAs(name: string, cell: string | null, data: Row): string | null {
  if (!['quantity', 'overage', 'reference'].includes(name) || data.errors[name]) return cell
  const text = data[name] === null || data[name] === undefined ? null : String(data[name])
  return name === 'reference' ? text : (text?.replace(/^\d+(\.\d+)?(?=\s*%?$)/, (amount) => number(amount)) ?? null)
}

/** Requests the result for the rows, with errors in the reader's language. */
async function extract(read: Uploaded, columns: readonly string[], part: number): Promise<Extracted> {
  const { rows, row_numbers, separator } = read
  const asked = { columns, rows, row_numbers, part, decimal_separator: decimalSign(), is_workbook: separator === null }
  const extracted = await lookInto(asked)
  return {
    ...extracted,
    rows: extracted.rows.map((row) => {
      const errors = Object.fromEntries(row.field_errors.map((error) => [error.pointer.slice(1), errorText(error)]))
      return { ...row, data: { ...row.data, errors } }
    }),
  }
}

const lookInto = async (body: object): Promise<Extracted> => (await post<Extracted>('/api/bom/import/extract/', body)).body

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
function Found({ row, isThere }: { row: Row; isThere: boolean }) {
  const problems = Object.values(row.errors)
  if (problems.length > 0) return <Badge tone="bad">{problems.join(' ')}</Badge>
  if (isThere) return <Badge>{t('parts.import-there')}</Badge>
  return <Badge tone="good">{t('parts.import-ok')}</Badge>
}
