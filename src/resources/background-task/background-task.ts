import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { isoTimestamp } from '../../kit/definition/field.ts'
import { orNull } from '../../kit/definition/input.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { staff } from '../../kit/request/caller.ts'
import { describeSafely } from '../error-report/redact-secrets.ts'
import { priceSchedule, readPriceRuns } from '../part/pricing/price-runs.ts'
import { retryTasks } from './failed/retry/retry.action.ts'
import { readTask } from './read-task.view.ts'
import { listRunning } from './running-tasks.ts'
import { readScheduledTasks } from './scheduled.ts'
import { deleteTasks, listTasks, type Tasks } from './tasks.ts'

const textSchema = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })

/** Fields of every kind of task. */
const common = {
  name: textSchema('The name of the task.'),
  func: textSchema('The queue of the task; for a scheduled task, its function.'),
  args: orNull(textSchema('Empty: the arguments of a task are not shown.')),
  kwargs: orNull(textSchema('Empty: the arguments of a task are not shown.')),
}

/** The heading of a function, and of its arguments, in OPTIONS. */
const FUNCTION = { label: 'Function', read_only: false }
const ARGUMENTS = { label: 'Arguments', read_only: false, required: false }

const listing = {
  ...pageQuery,
  ordering: 'A field to sort by, with a leading - for descending order.',
  search: 'Words that the name of the queue must all contain.',
}

/** Pending tasks: new ones, and failed ones that will be retried. */
const pendingTasks: Tasks = {
  where: "j.state in ('created', 'retry')",
  fields: {
    // 52 bits of its key, which is not a number
    pk: `('x' || right(replace(j.id::text, '-', ''), 13))::bit(52)::bigint`,
    key: 'j.name',
    lock: isoTimestamp('j.start_after'),
    task_id: 'j.id::text',
    name: 'j.name',
    func: 'j.name',
    args: "''",
    kwargs: "''",
    attempt_count: 'j.retry_count',
  },
  order: ['func', 'lock'],
  // the driver returns a bigint as a string
  toEntry: (row) => ({ ...row, pk: Number(row.pk) }),
}

/** Tasks that failed for good. */
const failedTasks: Tasks = {
  where: "j.state = 'failed'",
  fields: {
    pk: 'j.id::text',
    name: 'j.name',
    func: 'j.name',
    args: "''",
    kwargs: "''",
    started: isoTimestamp('coalesce(j.started_on, j.created_on)'),
    stopped: isoTimestamp('coalesce(j.completed_on, j.created_on)'),
    attempt_count: 'j.retry_count + 1',
    result: "case when j.output ? 'message' then j.output else j.output -> 'value' end",
  },
  order: ['pk', 'func', 'started', 'stopped'],
  toEntry: (row) => ({ ...row, result: describeSafely(row.result as object | null) }),
}

const readOverview = view({
  path: '/api/background-task/',
  summary: 'Get the status of background tasks',
  description:
    'Returns whether the responding node processes background tasks, the number of tasks of each kind, and the progress of long-running ones.',
  access: staff,
  response: Type.Object({
    is_running: Type.Boolean({ description: 'Whether the responding node processes background tasks.' }),
    pending_tasks: Type.Integer({ description: 'The number of pending tasks.' }),
    scheduled_tasks: Type.Integer({ description: 'The number of scheduled tasks.' }),
    failed_tasks: Type.Integer({ description: 'The number of tasks that failed in the last day.' }),
    running: Type.Array(
      Type.Object({
        name: common.name,
        func: common.func,
        started: time('When it started.'),
        done: Type.Integer({ description: 'The completed number of steps.' }),
        total: Type.Integer({ description: 'The total number of steps.' }),
      }),
      { description: 'The long-running tasks on all nodes: price calculations of many parts.' },
    ),
  }),
  async read(services) {
    const countSql = ({ where }: Tasks) => `count(*) filter (where ${where})::integer`
    const text = `select ${countSql(pendingTasks)} as pending_tasks, ${countSql(failedTasks)} as failed_tasks from pgboss.job j`
    const [[counts], scheduledTasks, prices] = await Promise.all([
      services.database.read<{ pending_tasks: number; failed_tasks: number }>({ text }),
      readScheduledTasks(services),
      readPriceRuns(services),
    ])
    const { name, func } = priceSchedule
    const running = prices.map((run) => ({ name, func, ...run }))
    return { is_running: services.jobs.works, scheduled_tasks: scheduledTasks.length, ...counts, running }
  },
})

