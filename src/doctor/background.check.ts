import { type Check, ok, skipped, warning } from './check.ts'

/** Minutes that a background task may wait before something is wrong: the longest of them take less. */
const MAX_WAIT_MINUTES = 30

/** Tasks that no process works on, by their number, and failed ones, whether or not they are retried. */
const TASKS_QUERY = `
  select count(*) filter (where state in ('created', 'retry') and start_after < now() - make_interval(mins => ${MAX_WAIT_MINUTES}))::integer as waiting,
    count(*) filter (where state in ('failed', 'retry'))::integer as failed
  from pgboss.job`

export const backgroundCheck: Check = {
  name: 'background',
  title: 'Background tasks',
  async run({ database }) {
    if (database.state !== 'open') return [skipped('There is no running database to read them from')]
    const { rows: tables } = await database.client.query(`select to_regclass('pgboss.job') is not null as has_tasks`)
    if (!tables[0].has_tasks) return [skipped('The first start of the service creates their tables')]
    const { rows } = await database.client.query<{ waiting: number; failed: number }>(TASKS_QUERY)
    const { waiting = 0, failed = 0 } = rows[0] ?? {}
    return [
      waiting === 0
        ? ok(`No task has waited for more than ${MAX_WAIT_MINUTES} minutes`)
        : warning(
            `${waiting} tasks have waited for more than ${MAX_WAIT_MINUTES} minutes`,
            'Start the service. If it runs, restart it, and read its log: a task may hang.',
          ),
      failed === 0
        ? ok('No task failed lately')
        : warning(`${failed} tasks failed lately`, 'Read the error reports, remove the cause, and run the tasks again.'),
    ]
  },
}
