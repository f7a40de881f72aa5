import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isSingleText, readDelimited } from '../../../spreadsheets/delimited-text.ts'
import { Problem } from '../../kit/form/form-footer.tsx'
import { formatDateTime, formatNumber, getDecimalSeparator, t } from '../../kit/language/language.ts'
import { navigate, readQuery, routeLocation } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty, Page, Panel } from '../../kit/page/page.tsx'
import { ApiError, change, isNotExecuted, newKey, post } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import { useFileDrop } from '../../kit/window/file-drop.ts'
import { IMPORT_TYPES, listImportTypes } from './import-types.ts'
import { getFileName, getTypeTitle, type Session, STATUS } from './session-details.ts'

/** The files that an import reads. */
const FILE_TYPES = '.csv,.tsv,.txt,.xlsx,.xls,.ods,.xml'

const METADATA: ResourceMetadata = {
  path: '/api/importer/session/',
  fields: {},
  filters: {},
  orders: ['timestamp', 'status', 'model_type'],
}

const COLUMNS: readonly Column<Session>[] = [
  {
    name: 'data_file',
    title: () => t('import.file'),
    order: null,
    cell: (session) => <a href={`/import/${session.pk}/`}>{getFileName(session)}</a>,
  },
  {
    name: 'model_type',
    title: () => t('import.type'),
    width: '14rem',
    isWide: true,
    cell: ({ model_type }) => getTypeTitle(model_type),
  },
  { name: 'status', title: () => t('import.state'), width: '11rem', cell: (session) => <SessionState session={session} /> },
  {
    name: 'rows',
    title: () => t('import.rows'),
    order: null,
    width: '7rem',
    align: 'end',
    cell: ({ file_row_count, row_count }) => formatNumber(file_row_count ?? row_count),
  },
  {
    name: 'completed',
    title: () => t('import.imported-rows'),
    order: null,
    width: '8rem',
    align: 'end',
    isWide: true,
    cell: ({ completed_row_count }) => formatNumber(completed_row_count),
  },
  {
    name: 'timestamp',
    title: () => t('import.started'),
    width: '13rem',
    isWide: true,
    cell: ({ timestamp }) => formatDateTime(timestamp),
  },
]

/** Whether an import waits for its user, or is complete. */
export const SessionState = ({ session: { status, completed_row_count } }: { session: Session }) =>
  status === STATUS.complete ? (
    <Badge tone="good">{t('import.state.complete')}</Badge>
  ) : status === STATUS.reading ? (
    <Badge tone="accent">{t('import.state.reading')}</Badge>
  ) : (
    <Badge tone="warn">{t(completed_row_count > 0 ? 'import.state.partly' : 'import.state.open')}</Badge>
  )

/** `/import/`: starts an import, and lists those of the account. */
export function ImportsPage() {
  const types = listImportTypes()
  return (
    <Page title={t('import.title')}>
      <div class="import-steps">
        {types.length > 0 ? (
          <NewImport types={types} />
        ) : (
          <Empty icon="file" title={t('import.not-allowed')}>
            <p>{t('import.not-allowed-text')}</p>
          </Empty>
        )}
        <Panel title={t('import.list')}>
          <Table
            metadata={METADATA}
            columns={COLUMNS}
            filters={['status']}
            filterChoices={{
              status: [
                [String(STATUS.mapping), t('import.status.mapping')],
                [String(STATUS.checked), t('import.status.checked')],
                [String(STATUS.complete), t('import.state.complete')],
              ],
            }}
            to={({ pk }) => `/import/${pk}/`}
            title={t('import.list')}
            isEmbedded
            empty={<Empty icon="file" title={t('import.none')} />}
          />
        </Panel>
      </div>
    </Page>
  )
}

/** The values that all rows have, from the address: `with.order=5`. */
const readFixedValues = (): Record<string, string> =>
  Object.fromEntries(
    [...routeLocation.value.query].flatMap(([name, value]) =>
      name.startsWith('with.') ? [[name.slice('with.'.length), value]] : [],
    ),
  )

/** Asks for a file and what it holds. */
function NewImport({ types }: { types: readonly string[] }) {
  const asked = readQuery('type')
  const type = useSignal(asked && types.includes(asked) ? asked : (types[0] as string))
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  const key = useRef(newKey())

  async function upload(file: File | undefined): Promise<void> {
    if (!file || isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      const form = new FormData()
      form.set('data_file', file)
      form.set('model_type', type.value)
      const separator = getDecimalSeparator()
      if (separator === '.' || separator === ',') form.set('decimal_separator', separator)
      const { defaults } = IMPORT_TYPES[type.value] ?? {}
      if (defaults) form.set('field_defaults', JSON.stringify(defaults))
      const fixed = type.value === asked ? readFixedValues() : {}
      if (Object.keys(fixed).length > 0) form.set('field_overrides', JSON.stringify(fixed))
      const { body } = await post<Session>('/api/importer/session/', form, key.current)
      key.current = newKey()
      await selectMatch(body)
      navigate(`/import/${body.pk}/`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isNotExecuted(error)) key.current = newKey()
      problem.value = error.text
    } finally {
      isBusy.value = false
    }
  }
  const drop = useFileDrop(([file]) => upload(file))
  const current = useRef(upload)
  current.current = upload
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
      const file = event.clipboardData?.files[0] ?? toTableFile(event.clipboardData?.getData('text/plain') ?? '')
      if (!file) return
      event.preventDefault()
      void current.current(file)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
  return (
    <Panel title={t('import.new')}>
      <div class="fields">
        <label class="field">
          {t('import.type')}
          <select
            value={type.value}
            onChange={(event) => {
              type.value = event.currentTarget.value
            }}
          >
            {types.map((name) => (
              <option key={name} value={name}>
                {getTypeTitle(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class={drop.isOver ? 'drop over' : 'drop'} {...drop.handlers}>
        <p>{t('import.text')}</p>
        <input
          ref={input}
          type="file"
          hidden
          accept={FILE_TYPES}
          onChange={(event) => {
            const { currentTarget: field } = event
            void upload(field.files?.[0])
            field.value = ''
          }}
        />
        <div class="buttons">
          <button type="button" class="primary" disabled={isBusy.value} onClick={() => input.current?.click()}>
            <Icon name="file" />
            {t(isBusy.value ? 'import.reading-file' : 'import.select-file')}
          </button>
        </div>
        <p class="drop-hint">{t('import.drop')}</p>
        <Problem form={{ problem }} />
      </div>
    </Panel>
  )
}

/** A pasted table as a file; undefined for a single value. */
function toTableFile(text: string): File | undefined {
  const { rows, separator } = readDelimited(text)
  if (
    isSingleText(
      rows.filter((row) => row.some((cell) => cell.trim())),
      separator,
    )
  )
    return undefined
  return new File([text], separator === '\t' ? 'pasted.tsv' : 'pasted.csv', { type: 'text/plain' })
}

/** Lets rows find existing objects by their key if the file was exported here, otherwise by the best field that it has. */
async function selectMatch({ pk, model_type, columns, column_mappings }: Session): Promise<void> {
  const mapped = new Set(column_mappings.flatMap(({ field, column }) => (column ? [field] : [])))
  const matched = IMPORT_TYPES[model_type]?.matches?.find((name) => mapped.has(name))
  const { keyHeading = 'pk' } = IMPORT_TYPES[model_type] ?? {}
  const body = ['pk', keyHeading].includes(columns[0] ?? '')
    ? { update_records: true }
    : matched
      ? { match_field: matched }
      : undefined
  if (body) await change(`/api/importer/session/${pk}/`, body, undefined)
}
