import { Reply, view } from '../../kit/definition/action.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { isUuid } from '../../kit/values/uuid.ts'
import { taskSchema } from './task-response.ts'

export const readTask = view({
  path: '/api/background-task/{task_id}/',
  summary: 'Get the state of a background task',
  description: 'Returns whether a background task waits, has ended, and has succeeded. Ended tasks are stored for a day.',
  access: signedIn,
  errors: { not_found: 'There is no such task.' },
  params: { task_id: 'The key of the task.' },
  example: { params: { task_id: 'unknown' }, status: 404 },
  response: taskSchema,
  async read({ params: { task_id = '' }, database }) {
    const unknown = { task_id, exists: false, pending: false, complete: false, success: false, http_status: 404 }
    const id = toUuid(task_id)
    if (id === undefined) return new Reply(404, unknown)
    const [task] = await database.read<{ state: string }>({ text: 'select state from pgboss.job where id = $1', values: [id] })
    if (!task) return new Reply(404, unknown)
    return {
      task_id,
      exists: true,
      pending: ['created', 'retry'].includes(task.state),
      complete: ['completed', 'failed', 'cancelled'].includes(task.state),
      success: task.state === 'completed',
      http_status: 200,
    }
  },
})

/** A key of a task with or without dashes as a UUID; undefined if it is none. */
function toUuid(text: string): string | undefined {
  const id = text.replace(/^(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? id : undefined
}
