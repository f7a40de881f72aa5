import type { Logger } from 'pino'
import { Semaphore } from '../../kit/services/semaphore.ts'
import { onAbort } from '../abort.ts'
import type { TemplateSchema } from '../context/render-context.ts'
import { printErrors } from '../print-errors.ts'
import { TemplateError } from '../rendering.ts'
import type { Job, Results } from './messages.ts'
import { type DataRequestHandler, TemplateWorker, WorkerEnded, WorkerLimitExceeded } from './process.ts'

/**
 * Maximum workers that run at the same time, in total and for one account: whatever the templates of one account do, one worker is left for
 * others.
 */
const MAX_WORKERS = 3
const MAX_WORKERS_PER_ACCOUNT = 2
/** Milliseconds that a job waits for its turn: longer than any other runs. The maximum queue is per account. */
const QUEUE_TIMEOUT_MS = 45_000
const MAX_QUEUE_LENGTH = 100
/** Milliseconds that a job may still take after it was aborted: most are done by then, and starting another worker takes longer. */
const ABORT_GRACE_MS = 250
/** Milliseconds after which an idle worker ends; the last one stays longer, since starting takes some time. */
const IDLE_TIMEOUT_MS = 30_000
const LAST_IDLE_TIMEOUT_MS = 10 * 60_000
/** Jobs, and bytes of memory, after which a worker is replaced, so that nothing accumulates in it. */
const MAX_JOBS = 1_000
const MAX_IDLE_MEMORY_BYTES = 200 * 1024 * 1024

const semaphore = new Semaphore(
  MAX_WORKERS,
  QUEUE_TIMEOUT_MS,
  printErrors.too_much_printing,
  MAX_QUEUE_LENGTH,
  MAX_WORKERS_PER_ACCOUNT,
)

type IdleWorker = { worker: TemplateWorker; timer: NodeJS.Timeout }
const idleWorkers: IdleWorker[] = []

type JobRequest<Type extends Job['type']> = {
  job: Job & { type: Type }
  /** Texts that follow the job. */
  texts?: readonly string[]
  /** Time limit. */
  milliseconds: number
  log: Logger
  answer: DataRequestHandler
}

type JobResult<Type extends Job['type']> = { result: Results[Type]; texts: string[] }

/**
 * Runs a job in a worker, when it is the account's turn.
 * @param account that the job belongs to; undefined for the service itself
 * @param schema the objects and settings that templates can use, for a worker that starts
 * @param createRequest builds the job when its turn comes
 * @param signal ends the wait for its turn, and the job, with its reason as the error
 * @throws TemplateError when the template fails, or exceeds a limit; Problem 503 when its turn does not come in time; errors of its data requests
 */
export async function runJob<Type extends Job['type']>(
  account: number | undefined,
  schema: () => TemplateSchema,
  createRequest: () => JobRequest<Type> | Promise<JobRequest<Type>>,
  signal?: AbortSignal,
): Promise<JobResult<Type>> {
  return semaphore.run(
    async () => {
      const request = await createRequest()
      const worker = acquireWorker(schema)
      const isFirst = worker.jobs === 0
      try {
        return await run(worker, request, signal)
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error
        signal?.throwIfAborted()
        request.log.warn({ why: error.message, output: worker.output }, 'a template worker ended')
        // it may have ended because of an earlier job, or for an external reason
        if (isFirst) throw createWorkerEndedError()
      }
      const secondWorker = new TemplateWorker(schema())
      return run(secondWorker, request, signal).catch((error) => {
        throw error instanceof WorkerEnded ? createWorkerEndedError() : error
      })
    },
    { account, signal },
  )
}

const createWorkerEndedError = (): TemplateError =>
  new TemplateError('The template worker ended while it rendered this template.')

async function run<Type extends Job['type']>(
  worker: TemplateWorker,
  request: JobRequest<Type>,
  signal: AbortSignal | undefined,
): Promise<JobResult<Type>> {
  const { job, texts = [], milliseconds, answer: respond, log } = request
  const stopListening = onAbort(signal, ABORT_GRACE_MS, () => worker.end())
  try {
    const outcome = await worker.run(job, texts, milliseconds, respond)
    if ('type' in outcome) {
      if (outcome.fault) log.error({ fault: outcome.fault }, 'a template caused an internal error')
      throw TemplateError.fromMessage(outcome.message, outcome.position)
    }
    return outcome as JobResult<Type>
  } catch (error) {
    if (!(error instanceof WorkerLimitExceeded)) throw error
    log.warn(`a template was aborted: ${error.message}`)
    throw new TemplateError(error.message)
  } finally {
    stopListening()
    void releaseWorker(worker)
  }
}

/** Returns an idle worker, or a new one. */
function acquireWorker(schema: () => TemplateSchema): TemplateWorker {
  for (let last = idleWorkers.pop(); last; last = idleWorkers.pop()) {
    clearTimeout(last.timer)
    if (!last.worker.hasEnded) return last.worker
  }
  return new TemplateWorker(schema())
}

/** Returns a worker to the pool for the next job, unless it is worn. */
async function releaseWorker(worker: TemplateWorker): Promise<void> {
  if (worker.hasEnded) return
  const isWorn = worker.jobs >= MAX_JOBS || ((await worker.memory()) ?? 0) > MAX_IDLE_MEMORY_BYTES
  if (isWorn) worker.end()
  else keepIdle(worker)
}

function keepIdle(worker: TemplateWorker): void {
  const entry: IdleWorker = {
    worker,
    timer: setTimeout(
      () => {
        idleWorkers.splice(idleWorkers.indexOf(entry), 1)
        worker.end()
      },
      idleWorkers.length === 0 ? LAST_IDLE_TIMEOUT_MS : IDLE_TIMEOUT_MS,
    ).unref(),
  }
  idleWorkers.push(entry)
}

/** Starts a worker if none is idle, so that the next print does not wait for it. */
export function warmUp(schema: () => TemplateSchema): void {
  if (idleWorkers.length === 0) keepIdle(new TemplateWorker(schema()))
}
