import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Tx } from '../sql/tx.ts'

/** The channel on which the database announces a new job; the payload is the queue's name. */
export const JOBS_CHANNEL = 'jobs'

/** One kind of background work. Each node runs one of its jobs after another, on whichever node is idle. */
export type Queue<Data extends object = object> = {
  name: string
  /** Number of retries of a failed job before it is given up. */
  retries: number
  /** Seconds before the first retry; they double each time, with jitter. */
  retryDelay: number
  /** Maximum seconds between two attempts. */
  retryDelayMax: number
  /** Maximum seconds of one attempt. It then counts as lost, as if its process had died, and is retried. */
  timeoutSeconds: number
  /**
   * Seconds without a heartbeat from its process after which an attempt counts as lost, at least 10; if undefined, an attempt counts as
   * lost only at its time limit. One that is wrongly considered lost may still be running: it must not write anything any more.
   */
  heartbeatTimeoutSeconds?: number
  /**
   * Number of its jobs that a node runs concurrently; one by default. If set, all of them have an owner: while a job of an owner runs, on
   * any node, no other job of that owner is started, unless two are started in the same instant.
   */
  concurrency?: number
  /**
   * Runs one job; an error causes a retry. It may be called a second time for a job whose process died, so that work that must not happen
   * twice has to be recorded before it is done.
   * @throws NonRetryableError when it failed and must not be retried
   */
  handle(data: Data, attempt: Attempt): Promise<void>
}

export type Attempt = {
  /** Whether no further attempt follows if this one fails. */
  isLast: boolean
  /** Aborted when the service stops and has waited long enough, or the attempt took too long. */
  signal: AbortSignal
}

/** The owner of a job, and its name: while a job waits, another one with the same owner and name is not added. Higher priorities go first; the default is 0. */
export type JobIdentity = { owner: string; name: string; priority?: number }

/** The `singleton_key` of the job. */
export const toSingletonKey = ({ owner, name }: Pick<JobIdentity, 'owner' | 'name'>): string => `${owner} ${name}`

/** The error of a job that failed and must be given up immediately. */
export class NonRetryableError extends Error {}

/** A job that failed and is not retried. */
export type FailedJob = { queue: string; id: string; error: unknown }

/** Seconds between polls for work without a notification: for retries, and after a lost connection. */
const POLL_INTERVAL_SECONDS = 10
/** Seconds between checks for lost attempts. */
const MAINTENANCE_INTERVAL_SECONDS = 10
/** Milliseconds that work in progress has to end when the service stops. */
const STOP_TIMEOUT_MS = 4_000

/**
 * Background work, stored in the database by pg-boss (schema `pgboss`): a job is inserted in the transaction of the request that enqueues
 * it, so that it exists exactly if that is committed. The commit wakes the workers of every node.
 */
export class Jobs {
  readonly #boss: PgBoss
  readonly #database: Database
  readonly #log: Logger
  readonly #onFailed: (job: FailedJob) => void
  readonly #queues = new Map<string, Queue>()
  /** The workers of each queue. */
  readonly #workers = new Map<string, readonly string[]>()
  readonly #stopping = new AbortController()
  #started = false
  #stopped = false

