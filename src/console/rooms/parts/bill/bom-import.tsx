import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../../kit/form/form-end.tsx'
import { count, decimalSign, errorText, number, t } from '../../../kit/language/language.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { Badge } from '../../../kit/page/page.tsx'
import { tell } from '../../../kit/page/toast.tsx'
import { type FieldError, newKey, post, Refusal, wasNotDone } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import { useDrop } from '../../../kit/window/drop.ts'
import type { Part } from '../part-facts.tsx'
import type { BomLine } from '../part-reading.ts'
import { guessColumns, NAMES_COMPONENT } from './guess-columns.ts'
import { importedNumbers } from './imported-number.ts'

/** The most rows that are shown of a table; all of them are looked into, and those with something wrong come first. */
const SHOWN = 100

/** A table as the service read it out of a file. */
type Uploaded = {
  file_fields: Record<string, { value?: string }>
  model_fields: Record<string, { required?: boolean }>
  rows: (string | null)[][]
  filename: string
}
/** A row of it, with the component that was found, and what is wrong, by field. */
type Extracted = { rows: { original: (string | null)[]; data: Row; field_errors: FieldError[] }[] }
type Row = { part: number | null; errors: Record<string, string> } & Record<string, unknown>

/** Columns that name the component: of a line they are its `sub_part`. */
const COMPONENT = new Set([...NAMES_COMPONENT, 'level', 'errors'])

type Properties = {
  part: Part
  lines: readonly BomLine[]
  /** The table, where it is there already. */
  table?: File
  onDone: () => void
  onClose: () => void
}

