import { JOBS_CHANNEL, type Jobs } from '../kit/services/jobs.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Milliseconds after which a node hears nothing any more. */
const PATIENCE = 10_000

let marks = 0
/** What each node has heard of our marks. */
const known = new WeakMap<Jobs, Set<string>>()

/**
 * Waits until a node has heard of every change that is committed by now. PostgreSQL announces in the order of the commits: once a
 * mark of our own is heard, all before it is. The mark names a queue that there is not, so that nothing follows from it.
 */
export async function heard({ app, pool }: Pick<TestService, 'app' | 'pool'>): Promise<void> {
  const marksHeard = marksOf(app.routes.services.jobs)
  const mark = `mark ${process.pid} ${++marks}`
  await pool.query('select pg_notify($1, $2)', [JOBS_CHANNEL, mark])
  await until(() => marksHeard.delete(mark), 'the node does not hear of changes', PATIENCE)
}

function marksOf(jobs: Jobs): Set<string> {
  const before = known.get(jobs)
  if (before) return before
  const heardHere = new Set<string>()
  known.set(jobs, heardHere)
  const wake = jobs.wake.bind(jobs)
  jobs.wake = (queue) => {
    if (queue !== undefined) heardHere.add(queue)
    wake(queue)
  }
  return heardHere
}
