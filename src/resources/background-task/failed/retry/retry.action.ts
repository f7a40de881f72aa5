import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { staff } from '../../../../kit/request/caller.ts'
import { invalid } from '../../../../kit/request/problem.ts'
import { JOBS_CHANNEL } from '../../../../kit/services/jobs.ts'
import { isUuid } from '../../../../kit/values/uuid.ts'
import { INVALID_BULK_ITEM } from '../../../../kit/writing/bulk.ts'

/** Maximum number of tasks in a request. */
const MAX_RETRIED_TASKS = 1_000

export const retryTasks = action({
  method: 'POST',
  path: '/api/background-task/failed/retry/',
  summary: 'Run failed background tasks again',
  description:
    'Makes failed tasks pending again, with one more attempt each. Tasks that have not failed, or no longer exist, are left out: their number is the response.',
  errors: { invalid: 'An item is not the key of a task.' },
  example: { body: { items: ['00000000-0000-4000-8000-000000000000'] } },
  access: staff,
  status: 200,
  body: {
    items: input.list(input.text({ help: 'The key of a task.', max: 36 }), {
      required: true,
      max: MAX_RETRIED_TASKS,
      help: 'The keys of the failed tasks.',
    }),
  },
  response: Type.Object({ retried: Type.Integer({ description: 'The number of tasks that are pending again.' }) }),
  async run({ tx, body: { items } }) {
    if (!items.every(isUuid)) throw invalid({ items: [INVALID_BULK_ITEM] })
    const tasks = await tx.query<{ name: string }>(
      `update pgboss.job set state = 'retry', retry_limit = retry_count + 1, completed_on = null, start_after = now()
       where id = any($1::uuid[]) and state = 'failed' returning name`,
      [items],
    )
    for (const name of new Set(tasks.map((task) => task.name))) await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, name])
    return { retried: tasks.length }
  },
})
