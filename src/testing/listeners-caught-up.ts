import { JOBS_CHANNEL, type Jobs } from '../kit/services/jobs.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Milliseconds after which a node hears nothing any more. */
const LISTENER_TIMEOUT_MS = 10_000
/** Milliseconds after which a mark is sent again. */
const AGAIN = 2_000

let marks = 0
/** What each node has heard of our marks. */
const known = new WeakMap<Jobs, Set<string>>()

/**
 * Waits until a node has heard of every change that is committed by now. PostgreSQL announces in the order of the commits: once a
 * mark of our own is heard, all before it is. The mark names a queue that there is not, so that nothing follows from it.
 */
export async function listenersCaughtUp({ app, pool }: Pick<TestService, 'app' | 'pool'>): Promise<void> {
  const marksHeard = marksOf(app.routes.services.jobs)
  const mark = `mark ${process.pid} ${++marks}`
  // a machine so busy that the node lost its connection loses the mark with it; what it remembered is forgotten then
  let again = 0
  const isHeard = async () => {
    if (marksHeard.delete(mark)) return true
    if (Date.now() < again) return false
    again = Date.now() + AGAIN
    await pool.query('select pg_notify($1, $2)', [JOBS_CHANNEL, mark])
    return false
  }
  await until(isHeard, 'the node does not hear of changes', LISTENER_TIMEOUT_MS)
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
