import { JOBS_CHANNEL, type Jobs } from '../kit/services/jobs.ts'
import type { TestService } from './service.ts'
import { waitUntil } from './until.ts'

/** Timeout for a node's notifications, in milliseconds. */
const LISTENER_TIMEOUT_MS = 10_000
/** Interval for resending a mark, in milliseconds. */
const RESEND_INTERVAL_MS = 2_000

let marks = 0
/** The marks that each node has received. */
const marksByJobs = new WeakMap<Jobs, Set<string>>()

/**
 * Waits until a node has been notified of all changes committed so far. PostgreSQL delivers notifications in the order of the commits: once
 * a mark of our own arrives, all notifications before it have arrived too. The mark names a nonexistent queue, so that it has no effects.
 */
export async function waitForListeners({ app, pool }: Pick<TestService, 'app' | 'pool'>): Promise<void> {
  const receivedMarks = collectMarks(app.routes.services.jobs)
  const mark = `mark ${process.pid} ${++marks}`
  // if the node lost its connection on a busy machine, the mark is lost as well, and its caches were cleared
  let nextSendAt = 0
  const hasArrived = async () => {
    if (receivedMarks.delete(mark)) return true
    if (Date.now() < nextSendAt) return false
    nextSendAt = Date.now() + RESEND_INTERVAL_MS
    await pool.query('select pg_notify($1, $2)', [JOBS_CHANNEL, mark])
    return false
  }
  await waitUntil(hasArrived, 'the node is not notified of changes', LISTENER_TIMEOUT_MS)
}

function collectMarks(jobs: Jobs): Set<string> {
  const existingMarks = marksByJobs.get(jobs)
  if (existingMarks) return existingMarks
  const newMarks = new Set<string>()
  marksByJobs.set(jobs, newMarks)
  const wake = jobs.wake.bind(jobs)
  jobs.wake = (queue) => {
    if (queue !== undefined) newMarks.add(queue)
    wake(queue)
  }
  return newMarks
}
