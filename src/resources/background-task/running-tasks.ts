import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { isoTimestamp } from '../../kit/definition/field.ts'
import { orNull } from '../../kit/definition/input.ts'
import { staff } from '../../kit/request/caller.ts'
import { priceSchedule } from '../part/pricing/price-runs.ts'
import { PRINT_QUEUE } from '../print-job/print-job.ts'
import { VERIFICATION_QUEUE } from '../stock/verification/runs.ts'
import { CHECK_COUNT } from '../stock/verification/verify-stock.ts'
import { DEMO_QUEUE } from '../web/demo/demo-run.ts'
import { BACKUP_QUEUE } from './backups.ts'

/** Maximum number of tasks in the list: each process runs few at a time. */
const MAX_LISTED_TASKS = 100

/** SQL of the completed and of all steps of a running task `j`, by its queue; of the others no progress is known. */
const PROGRESS: Readonly<Record<string, string>> = {
  [BACKUP_QUEUE]: 'select done, nullif(total, 0) from backup_run where finished is null',
  [VERIFICATION_QUEUE]: `select done, ${CHECK_COUNT} from stock_verification where finished is null`,
  [priceSchedule.func]: 'select done, total from part_price_run order by pk desc limit 1',
  [PRINT_QUEUE]: `select done, total from print_job where pk = (j.data ->> 'job')::integer`,
  [DEMO_QUEUE]: 'select percent, 100 from demo_run',
}

const RUNNING_QUERY = `
  select j.id::text as pk, j.name, j.name as func, ${isoTimestamp('j.started_on')} as started, j.retry_count + 1 as attempt_count,
    progress.done, progress.total
  from pgboss.job j
  left join lateral (
    ${Object.entries(PROGRESS)
      .map(([queue, sql]) => `select * from (${sql}) of_queue (done, total) where j.name = '${queue}'`)
      .join(' union all ')}
  ) progress on progress.total is not null
  where j.state = 'active' order by j.started_on, j.id limit ${MAX_LISTED_TASKS}`

type RunningTask = {
  pk: string
  name: string
  func: string
  started: string
  attempt_count: number
  done: number | null
  total: number | null
}

export const listRunning = view({
  path: '/api/background-task/running/',
  summary: 'List running background tasks',
  description: 'The tasks that run now, on all nodes, with their progress where it is known; at most 100.',
  access: staff,
  response: Type.Array(
    Type.Object({
      pk: Type.String({ description: 'Its key.' }),
      name: Type.String({ description: 'The name of the task.' }),
      func: Type.String({ description: 'The queue of the task.' }),
      started: Type.String({ format: 'date-time', description: 'The start of this attempt.' }),
      attempt_count: Type.Integer({ description: 'The number of attempts, with this one.' }),
      done: orNull(Type.Integer({ description: 'The completed number of steps; null if unknown.' })),
      total: orNull(Type.Integer({ description: 'The number of all steps.' })),
    }),
  ),
  read: ({ database }) => database.read<RunningTask>({ text: RUNNING_QUERY }),
})