/** Makes lines of a table in a file, in three steps: the file, what its columns mean, and what is found for each row. */
export function BomImport({ part, lines, table: given, onDone, onClose }: Properties) {
  const table = useSignal<Uploaded | undefined>(undefined)
  const columns = useSignal<readonly string[]>([])
  /** The columns of which somebody said what they mean. */
  const chosen = useSignal<ReadonlySet<number>>(new Set())
  const found = useSignal<Extracted['rows'] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const key = useRef(newKey())
  /** What the columns are taken for before somebody says it, and the meaning of which all is found. */
  const guessed = useRef<readonly string[]>([])
  const known = useRef<readonly string[]>([])
  const chooser = useRef<HTMLInputElement>(null)
  const make = useRef<HTMLButtonElement>(null)

  /** Shows why something was refused, rather than throwing it. */
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
  const upload = (file: File | undefined) =>
    file &&
    attempt(async () => {
      const form = new FormData()
      form.set('data_file', file)
      form.set('part', String(part.pk))
      form.set('clear_existing_bom', 'false')
      const { body } = await post<Uploaded>('/api/bom/import/upload/', form)
      guessed.current = await guessColumns(meantBy(body), body.rows, knownNumbers)
      table.value = body
      columns.value = guessed.current
      chosen.value = new Set()
      found.value = undefined
    })
  useEffect(() => {
    upload(given)
  }, [])
  const drop = useDrop(([file]) => upload(file))
  // what is found is looked up anew whenever a column gets another meaning; an answer to what it meant before is nothing any more
  useEffect(() => {
    const { value: read } = table
    if (!read || columns.value === known.current) return
    let isOld = false
    found.value = undefined
    problem.value = undefined
    extract(read, columns.value, columns.value === guessed.current).then(
      ({ rows, meant }) => {
        if (isOld) return
        // it is found already: what follows is not asked for again
        known.current = meant
        columns.value = meant
        found.value = rows
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
    // whoever says what columns mean goes on with that
    if (found.value && !(document.activeElement instanceof HTMLSelectElement)) make.current?.focus()
  }, [found.value])

  const has = new Set(lines.map(({ sub_part }) => sub_part))
  const good = found.value?.filter(({ data }) => Object.keys(data.errors).length === 0 && data.part !== null) ?? []
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
  /** Whether a column is taken for something that neither its heading nor anybody says. */
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
            accept=".csv,.tsv,.xlsx,.xls,.xml"
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
          <div class="short-table import">
            <table aria-label={t('parts.import')}>
              <thead>
                <tr>
                  <th scope="col">{t('parts.import-found')}</th>
                  {Object.keys(read.file_fields).map((heading, at) => (
                    <th key={heading} scope="col">
                      {heading}
                      <select
                        aria-label={t('parts.import-meaning', { column: heading })}
                        aria-describedby={isGuess(at) ? `guess-${at}` : undefined}
                        value={columns.value[at]}
                        onChange={(event) => {
                          // what was found by what it meant before is not made any more, not for a moment
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
                {rowsShown(read, found.value).map(({ cells, data }, at) => (
                  <tr key={at}>
                    <td>{data && <Found row={data} isThere={data.part !== null && has.has(data.part)} />}</td>
                    {cells.map((cell, column) => (
                      <td key={column}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {read.rows.length > SHOWN && <p class="quiet-text">{t('parts.import-more', { count: read.rows.length - SHOWN })}</p>}
          {found.value && found.value.length > fresh.length && (
            <p class="quiet-text">{count('parts.import-passed-over', found.value.length - fresh.length)}</p>
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

/** What the columns of a table mean by their headings; an empty text where that is not known. */
const meantBy = ({ file_fields }: Uploaded): string[] => Object.values(file_fields).map(({ value }) => value ?? '')

/** Which of these texts are IPNs of parts. More than a table may have rows are not asked about. */
async function knownNumbers(texts: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } =
    texts.length > 5_000
      ? { rows: [] }
      : await lookInto(
          ['part_ipn', 'quantity'],
          texts.map((text) => [text, '1']),
        )
  return new Set(rows.flatMap(({ original: [text], data }) => (data.part !== null && text ? [text] : [])))
}

/** The first things that are wrong, each once. */
const textOf = (error: Refusal): string => [...new Set(Object.values(error.fields).flat())].slice(0, 5).join(' ') || error.message

/** The first rows of a table: those with something wrong before the others, once that is known. */
function rowsShown(read: Uploaded, found: Extracted['rows'] | undefined): { cells: (string | null)[]; data?: Row }[] {
  if (!found) return read.rows.slice(0, SHOWN).map((cells) => ({ cells }))
  const wrong = ({ data }: { data: Row }) => Number(Object.keys(data.errors).length > 0)
  return found
    .toSorted((one, other) => wrong(other) - wrong(one))
    .slice(0, SHOWN)
    .map(({ original, data }) => ({ cells: original, data }))
}

/**
 * Looks into the rows. A column that is called as parts are has their numbers in many a file: it is taken for these where that finds more.
 * @param mayGuess nobody said yet what the columns mean
 */
async function extract(read: Uploaded, meant: readonly string[], mayGuess: boolean) {
  const rows = await extracted(read, meant)
  const other = meant.map((name) => (name === 'part' || name === 'part_name' ? 'part_ipn' : name))
  if (!mayGuess || rows.every(({ data }) => data.part !== null) || other.indexOf('part_ipn') !== other.lastIndexOf('part_ipn'))
    return { rows, meant }
  const byNumber = await extracted(read, other)
  const foundIn = (some: Extracted['rows']) => some.filter(({ data }) => data.part !== null).length
  return foundIn(byNumber) > foundIn(rows) ? { rows: byNumber, meant: other } : { rows, meant }
}

/** Columns of numbers. */
const NUMBERS = ['quantity', 'overage']

/** The rows with their numbers as the service reads them, shown as the reader writes them. One that can be read in two ways is wrong. */
async function extracted(read: Uploaded, columns: readonly string[]): Promise<Extracted['rows']> {
  const isText = /\.[ct]sv$/i.test(read.filename)
  const numbers = NUMBERS.flatMap((name) => {
    const at = columns.indexOf(name)
    if (at < 0) return []
    const cells = read.rows.map((row) => row[at] ?? null)
    const amounts = importedNumbers(cells, decimalSign(), isText)
    return [{ name, at, amounts, unsure: new Set(cells.filter((_, place) => amounts[place] === undefined)) }]
  })
  const rows = read.rows.map((row, place) =>
    numbers.reduce<(string | null)[]>((cells, { at, amounts }) => cells.with(at, amounts[place] ?? cells[at] ?? null), row),
  )
  const { rows: found } = await lookInto(columns, rows)
  return found.map((row) => {
    const original = [...row.original]
    const errors = Object.fromEntries(row.field_errors.map((error) => [error.pointer.slice(1), errorText(error)]))
    for (const { name, at, unsure } of numbers) {
      const cell = original[at] ?? ''
      if (unsure.has(cell)) errors[name] = t('parts.import-unsure', { number: cell })
      else original[at] = cell.replace(/^\d+(\.\d+)?(?=\s*%?$)/, (amount) => number(amount))
    }
    return { ...row, original, data: { ...row.data, errors } }
  })
}

const lookInto = async (columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Promise<Extracted> =>
  (await post<Extracted>('/api/bom/import/extract/', { columns, rows })).body

/** What became of a row. What is wrong with it does not come as a refusal, so nobody translated it before. */
function Found({ row, isThere }: { row: Row; isThere: boolean }) {
  const problems = Object.values(row.errors)
  if (problems.length > 0) return <Badge tone="bad">{problems.join(' ')}</Badge>
  if (isThere) return <Badge>{t('parts.import-there')}</Badge>
  return <Badge tone="good">{t('parts.import-ok')}</Badge>
}