  /** @param onFailed called for each job that is given up */
  constructor(database: Database, log: Logger, onFailed: (job: FailedJob) => void = () => {}) {
    this.#database = database
    this.#log = log
    this.#onFailed = onFailed
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => database.execute(text, values) },
      schedule: false,
      superviseIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
      monitorIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
    })
    this.#boss.on('error', (error) => this.#stopped || log.warn({ err: error }, 'a background task reported an error'))
    this.#boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  }

  /** Whether this process runs jobs. */
  get works(): boolean {
    return this.#started && !this.#stopped
  }

  /** Registers a queue. Called before `start`. */
  register<Data extends object>(queue: Queue<Data>): void {
    this.#queues.set(queue.name, queue as unknown as Queue)
  }

  /** Creates the queues, and starts to work unless this process only enqueues jobs. */
  async start({ works }: { works: boolean }): Promise<void> {
    if (works) await this.#boss.start()
    this.#started = works
    for (const {
      name,
      retries,
      retryDelay,
      retryDelayMax,
      timeoutSeconds,
      heartbeatTimeoutSeconds,
      concurrency,
    } of this.#queues.values()) {
      const options = {
        retryLimit: retries,
        retryDelay,
        retryDelayMax,
        retryBackoff: true,
        expireInSeconds: timeoutSeconds,
        ...(heartbeatTimeoutSeconds !== undefined && { heartbeatSeconds: heartbeatTimeoutSeconds }),
        // housekeeping decides how long completed and failed jobs are kept
        deleteAfterSeconds: 0,
      }
      // the policy only matters for jobs with an owner
      await this.#boss.createQueue(name, { ...options, policy: concurrency === undefined ? 'standard' : 'short' })
      await this.#boss.updateQueue(name, options)
    }
    if (works) for (const queue of this.#queues.values()) await this.#startWorkers(queue)
  }

  /** Inserts a job in a transaction. `data` is readable for anyone with access to the database: it holds no secret. */
  async send(tx: Tx, queue: string, data: object, identity?: JobIdentity): Promise<void> {
    const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }) }
    const identityOptions = identity && {
      group: { id: identity.owner },
      singletonKey: toSingletonKey(identity),
      priority: identity.priority ?? 0,
    }
    await this.#boss.send(queue, data, { db, ...identityOptions })
    await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, queue])
  }

  /** Makes a queue poll for work now; without a name all of them. */
  wake(queue?: string): void {
    for (const [name, workers] of this.#workers)
      if (queue === undefined || queue === name) for (const worker of workers) this.#boss.notifyWorker(worker)
  }

  /** Makes the current attempt the last one. */
  async #markFailed(queue: string, id: string): Promise<void> {
    const text = 'update pgboss.job set retry_limit = retry_count where name = $1 and id = $2'
    await this.#database.read({ text, values: [queue, id] })
  }

  /** Stops the work: jobs in progress have a few seconds to end, and are then aborted. */
  async stop(): Promise<void> {
    if (!this.#started || this.#stopped) return
    this.#stopped = true
    const idle = Promise.all([...this.#workers.keys()].map((name) => this.#boss.offWork(name, { wait: true })))
    if (!(await endsInTime(idle, STOP_TIMEOUT_MS))) {
      this.#stopping.abort()
      await endsInTime(idle, 1_000)
    }
    await this.#boss.stop({ graceful: false })
  }

  async #startWorkers(queue: Queue): Promise<void> {
    const workers: string[] = []
    this.#workers.set(queue.name, workers)
    for (let count = 0; count < (queue.concurrency ?? 1); count++) workers.push(await this.#startWorker(queue))
  }

  #startWorker(queue: Queue): Promise<string> {
    const { name } = queue
    return this.#boss.work<object, void, { includeMetadata: true; pollingIntervalSeconds: number }>(
      name,
      {
        includeMetadata: true,
        pollingIntervalSeconds: POLL_INTERVAL_SECONDS,
        ...(queue.concurrency !== undefined && { groupConcurrency: 1 }),
      },
      async ([job]) => {
        if (!job) return
        const attempt = {
          isLast: job.retryCount >= job.retryLimit,
          signal: AbortSignal.any([job.signal, this.#stopping.signal]),
        }
        try {
          await queue.handle(job.data, attempt)
        } catch (error) {
          const isLast = attempt.isLast || error instanceof NonRetryableError
          if (!this.#stopped) this.#log.warn({ err: error, queue: name, last: isLast }, 'a background task failed')
          if (isLast && !attempt.isLast) await this.#markFailed(name, job.id)
          if (isLast) this.#onFailed({ queue: name, id: job.id, error })
          throw error
        } finally {
          // the worker would pause after each job, even if there are more
          this.wake(name)
        }
      },
    )
  }
}

/** Whether work ends within the given milliseconds. */
async function endsInTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    clearTimeout(timer)
  }
}
