import { type Signal, useSignal } from '@preact/signals'
import { Confirm } from '../../../kit/form/confirm.tsx'
import { count, formatDateTime, formatNumber, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { Figures } from '../../../kit/page/figures.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { attempt, showToast } from '../../../kit/page/toast.tsx'
import { type Page, postQuery, removeSeveral } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { isStaff } from '../settings-pages.ts'
import { formatInterval, getTaskName } from './format.ts'
import { ProgressLine } from './progress-line.tsx'
import { useRefreshWhile } from './refresh-while.ts'

type Overview = { is_running: boolean; pending_tasks: number; failed_tasks: number; scheduled_tasks: number }
type Running = { pk: string; func: string; started: string; attempt_count: number; done: number | null; total: number | null }
type Pending = { pk: number; func: string; lock: string; attempt_count: number }
type Failed = { pk: string; func: string; stopped: string; attempt_count: number; result: string }
type Scheduled = {
  pk: number
  name: string
  func: string
  minutes: number
  last_run: string | null
  next_run: string | null
  success: boolean
}
type Data = {
  overview: Overview
  running: Running[]
  pending: Page<Pending>
  failed: Page<Failed>
  scheduled: Page<Scheduled>
}

const PATH = '/api/background-task/'
/** Number of pending and of failed tasks that are shown. */
const SHOWN_TASKS = 50

/** The question before a deletion. */
type Question = { title: string; about: string; run: () => Promise<unknown> }

/** `/settings/tasks/`: background tasks of all nodes, by their state, and schedules. */
export const BackgroundTasksPage = () => <SettingsPage title={t('operation.tasks')}>{isStaff() && <TaskLists />}</SettingsPage>

function TaskLists() {
  const { data, error, reload } = useRead<Data>({
    overview: PATH,
    running: `${PATH}running/`,
    pending: `${PATH}pending/?limit=${SHOWN_TASKS}`,
    failed: `${PATH}failed/?limit=${SHOWN_TASKS}&ordering=-stopped`,
    scheduled: `${PATH}scheduled/?limit=100`,
  })
  const question = useSignal<Question | undefined>(undefined)
  const overview = data?.overview.body
  useRefreshWhile((data?.running.body.length ?? 0) > 0 || (overview?.pending_tasks ?? 0) > 0, reload)
  if (error) return <LoadError error={error} />
  if (!data || !overview) return null
  return (
    <>
      <Figures
        rows={[
          [
            t('operation.tasks.worker'),
            t(overview.is_running ? 'operation.tasks.worker.on' : 'operation.tasks.worker.off'),
            overview.is_running ? undefined : 'warn',
          ],
          [t('operation.tasks.running'), formatNumber(data.running.body.length)],
          [t('operation.tasks.pending'), formatNumber(overview.pending_tasks)],
          [t('operation.tasks.failed'), formatNumber(overview.failed_tasks), overview.failed_tasks > 0 ? 'bad' : undefined],
        ]}
      />
      <RunningTasks tasks={data.running.body} />
      <FailedTasks page={data.failed.body} question={question} reload={reload} />
      <PendingTasks page={data.pending.body} question={question} reload={reload} />
      <Schedules schedules={data.scheduled.body.results} />
      {question.value && (
        <Confirm
          title={question.value.title}
          button={t('operation.task.delete')}
          onConfirm={async () => {
            await question.value?.run()
            showToast(t('operation.task.deleted'))
            reload()
          }}
          onClose={() => {
            question.value = undefined
          }}
        >
          <p>{question.value.about}</p>
        </Confirm>
      )}
    </>
  )
}

const taskColumn = {
  name: 'task',
  title: () => t('operation.task'),
  cell: ({ func }: { func: string }) => getTaskName(func),
} as const
const attemptsColumn = {
  name: 'attempts',
  title: () => t('operation.task.attempts'),
  align: 'end',
  isWide: true,
  cell: ({ attempt_count }: { attempt_count: number }) => formatNumber(attempt_count),
} as const

/** Says how many of all tasks are shown, if these are not all. */
const Shown = ({ page }: { page: Page<unknown> }) =>
  page.count > page.results.length ? (
    <p class="help">
      {t('operation.tasks.first', { count: formatNumber(page.results.length), total: formatNumber(page.count) })}
    </p>
  ) : null

const RunningTasks = ({ tasks }: { tasks: readonly Running[] }) => (
  <Panel title={t('operation.tasks.running')}>
    {tasks.length === 0 ? (
      <p class="quiet-text">{t('operation.tasks.running.none')}</p>
    ) : (
      <ShortTable
        title={t('operation.tasks.running')}
        // rows of a table have numbers as keys
        rows={tasks.map((task, index) => ({ ...task, pk: index }))}
        columns={[
          taskColumn,
          { name: 'started', title: () => t('operation.task.started'), cell: ({ started }) => formatDateTime(started) },
          attemptsColumn,
          {
            name: 'progress',
            title: () => t('operation.task.progress'),
            cell: ({ done, total }) =>
              done !== null &&
              total !== null && (
                <ProgressLine text={`${formatNumber(done)} / ${formatNumber(total)}`} done={done} total={total} />
              ),
          },
        ]}
      />
    )}
  </Panel>
)

type ListProperties<Task> = { page: Page<Task>; question: Signal<Question | undefined>; reload: () => void }

function FailedTasks({ page, question, reload }: ListProperties<Failed>) {
  const retry = async (tasks: readonly { key: string }[]) => {
    const items = tasks.map(({ key }) => key)
    await attempt(async () => {
      const { body } = await postQuery<{ retried: number }>(`${PATH}failed/retry/`, { items })
      showToast(count('operation.task.retried', body.retried))
      reload()
    })
  }
  const rows = page.results.map((task, index) => ({ ...task, key: task.pk, pk: index }))
  const removeAll = () =>
    removeSeveral(
      `${PATH}failed/`,
      rows.map(({ key }) => key),
    )
  return (
    <Panel
      title={t('operation.tasks.failed')}
      actions={
        rows.length > 1 && (
          <>
            <button type="button" onClick={() => retry(rows)}>
              {t('operation.task.retry-all')}
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                question.value = {
                  title: t('operation.task.delete-failed-ask'),
                  about: t('operation.task.delete-failed.about'),
                  run: removeAll,
                }
              }}
            >
              {t('operation.task.delete-all')}
            </button>
          </>
        )
      }
    >
      {rows.length === 0 ? (
        <p class="quiet-text">{t('operation.tasks.failed.none')}</p>
      ) : (
        <ShortTable
          title={t('operation.tasks.failed')}
          rows={rows}
          columns={[
            taskColumn,
            {
              name: 'stopped',
              title: () => t('operation.task.stopped'),
              isWide: true,
              cell: ({ stopped }) => formatDateTime(stopped),
            },
            attemptsColumn,
            { name: 'error', title: () => t('operation.task.error'), cell: ({ result }) => <span class="error">{result}</span> },
            {
              name: 'actions',
              title: () => '',
              align: 'end',
              cell: (task) => (
                <span class="row-actions">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t('operation.task.retry-one', { task: getTaskName(task.func) })}
                    onClick={() => retry([task])}
                  >
                    {t('operation.task.retry')}
                  </button>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={t('operation.task.delete-one', { task: getTaskName(task.func) })}
                    onClick={() => {
                      question.value = {
                        title: t('operation.task.delete-ask', { task: getTaskName(task.func) }),
                        about: t('operation.task.delete-failed.about'),
                        run: () => removeSeveral(`${PATH}failed/`, [task.key]),
                      }
                    }}
                  >
                    {t('operation.task.delete')}
                  </button>
                </span>
              ),
            },
          ]}
        />
      )}
      <Shown page={page} />
    </Panel>
  )
}

