import metadata from 'metadata:/api/print-job/'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { translateTemplateName } from '../../../kit/files/built-in-templates.ts'
import { Confirm } from '../../../kit/form/confirm.tsx'
import {
  choiceLabel,
  count,
  errorText,
  formatDateTime,
  formatNumber,
  type ServiceError,
  t,
} from '../../../kit/language/language.ts'
import { routeLocation } from '../../../kit/navigation/router.ts'
import { Badge, DescriptionList, Empty } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { post, toFileUrl } from '../../../kit/service/api.ts'
import { account } from '../../../kit/service/session.ts'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import type { Rows } from '../../../kit/table/table-rows.ts'
import { MessageDialog } from '../../../kit/window/dialog.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { useRefresh } from './machine.ts'

type PrintJob = {
  pk: number
  id: string
  status: 'waiting' | 'running' | 'done' | 'failed' | 'unknown' | 'cancelled'
  user: number
  username: string
  kind: string
  template: number
  template_name: string | null
  object: number | null
  object_name: string | null
  object_count: number
  plugin: string | null
  machine: string | null
  machine_name: string | null
  done: number
  total: number | null
  file: string | null
  warnings: ServiceError[]
  field_errors: ServiceError[]
  created: string
  finished: string | null
}

const REFRESH_MS = 3_000

const TONES = {
  waiting: undefined,
  running: 'accent',
  done: 'good',
  failed: 'bad',
  unknown: 'warn',
  cancelled: undefined,
} as const

/** Pages of the printed objects, by the kind of template. */
const OBJECT_PAGES: Readonly<Record<string, string>> = {
  'label/part': '/part/',
  'label/stock': '/stock/item/',
  'label/location': '/stock/location/',
  'report/bom': '/part/',
  'report/build': '/build/',
  'report/po': '/order/purchase-order/',
  'report/ro': '/order/return-order/',
  'report/slr': '/stock/location/',
  'report/so': '/order/sales-order/',
  'report/test': '/stock/item/',
}

/** The actions that a person has on a job. */
type JobActions = Record<'cancel' | 'retry' | 'show', (job: PrintJob) => void>

const createColumns = ({ cancel, retry, show }: JobActions): readonly Column<PrintJob>[] => [
  {
    name: 'created',
    title: () => t('print-jobs.created'),
    width: '12.5rem',
    isWide: true,
    cell: ({ created }) => formatDateTime(created),
  },
  { name: 'template', title: () => t('print-jobs.what'), order: null, cell: (job) => <PrintedContent job={job} /> },
  {
    name: 'username',
    title: () => t('print-jobs.who'),
    order: null,
    width: '9rem',
    isWide: true,
    cell: ({ username }) => username,
  },
  {
    name: 'machine',
    title: () => t('print-jobs.printer'),
    order: null,
    width: '11rem',
    isWide: true,
    cell: (job) => getPrinterName(job),
  },
  { name: 'status', order: null, width: '9rem', cell: (job) => <JobStatus job={job} onShow={() => show(job)} /> },
  {
    name: 'result',
    title: () => t('print-jobs.result'),
    order: null,
    isWide: true,
    cell: (job) => <JobResult job={job} />,
  },
  {
    name: 'finished',
    title: () => t('print-jobs.finished'),
    width: '11rem',
    isExtra: true,
    cell: ({ finished }) => formatDateTime(finished),
  },
  {
    name: 'actions',
    title: () => t('print-jobs.actions'),
    order: null,
    width: '10.5rem',
    align: 'end',
    cell: (job) => {
      const [text, run] = isUnfinished(job)
        ? [t('print-jobs.cancel'), cancel]
        : [t(job.status === 'done' ? 'print-jobs.again' : 'print-jobs.retry'), retry]
      return (
        <button type="button" class="quiet" aria-label={`${text}: ${getJobName(job)}`} onClick={() => run(job)}>
          {text}
        </button>
      )
    },
  },
]

const isUnfinished = ({ status }: PrintJob): boolean => status === 'waiting' || status === 'running'

/** A name of a job for messages: its template and its first object. */
const getJobName = ({ template_name, template, object_name }: PrintJob): string =>
  [translateTemplateName(template_name ?? `#${template}`), object_name].filter(Boolean).join(' · ')

/** The template, and the printed objects; the first one as a link. */
function PrintedContent({ job }: { job: PrintJob }) {
  const { kind, object, object_count, object_name, template_name, template } = job
  const page = OBJECT_PAGES[kind]
  const name = object_name ?? `#${object}`
  return (
    <>
      {translateTemplateName(template_name ?? `#${template}`)}
      {' · '}
      {object === null ? t('print-jobs.sample') : page && object_name !== null ? <a href={`${page}${object}/`}>{name}</a> : name}
      {object_count > 1 && <span class="wide-only"> {count('stock.and-more', object_count - 1)}</span>}
    </>
  )
}