const listPending = view({
  path: '/api/background-task/pending/',
  summary: 'List pending background tasks',
  description: 'Tasks that wait for their first run or a retry, the oldest first.',
  access: staff,
  query: listing,
  response: envelopeSchema(
    Type.Object({
      pk: Type.Integer({ description: 'Its key, for deleting it.' }),
      key: textSchema('The queue of the task.'),
      lock: time('The earliest time of its run.'),
      task_id: textSchema('Its key.'),
      ...common,
      attempt_count: Type.Integer({ description: 'The number of attempts.' }),
    }),
  ),
  api530: {
    metadata: {
      key: { label: 'Cluster key', read_only: false, max_length: 100 },
      lock: { read_only: false },
      task_id: { label: 'Task ID', read_only: false },
      name: { read_only: false },
      func: FUNCTION,
      args: { ...ARGUMENTS, required: true },
      kwargs: { label: 'Keyword Arguments', read_only: false },
    },
  },
  read: (request) => listTasks(pendingTasks, request),
})

const listFailed = view({
  path: '/api/background-task/failed/',
  summary: 'List failed background tasks',
  description:
    'Tasks that failed in all attempts, the oldest first. They are stored for a day; their errors are stored longer, as error reports.',
  access: staff,
  query: listing,
  response: envelopeSchema(
    Type.Object({
      pk: textSchema('Its key, which its error report has as `request`.'),
      ...common,
      started: time('The time of the last attempt.'),
      stopped: time('The time of the last failure.'),
      attempt_count: Type.Integer({ description: 'The number of attempts.' }),
      result: textSchema('The last error, as in its error report.'),
    }),
  ),
  api530: {
    metadata: {
      pk: { label: 'Pk' },
      name: { max_length: 100 },
      func: { ...FUNCTION, max_length: 256 },
      args: { type: 'field', label: 'Arguments' },
      kwargs: { type: 'field', label: 'Keyword arguments' },
      started: { label: 'Started at' },
      stopped: { label: 'Stopped at' },
      attempt_count: { read_only: false, required: false, default: 0 },
      result: { read_only: false },
    },
  },
  read: (request) => listTasks(failedTasks, request),
})

const listScheduled = view({
  path: '/api/background-task/scheduled/',
  summary: 'List scheduled background tasks',
  description: 'Tasks that run on a schedule, as far as they are enabled.',
  access: staff,
  query: listing,
  response: envelopeSchema(
    Type.Object({
      pk: Type.Integer({ description: 'Its position in the list.' }),
      ...common,
      schedule_type: textSchema('`I` for a number of minutes.'),
      minutes: Type.Integer({ description: 'The number of minutes between two runs.' }),
      repeats: Type.Integer({ description: 'The number of runs left: -1 for unlimited.' }),
      last_run: orNull(
        time(
          'The start of the last run; for exchange rates that were set in another way, the time of that. Null if it has not run, and for housekeeping, which each node runs a minute after its start and then once an hour, without a record.',
        ),
      ),
      next_run: orNull(time('The next run, null if `last_run` is.')),
      success: Type.Boolean({ description: 'Whether the last run succeeded, as far as runs of the last day show.' }),
      task: Type.Null({ description: 'Nothing.' }),
    }),
  ),
  api530: {
    metadata: {
      name: { read_only: false, required: false, max_length: 100 },
      func: { ...FUNCTION, max_length: 256 },
      args: ARGUMENTS,
      kwargs: { ...ARGUMENTS, label: 'Keyword arguments' },
      schedule_type: { type: 'choice', label: 'Schedule Type', read_only: false, required: false, max_length: 2, default: 'I' },
      repeats: { read_only: false, required: false, default: -1 },
      last_run: { read_only: false },
      next_run: { label: 'Next Run', read_only: false, required: false },
      success: { read_only: false },
      task: { type: 'string', label: 'Last task id', max_length: 100 },
    },
  },
  async read(request) {
    const { search = '', ordering = '' } = request.query
    const words = search.toLowerCase().split(/[\s,]+/)
    const matches = (await readScheduledTasks(request)).filter(({ func }) =>
      words.every((word) => func.toLowerCase().includes(word)),
    )
    const name = ordering.replace(/^-/, '')
    const sorted = isOrder(name) ? matches.toSorted((one, other) => compare(one[name], other[name])) : matches
    return buildPage(
      (ordering.startsWith('-') ? sorted.toReversed() : sorted).map((task) => JSON.stringify(task)),
      request,
    )
  },
})

const ORDER_FIELDS = ['pk', 'func', 'last_run', 'next_run'] as const
const isOrder = (name: string): name is (typeof ORDER_FIELDS)[number] => (ORDER_FIELDS as readonly string[]).includes(name)

function compare(one: string | number | null, other: string | number | null): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [first, second] = [one ?? '', other ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

export const backgroundTasks = [
  readOverview,
  listRunning,
  retryTasks,
  listPending,
  deleteTasks('/api/background-task/pending/', pendingTasks, {
    summary: 'Delete several pending background tasks',
    description: 'Deletes pending tasks, so that they never run.',
  }),
  listFailed,
  deleteTasks('/api/background-task/failed/', failedTasks, {
    summary: 'Delete several failed background tasks',
    description: 'Deletes the records of failed tasks. Their error reports remain.',
  }),
  listScheduled,
  readTask,
]