const PendingTasks = ({ page, question }: ListProperties<Pending>) => (
  <Panel title={t('operation.tasks.pending')}>
    {page.results.length === 0 ? (
      <p class="quiet-text">{t('operation.tasks.pending.none')}</p>
    ) : (
      <ShortTable
        title={t('operation.tasks.pending')}
        rows={page.results}
        columns={[
          {
            ...taskColumn,
            cell: ({ func, attempt_count }) => (
              <>
                {getTaskName(func)} {attempt_count > 0 && <Badge tone="bad">{t('operation.task.retried')}</Badge>}
              </>
            ),
          },
          { name: 'due', title: () => t('operation.task.due'), cell: ({ lock }) => formatDateTime(lock) },
          attemptsColumn,
          {
            name: 'actions',
            title: () => '',
            align: 'end',
            cell: ({ pk, func }) => (
              <button
                type="button"
                class="quiet"
                aria-label={t('operation.task.delete-one', { task: getTaskName(func) })}
                onClick={() => {
                  question.value = {
                    title: t('operation.task.delete-ask', { task: getTaskName(func) }),
                    about: t('operation.task.delete-pending.about'),
                    run: () => removeSeveral(`${PATH}pending/`, [pk]),
                  }
                }}
              >
                {t('operation.task.delete')}
              </button>
            ),
          },
        ]}
      />
    )}
    <Shown page={page} />
  </Panel>
)

const Schedules = ({ schedules }: { schedules: readonly Scheduled[] }) => (
  <Panel title={t('operation.tasks.scheduled')}>
    <ShortTable
      title={t('operation.tasks.scheduled')}
      rows={schedules}
      columns={[
        {
          name: 'task',
          title: () => t('operation.task'),
          cell: ({ name, func, success }) => (
            <>
              {getTaskName(func) === func ? name : getTaskName(func)}{' '}
              {!success && <Badge tone="bad">{t('operation.task.last-failed')}</Badge>}
            </>
          ),
        },
        {
          name: 'every',
          title: () => t('operation.task.every'),
          isWide: true,
          cell: ({ minutes }) => formatInterval(minutes),
        },
        {
          name: 'last',
          title: () => t('operation.task.last-run'),
          cell: ({ last_run }) => (last_run === null ? t('operation.task.not-run') : formatDateTime(last_run)),
        },
        { name: 'next', title: () => t('operation.task.next-run'), cell: ({ next_run }) => formatDateTime(next_run) || '–' },
      ]}
    />
  </Panel>
)
