import type { Logger } from 'pino'
import { Semaphore } from '../../kit/services/semaphore.ts'
import { makeWorld } from '../context/make-world.ts'
import { printErrors } from '../print-errors.ts'
import { TemplateError } from '../rendering.ts'
import type { Job, Results } from './messages.ts'
import { type Answering, LimitExceeded, TemplateWorker, WorkerEnded } from './process.ts'

/** How many workers do jobs at once, and how many of them for one account: whatever its templates do, one is left for others. */
const WORKERS = 3
const OF_ONE_ACCOUNT = 2
/** Milliseconds that a job waits for its turn: longer than any other runs. Jobs of one account that may wait. */
const JOB_TIMEOUT_MS = 45_000
const LONGEST_QUEUE = 100
/** Milliseconds after which a worker ends that had nothing to do; one stays longer, since it takes a moment to start. */
const IDLE = 30_000
const LAST_IDLE = 10 * 60_000
/** A worker that did so many jobs, or uses so many bytes of memory, is replaced: nothing can pile up in it. */
const MAX_JOBS = 1_000
const MAX_IDLE_MEMORY = 200 * 1024 * 1024

const turns = new Semaphore(WORKERS, JOB_TIMEOUT_MS, printErrors.too_much_printing, LONGEST_QUEUE, OF_ONE_ACCOUNT)

type Idle = { worker: TemplateWorker; timer: NodeJS.Timeout }
const idle: Idle[] = []

type Order<Type extends Job['type']> = {
  job: Job & { type: Type }
  /** What stands behind it. */
  texts?: readonly string[]
  /** How long it may take. */
  milliseconds: number
  log: Logger
  answer: Answering
}

type Done<Type extends Job['type']> = { result: Results[Type]; texts: string[] }

/**
 * Has a worker do a job, when it is the account's turn.
 * @param account whose it is; undefined for the service itself
 * @param make is called then
 * @throws TemplateError where the template is to blame, or takes too much; Problem 503 when its turn does not come; what answering throws
 */
export async function runJob<Type extends Job['type']>(
  account: number | undefined,
  make: () => Order<Type> | Promise<Order<Type>>,
): Promise<Done<Type>> {
  return turns.run(
    async () => {
      const order = await make()
      const worker = take()
      const isFirst = worker.jobs === 0
      try {
        return await run(worker, order)
      } catch (error) {
        if (!(error instanceof WorkerEnded)) throw error
        order.log.warn({ why: error.message, said: worker.said }, 'a template worker ended')
        // it may have ended for what was before, or for no fault of its own
        if (isFirst) throw ended()
      }
      const other = new TemplateWorker(makeWorld())
      return run(other, order).catch((error) => {
        throw error instanceof WorkerEnded ? ended() : error
      })
    },
    { account },
  )
}

const ended = (): TemplateError => new TemplateError('The template worker ended while it rendered this template.')

async function run<Type extends Job['type']>(worker: TemplateWorker, order: Order<Type>): Promise<Done<Type>> {
  const { job, texts = [], milliseconds, answer, log } = order
  try {
    const outcome = await worker.run(job, texts, milliseconds, answer)
    if ('type' in outcome) {
      if (outcome.fault) log.error({ fault: outcome.fault }, 'a template caused an internal error')
      throw TemplateError.told(outcome.message, outcome.place)
    }
    return outcome as Done<Type>
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    log.warn(`a template was aborted: ${error.message}`)
    throw new TemplateError(error.message)
  } finally {
    void give(worker)
  }
}

/** A worker that has nothing to do, or a new one. */
function take(): TemplateWorker {
  for (let last = idle.pop(); last; last = idle.pop()) {
    clearTimeout(last.timer)
    if (!last.worker.hasEnded) return last.worker
  }
  return new TemplateWorker(makeWorld())
}

/** Keeps a worker for the next job, unless it is worn. */
async function give(worker: TemplateWorker): Promise<void> {
  if (worker.hasEnded) return
  const isWorn = worker.jobs >= MAX_JOBS || ((await worker.memory()) ?? 0) > MAX_IDLE_MEMORY
  if (isWorn) worker.end()
  else keep(worker)
}

function keep(worker: TemplateWorker): void {
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

/** Starts a worker if there is none that has nothing to do: whoever is about to print does not wait for it then. */
export function warmUp(): void {
  if (idle.length === 0) keep(new TemplateWorker(makeWorld()))
}
