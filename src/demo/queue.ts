import { NonRetryableError, type Queue } from '../kit/services/jobs.ts'
import { DEMO_QUEUE, HEARTBEAT_TIMEOUT_SECONDS } from '../resources/web/demo/demo-run.ts'
import type { Application } from './client.ts'
import { withHeartbeat } from './heartbeat.ts'

/** Heartbeat interval in milliseconds, independent of the length of a step. */
const HEARTBEAT_INTERVAL_MS = 15_000

/**
 * Creates the queue that fills the database with the demo workshop in the background. The run starts once, even if it fails. If its process
 * died, a second attempt cleans up after it.
 */
export const demoQueue = (app: () => Application): Queue<{ asker: number }> => ({
  name: DEMO_QUEUE,
  retries: 1,
  // a process that is still running has sent a heartbeat by then
  retryDelay: HEARTBEAT_TIMEOUT_SECONDS,
  retryDelayMax: HEARTBEAT_TIMEOUT_SECONDS,
  timeoutSeconds: 1_800,
  heartbeatTimeoutSeconds: 15,
  handle: ({ asker }, { signal }) => fill(app(), asker, signal),
})

async function fill(app: Application, asker: number, signal: AbortSignal): Promise<void> {
  const { database } = app.routes.services
  const updateRun = (text: string, ...values: unknown[]) => database.transaction((tx) => tx.query(text, values))
  const startedRows = await updateRun(
    'update demo_run set percent = 1, heard = now() where percent = 0 and error is null returning percent',
  )
  if (startedRows.length === 0) {
    const interruptedRuns = await updateRun(
      `update demo_run set error = 'The process that filled it in ended.'
       where finished is null and error is null and heard < now() - make_interval(secs => $1) returning 1 as is_interrupted`,
      HEARTBEAT_TIMEOUT_SECONDS,
    )
    if (interruptedRuns.length > 0) await (await import('./fill-running-service.ts')).closeDemoAccounts(app, asker)
    return
  }
  try {
    // loaded only on use, as few installations need it
    const { addDemoData } = await import('./fill-running-service.ts')
    const progress = (fraction: number) => {
      signal.throwIfAborted()
      return updateRun('update demo_run set percent = $1, heard = now()', Math.max(1, Math.floor(fraction * 100)))
    }
    const sendHeartbeat = () => updateRun('update demo_run set heard = now() where finished is null and error is null')
    await withHeartbeat(sendHeartbeat, { intervalMs: HEARTBEAT_INTERVAL_MS, signal }, () => addDemoData(app, asker, progress))
    await updateRun('update demo_run set percent = 100, heard = now(), finished = now()')
  } catch (error) {
    await updateRun('update demo_run set error = $1, heard = now()', (error as Error).message.slice(0, 500))
    throw new NonRetryableError((error as Error).message, { cause: error })
  }
}
