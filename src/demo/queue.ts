import { NonRetryableError, type Queue } from '../kit/services/jobs.ts'
import { DEMO_QUEUE, HEARTBEAT_TIMEOUT_SECONDS } from '../resources/web/demo/demo-run.ts'
import type { Application } from './client.ts'
import { withHeartbeat } from './heartbeat.ts'

/** Heartbeat interval in milliseconds, independent of the length of a step. */
const SIGN = 15_000

/**
 * Queue that fills the database with the demo workshop in the background: the run starts once, even if it fails. If its process died, a
 * second attempt cleans up after it.
 */
export const demoQueue = (app: () => Application): Queue<{ asker: number }> => ({
  name: DEMO_QUEUE,
  retries: 1,
  // a process that is still running has sent a heartbeat by then
  retryDelay: HEARTBEAT_TIMEOUT_SECONDS,
  retryDelayMax: HEARTBEAT_TIMEOUT_SECONDS,
  timeoutSeconds: 1_800,
  silence: 15,
  handle: ({ asker }, { signal }) => fill(app(), asker, signal),
})

async function fill(app: Application, asker: number, signal: AbortSignal): Promise<void> {
  const { database } = app.routes.services
  const updateRun = (text: string, ...values: unknown[]) => database.transaction((tx) => tx.query(text, values))
  const startedRows = await updateRun(
    'update demo_run set percent = 1, heard = now() where percent = 0 and error is null returning percent',
  )
  if (startedRows.length === 0) {
    const cut = await updateRun(
      `update demo_run set error = 'The process that filled it in ended.'
       where finished is null and error is null and heard < now() - make_interval(secs => $1) returning 1 as was_cut`,
      HEARTBEAT_TIMEOUT_SECONDS,
    )
    if (cut.length > 0) await (await import('./fill-running-service.ts')).closeDemoAccounts(app, asker)
    return
  }
  try {
    // loaded only on use, as few installations need it
    const { addDemoData: fillBeside } = await import('./fill-running-service.ts')
    const progress = (fraction: number) => {
      signal.throwIfAborted()
      return updateRun('update demo_run set percent = $1, heard = now()', Math.max(1, Math.floor(fraction * 100)))
    }
    const sign = () => updateRun('update demo_run set heard = now() where finished is null and error is null')
    await withHeartbeat(sign, { every: SIGN, signal }, () => fillBeside(app, asker, progress))
    await updateRun('update demo_run set percent = 100, heard = now(), finished = now()')
  } catch (error) {
    await updateRun('update demo_run set error = $1, heard = now()', (error as Error).message.slice(0, 500))
    throw new NonRetryableError((error as Error).message, { cause: error })
  }
}
