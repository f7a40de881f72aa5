import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Tx } from '../sql/tx.ts'

/** The channel on which the database announces a new job; the payload is the queue's name. */
export const JOBS_CHANNEL = 'jobs'

/** One kind of background work. Each node carries out one of its jobs after another, whichever node is free. */
export type Queue<Data extends object = object> = {
  name: string
  /** How often a job that failed is tried again before it is given up. */
  retries: number
  /** Seconds before it is tried again the first time; they double each time, with some chance in them. */
  retryDelay: number
  /** The most seconds between two attempts. */
  retryDelayMax: number
  /** Seconds that one attempt may take. After them it counts as lost, as if its process had died, and is made again. */
  patience: number
  /**
   * Seconds after which an attempt counts as lost whose process says nothing any more, 10 at least; without it that is noticed by its
   * time alone. An attempt that is believed lost may go on: what it does has to be none of its business any more.
   */
  silence?: number
  /**
   * How many of its jobs a node carries out at once; one unless it says so. All of them have an owner then: while one of an owner is
   * carried out, on whichever node, no other of that owner is begun, unless two are begun in the same instant.
   */
  atOnce?: number
  /**
   * Carries one job out; an error makes it be tried again. It may be called again for a job whose process died, so that what
   * must not happen twice has to be written down before it is done.
   * @throws NotAgain when it failed and is not to be tried again
   */
  handle(data: Data, attempt: Attempt): Promise<void>
}

export type Attempt = {
  /** There is no further attempt should this one fail. */
  isLast: boolean
  /** Is aborted when the service stops and has waited long enough, or the attempt took too long. */
  signal: AbortSignal
}

/**
 * Whose a job is, and which of theirs: while it waits it is not added a second time. Jobs of a higher priority go first, which is 0 unless
 * it is given.
 */
export type Owned = { owner: string; name: string; priority?: number }

/** What such a job has as its `singleton_key`. */
export const singletonOf = ({ owner, name }: Pick<Owned, 'owner' | 'name'>): string => `${owner} ${name}`

/** What was carried out and failed, so that it is given up at once. */
export class NotAgain extends Error {}

/** A job that failed and is not tried again. */
export type FailedJob = { queue: string; id: string; error: unknown }

/** Seconds between two looks for work that nobody announced: for retries, and after a lost connection. */
const POLLING = 10
/** Seconds between two looks for attempts that are lost. */
const LOOKING = 10
/** How long work in progress may take to end when the service stops, in milliseconds. */
const PATIENCE_AT_STOP = 4_000

/**
 * Background work, kept in the database by pg-boss (schema `pgboss`): a job is inserted in the transaction of the request
 * that asks for it, so that it exists exactly when that is committed. The commit wakes the workers of every node.
 */
export class Jobs {
  readonly #boss: PgBoss
  readonly #database: Database
  readonly #log: Logger
  readonly #failed: (job: FailedJob) => void
  readonly #queues = new Map<string, Queue>()
  /** The workers of each queue. */
  readonly #workers = new Map<string, readonly string[]>()
  readonly #stopping = new AbortController()
  #started = false
  #stopped = false

  /** @param failed is told of each job that is given up */
  constructor(database: Database, log: Logger, failed: (job: FailedJob) => void = () => {}) {
    this.#database = database
    this.#log = log
    this.#failed = failed
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => database.execute(text, values) },
      schedule: false,
      superviseIntervalSeconds: LOOKING,
      monitorIntervalSeconds: LOOKING,
    })
    this.#boss.on('error', (error) => this.#stopped || log.warn({ err: error }, 'a background task reported an error'))
    this.#boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  }

  /** Whether this process carries jobs out. */
  get works(): boolean {
    return this.#started && !this.#stopped
  }

  /** Makes a queue known. To be called before `start`. */
  register<Data extends object>(queue: Queue<Data>): void {
    this.#queues.set(queue.name, queue as unknown as Queue)
  }

  /** Makes the queues ready, and begins to work unless this process only hands out work. */
  async start({ works }: { works: boolean }): Promise<void> {
    if (works) await this.#boss.start()
    this.#started = works
    for (const { name, retries, retryDelay, retryDelayMax, patience, silence, atOnce } of this.#queues.values()) {
      const options = {
        retryLimit: retries,
        retryDelay,
        retryDelayMax,
        retryBackoff: true,
        expireInSeconds: patience,
        ...(silence !== undefined && { heartbeatSeconds: silence }),
        // how long what is done or was given up stays is for whoever keeps house
        deleteAfterSeconds: 0,
      }
      // which matters only to jobs that are owned
      await this.#boss.createQueue(name, { ...options, policy: atOnce === undefined ? 'standard' : 'short' })
      await this.#boss.updateQueue(name, options)
    }
    if (works) for (const queue of this.#queues.values()) await this.#employ(queue)
  }

  /** Inserts a job in a transaction. `data` may be read by whoever reads the database: it holds no secret (decision 39). */
  async send(tx: Tx, queue: string, data: object, owned?: Owned): Promise<void> {
    const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }) }
    const its = owned && { group: { id: owned.owner }, singletonKey: singletonOf(owned), priority: owned.priority ?? 0 }
    await this.#boss.send(queue, data, { db, ...its })
    await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, queue])
  }

  /** Lets a queue look for work now; without a name all of them do. */
  wake(queue?: string): void {
    for (const [name, workers] of this.#workers)
      if (queue === undefined || queue === name) for (const worker of workers) this.#boss.notifyWorker(worker)
  }

  /** Makes the attempt that is being made the last one. */
  async #giveUp(queue: string, id: string): Promise<void> {
    const text = 'update pgboss.job set retry_limit = retry_count where name = $1 and id = $2'
    await this.#database.read({ text, values: [queue, id] })
  }

  /** Ends the work: what is in progress may end in a few seconds, and is broken off then. */
  async stop(): Promise<void> {
    if (!this.#started || this.#stopped) return
    this.#stopped = true
    const idle = Promise.all([...this.#workers.keys()].map((name) => this.#boss.offWork(name, { wait: true })))
    if (!(await inTime(idle, PATIENCE_AT_STOP))) {
      this.#stopping.abort()
      await inTime(idle, 1_000)
    }
    await this.#boss.stop({ graceful: false })
  }

  async #employ(queue: Queue): Promise<void> {
    const workers: string[] = []
    this.#workers.set(queue.name, workers)
    for (let count = 0; count < (queue.atOnce ?? 1); count++) workers.push(await this.#work(queue))
  }

  #work(queue: Queue): Promise<string> {
    const { name } = queue
    return this.#boss.work<object, void, { includeMetadata: true; pollingIntervalSeconds: number }>(
      name,
      { includeMetadata: true, pollingIntervalSeconds: POLLING, ...(queue.atOnce !== undefined && { groupConcurrency: 1 }) },
      async ([job]) => {
        if (!job) return
        const attempt = {
          isLast: job.retryCount >= job.retryLimit,
          signal: AbortSignal.any([job.signal, this.#stopping.signal]),
        }
        try {
          await queue.handle(job.data, attempt)
        } catch (error) {
          const isLast = attempt.isLast || error instanceof NotAgain
          if (!this.#stopped) this.#log.warn({ err: error, queue: name, last: isLast }, 'a background task failed')
          if (isLast && !attempt.isLast) await this.#giveUp(name, job.id)
          if (isLast) this.#failed({ queue: name, id: job.id, error })
          throw error
        } finally {
          // the worker would rest after each job, though there may be more
          this.wake(name)
        }
      },
    )
  }
}

/** Whether something ends within so many milliseconds. */
async function inTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