/** The printer, or the form of the file. */
const getPrinterName = ({ plugin, machine, machine_name, kind }: PrintJob): string => {
  if (machine_name !== null) return machine_name
  if (machine !== null) return t('print-jobs.printer-deleted')
  if (plugin === 'inventreelabelmachine') return t('print-jobs.printer-last')
  if (plugin === 'inventreelabelsheet') return t('print-jobs.sheet')
  return plugin === null || plugin === 'inventreelabel' || kind.startsWith('report/') ? t('print-jobs.file') : plugin
}

/** The status, with the progress; it opens the details, which do not all fit into a row. */
function JobStatus({ job, onShow }: { job: PrintJob; onShow: () => void }) {
  const { status, done, total } = job
  const progress = status === 'running' && total !== null ? ` ${formatNumber(done)}/${formatNumber(total)}` : ''
  const text = choiceLabel(metadata.path, 'status', status)
  return (
    <button type="button" class="quiet" aria-label={`${text}${progress}: ${getJobName(job)}`} onClick={onShow}>
      <Badge tone={TONES[status]}>{text}</Badge>
      {progress}
    </button>
  )
}

function JobDetails({ job, onClose }: { job: PrintJob; onClose: () => void }) {
  return (
    <MessageDialog title={getJobName(job)} onClose={onClose}>
      <DescriptionList
        rows={[
          [t('print-jobs.what'), <PrintedContent job={job} />],
          [t('print-jobs.printer'), getPrinterName(job)],
          [t('print-jobs.who'), job.username],
          [t('print-jobs.created'), formatDateTime(job.created)],
          [t('print-jobs.finished'), formatDateTime(job.finished)],
          [t('print-jobs.result'), <JobResult job={job} />],
        ]}
      />
    </MessageDialog>
  )
}

/** The printed file, or the reason why there is none. */
function JobResult({ job: { file, field_errors, warnings, status, total } }: { job: PrintJob }) {
  const texts = [...(status === 'cancelled' ? [] : field_errors), ...warnings].map(errorText)
  return (
    <>
      {file !== null && (
        <a href={toFileUrl(file)} target="_blank" rel="noreferrer">
          {t('labels.open')}
        </a>
      )}
      {file === null && status === 'done' && total !== null && t('print-jobs.sent', { count: formatNumber(total) })}{' '}
      {texts.length > 0 && <span title={texts.join(' ')}>{texts.join(' ')}</span>}
    </>
  )
}

/** `/settings/print-jobs/`: prints in the background, those of all accounts for staff. The URL holds the filters and the printer. */
export function PrintJobsPage() {
  const rows = useRef<Rows<PrintJob>>(undefined)
  const doubtful = useSignal<PrintJob | undefined>(undefined)
  const shown = useSignal<PrintJob | undefined>(undefined)
  const reload = () => rows.current?.reload()
  useRefresh(() => rows.current?.loadedRows().some(isUnfinished) && reload(), REFRESH_MS)
  async function runRetry(job: PrintJob) {
    await post(`${metadata.path}${job.id}/retry/`)
    showToast(t('print-jobs.retried', { name: getJobName(job) }))
    reload()
  }
  const columns = useMemo(
    () =>
      createColumns({
        async cancel(job) {
          if (await attempt(() => post(`${metadata.path}${job.id}/cancel/`)))
            showToast(t('print-jobs.cancelled', { name: getJobName(job) }))
          reload()
        },
        show(job) {
          shown.value = job
        },
        retry(job) {
          // it may have been printed already
          if (job.status === 'unknown') doubtful.value = job
          else attempt(() => runRetry(job))
        },
      }).filter(({ name }) => name !== 'username' || isStaff()),
    [account.value],
  )
  const machine = routeLocation.value.query.get('machine') ?? undefined
  return (
    <SettingsPage title={t('print-jobs.title')} isFull>
      <Table
        metadata={metadata}
        columns={columns}
        filters={
          isStaff() ? ['status', 'user', 'created_after', 'created_before'] : ['status', 'created_after', 'created_before']
        }
        rareFilters={['created_after', 'created_before']}
        fixed={{ machine }}
        order="-created"
        title={t('print-jobs.title')}
        onRows={(loaded) => {
          rows.current = loaded
        }}
        toolbarEnd={machine && <a href="/settings/print-jobs/">{t('print-jobs.all-printers')}</a>}
        empty={
          <Empty icon="print" title={t('print-jobs.none')}>
            <p>{t('print-jobs.none.about')}</p>
          </Empty>
        }
      />
      {shown.value && (
        <JobDetails
          job={shown.value}
          onClose={() => {
            shown.value = undefined
          }}
        />
      )}
      {doubtful.value && (
        <Confirm
          title={t('print-jobs.retry-ask', { name: getJobName(doubtful.value) })}
          button={t('print-jobs.retry')}
          onConfirm={() => runRetry(doubtful.value as PrintJob)}
          onClose={() => {
            doubtful.value = undefined
          }}
        >
          <p>{t('print-jobs.retry.about')}</p>
        </Confirm>
      )}
    </SettingsPage>
  )
}
