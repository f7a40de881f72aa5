import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { moment } from '../../kit/definition/field.ts'
import { orNull } from '../../kit/definition/input.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { page, pageQuery } from '../../kit/http/page.ts'
import { staff } from '../../kit/request/caller.ts'
import { wordsOf } from '../error-report/without-secrets.ts'
import { priceClockwork, runningPrices } from '../part/pricing/price-runs.ts'
import { scheduled } from './scheduled.ts'
import { deleteTasks, listTasks, type Tasks } from './tasks.ts'

const told = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })

/** What every kind of task is described by. */
const common = {
  name: told('What is done.'),
  func: told('The queue that it belongs to; of clockwork, what does it.'),
  args: orNull(told('Empty: what a task works on is not shown.')),
  kwargs: orNull(told('Empty: what a task works on is not shown.')),
}

const listing = {
  ...pageQuery,
  ordering: 'A field to order by, with - in front for descending.',
  search: 'Words that must all occur in the queue.',
}

/** Those that wait: new ones, and those that failed and are tried again. */
const pendingTasks: Tasks = {
  where: "j.state in ('created', 'retry')",
  fields: {
    // 52 bits of its key, which is no number
    pk: `('x' || right(replace(j.id::text, '-', ''), 13))::bit(52)::bigint`,
    key: 'j.name',
    lock: moment('j.start_after'),
    task_id: 'j.id::text',
    name: 'j.name',
    func: 'j.name',
    args: "''",
    kwargs: "''",
    attempt_count: 'j.retry_count',
  },
  order: ['func', 'lock'],
  // the driver gives such a number as a text
  shown: (row) => ({ ...row, pk: Number(row.pk) }),
}

/** Those that were given up. */
const failedTasks: Tasks = {
  where: "j.state = 'failed'",
  fields: {
    pk: 'j.id::text',
    name: 'j.name',
    func: 'j.name',
    args: "''",
    kwargs: "''",
    started: moment('coalesce(j.started_on, j.created_on)'),
    stopped: moment('coalesce(j.completed_on, j.created_on)'),
    attempt_count: 'j.retry_count + 1',
    result: "case when j.output ? 'message' then j.output else j.output -> 'value' end",
  },
  order: ['pk', 'func', 'started', 'stopped'],
  shown: (row) => ({ ...row, result: wordsOf(row.result as object | null) }),
}

const overview = view({
  path: '/api/background-task/',
  summary: 'How background work stands',
  description:
    'Whether the node that answers carries out background tasks, how many there are of each kind, and how far those are that go on for long.',
  access: staff,
  answer: Type.Object({
    is_running: Type.Boolean({ description: 'The node that answers carries out background tasks.' }),
    pending_tasks: Type.Integer({ description: 'How many wait.' }),
    scheduled_tasks: Type.Integer({ description: 'How many are done by the clock.' }),
    failed_tasks: Type.Integer({ description: 'How many were given up, in the last day.' }),
    running: Type.Array(
      Type.Object({
        name: common.name,
        func: common.func,
        started: time('When it was begun.'),
        done: Type.Integer({ description: 'How much of it is done.' }),
        total: Type.Integer({ description: 'How much there is to be done in all.' }),
      }),
      { description: 'What goes on for long, on whichever node: prices of many parts that are worked out.' },
    ),
  }),
  async read(services) {
    const counted = ({ where }: Tasks) => `count(*) filter (where ${where})::integer`
    const text = `select ${counted(pendingTasks)} as pending_tasks, ${counted(failedTasks)} as failed_tasks from pgboss.job j`
    const [[counts], clockwork, prices] = await Promise.all([
      services.database.read<{ pending_tasks: number; failed_tasks: number }>({ text }),
      scheduled(services),
      runningPrices(services),
    ])
    const { name, func } = priceClockwork
    const running = prices.map((run) => ({ name, func, ...run }))
    return { is_running: services.jobs.works, scheduled_tasks: clockwork.length, ...counts, running }
  },
})

const pending = view({
  path: '/api/background-task/pending/',
  summary: 'List: pending background tasks',
  description: 'Tasks that wait to be carried out, for the first time or once more after they failed, the oldest first.',
  access: staff,
  query: listing,
  answer: envelopeSchema(
    Type.Object({
      pk: Type.Integer({ description: 'What it is deleted by.' }),
      key: told('The queue that it belongs to.'),
      lock: time('When it is carried out at the earliest.'),
      task_id: told('Its key.'),
      ...common,
      attempt_count: Type.Integer({ description: 'How often it was tried.' }),
    }),
  ),
  read: (request) => listTasks(pendingTasks, request),
})

const failed = view({
  path: '/api/background-task/failed/',
  summary: 'List: failed background tasks',
  description:
    'Tasks that failed each time and were given up, the oldest first. They are kept for a day; what went wrong longer, as an error report.',
  access: staff,
  query: listing,
  answer: envelopeSchema(
    Type.Object({
      pk: told('Its key, which its error report has as `request`.'),
      ...common,
      started: time('When it was tried for the last time.'),
      stopped: time('When that failed.'),
      attempt_count: Type.Integer({ description: 'How often it was tried.' }),
      result: told('What went wrong the last time, in the words that an error report has.'),
    }),
  ),
  read: (request) => listTasks(failedTasks, request),
})

const byClock = view({
  path: '/api/background-task/scheduled/',
  summary: 'List: scheduled background tasks',
  description: 'What is done by the clock, again and again, as far as it is switched on.',
  access: staff,
  query: listing,
  answer: envelopeSchema(
    Type.Object({
      pk: Type.Integer({ description: 'Its place among all of them.' }),
      ...common,
      schedule_type: told('`I` for every so many minutes.'),
      minutes: Type.Integer({ description: 'How many minutes lie between two times.' }),
      repeats: Type.Integer({ description: 'How often it is still to be done: -1 for no end.' }),
      last_run: orNull(
        time(
          'When it was last begun; of exchange rates that were set otherwise, when they were. Null if it was not yet, and of housekeeping, which each node does for itself a minute after its start and then once an hour, without telling.',
        ),
      ),
      next_run: orNull(time('When it is due next, null where `last_run` is.')),
      success: Type.Boolean({ description: 'Its last run did not fail, as far as runs of the last day tell.' }),
      task: Type.Null({ description: 'Nothing.' }),
    }),
  ),
  async read(request) {
    const { search = '', ordering = '' } = request.query
    const words = search.toLowerCase().split(/[\s,]+/)
    const found = (await scheduled(request)).filter(({ func }) => words.every((word) => func.toLowerCase().includes(word)))
    const name = ordering.replace(/^-/, '')
    const sorted = isOrder(name) ? found.toSorted((one, other) => compare(one[name], other[name])) : found
    return page(
      (ordering.startsWith('-') ? sorted.toReversed() : sorted).map((task) => JSON.stringify(task)),
      request,
    )
  },
})

const ORDER = ['pk', 'func', 'last_run', 'next_run'] as const
const isOrder = (name: string): name is (typeof ORDER)[number] => (ORDER as readonly string[]).includes(name)

function compare(one: string | number | null, other: string | number | null): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [first, second] = [one ?? '', other ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

export const backgroundTasks = [
  overview,
  pending,
  deleteTasks('/api/background-task/pending/', pendingTasks, {
    summary: 'Delete several: pending background tasks',
    description: 'Deletes tasks that wait, so that they are never carried out.',
  }),
  failed,
  deleteTasks('/api/background-task/failed/', failedTasks, {
    summary: 'Delete several: failed background tasks',
    description: 'Deletes the records of tasks that were given up. Their error reports stay.',
  }),
  byClock,
]
