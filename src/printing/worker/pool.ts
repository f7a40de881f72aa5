import type { Logger } from 'pino'
import { Semaphore } from '../../kit/services/semaphore.ts'
import type { TemplateSchema } from '../context/render-context.ts'
import { printErrors } from '../print-errors.ts'
import { TemplateError } from '../rendering.ts'
import type { Job, Results } from './messages.ts'
import { LimitExceeded, type QuestionHandler, TemplateWorker, WorkerEnded } from './process.ts'

/**
 * Maximum workers that run at the same time, in total and for one account: whatever the templates of one account do, one worker is left for
 * others.
 */
const WORKERS = 3
const OF_ONE_ACCOUNT = 2
/** Milliseconds that a job waits for its turn: longer than any other runs. The maximum queue is per account. */
const JOB_TIMEOUT_MS = 45_000
const MAX_QUEUE_LENGTH = 100
/** Milliseconds after which an idle worker ends; the last one stays longer, since starting takes some time. */
const IDLE = 30_000
const LAST_IDLE = 10 * 60_000
/** Jobs, and bytes of memory, after which a worker is replaced, so that nothing accumulates in it. */
const MAX_JOBS = 1_000
const MAX_IDLE_MEMORY_BYTES = 200 * 1024 * 1024

const semaphore = new Semaphore(WORKERS, JOB_TIMEOUT_MS, printErrors.too_much_printing, MAX_QUEUE_LENGTH, OF_ONE_ACCOUNT)

type Idle = { worker: TemplateWorker; timer: NodeJS.Timeout }
const idle: Idle[] = []

type Order<Type extends Job['type']> = {
  job: Job & { type: Type }
  /** Texts that follow the job. */
  texts?: readonly string[]
  /** Time limit. */
  milliseconds: number
  log: Logger
  answer: QuestionHandler
}

type JobResult<Type extends Job['type']> = { result: Results[Type]; texts: string[] }

/**
 * Runs a job in a worker, when it is the account's turn.
 * @param account that the job belongs to; undefined for the service itself
 * @param schema the objects and settings that templates can use, for a worker that starts
 * @param make builds the job then
 * @throws TemplateError when the template fails, or exceeds a limit; Problem 503 when its turn does not come; errors of answering
 */
export async function runJob<Type extends Job['type']>(
  account: number | undefined,
  schema: () => TemplateSchema,
  make: () => Order<Type> | Promise<Order<Type>>,
): Promise<JobResult<Type>> {
  return semaphore.run(
    async () => {
      const order = await make()
      const worker = acquireWorker(schema)
      const isFirst = worker.jobs === 0
      try {
        return await run(worker, order)
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error
        order.log.warn({ why: error.message, said: worker.output }, 'a template worker ended')
        // it may have ended because of an earlier job, or for an external reason
        if (isFirst) throw createWorkerEndedError()
      }
      const secondWorker = new TemplateWorker(schema())
      return run(secondWorker, order).catch((error) => {
        throw error instanceof WorkerEnded ? createWorkerEndedError() : error
      })
    },
    { account },
  )
}

const createWorkerEndedError = (): TemplateError =>
  new TemplateError('The template worker ended while it rendered this template.')

async function run<Type extends Job['type']>(worker: TemplateWorker, order: Order<Type>): Promise<JobResult<Type>> {
  const { job, texts = [], milliseconds, answer: respond, log } = order
  try {
    const outcome = await worker.run(job, texts, milliseconds, respond)
    if ('type' in outcome) {
      if (outcome.fault) log.error({ fault: outcome.fault }, 'a template caused an internal error')
      throw TemplateError.fromMessage(outcome.message, outcome.place)
    }
    return outcome as JobResult<Type>
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    log.warn(`a template was aborted: ${error.message}`)
    throw new TemplateError(error.message)
  } finally {
    void releaseWorker(worker)
  }
}

/** Returns an idle worker, or a new one. */
function acquireWorker(schema: () => TemplateSchema): TemplateWorker {
  for (let last = idle.pop(); last; last = idle.pop()) {
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
  const entry: Idle = {
    worker,
    timer: setTimeout(
      () => {
        idle.splice(idle.indexOf(entry), 1)
        worker.end()
      },
      idle.length === 0 ? LAST_IDLE : IDLE,
    ).unref(),
  }
  idle.push(entry)
}

/** Starts a worker if none is idle, so that the next print does not wait for it. */
export function warmUp(schema: () => TemplateSchema): void {
  if (idle.length === 0) keepIdle(new TemplateWorker(schema()))
}
