import type { ClientBase, PoolClient, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import type { Statement, TextRow } from '../../database/text-query.ts'
import { requestErrors } from '../request/request-errors.ts'
import { Semaphore } from '../services/semaphore.ts'
import type { Services } from '../services/services.ts'
import { Database, type ReadSnapshot, type Tx } from '../sql/tx.ts'

/** Milliseconds to wait for one of the connections for pipelines. */
const MAX_WAIT_MS = 10_000
/** Maximum number of waiting requests of one account. */
const MAX_QUEUE_LENGTH = 1_000

const semaphores = new WeakMap<Database, Semaphore>()

/**
 * Passes `work` a database that pipelines its reads over one connection: each is sent immediately, without waiting for the results of those
 * before it, and is its own transaction, so that a failure does not affect the others. All other statements go to the original database,
 * over another connection; so pipelines use at most half of the connections.
 * @param account account of the request: accounts take turns, and none gets all of these connections
 * @throws Problem `unavailable` (503) when none of these becomes free in time
 */
export function withPipeline<T>(
  { database, config }: Services,
  account: number | undefined,
  work: (pipeline: Database) => Promise<T>,
): Promise<T> {
  const maxConnections = Math.max(1, Math.floor(config.databasePoolSize / 2))
  const semaphore =
    semaphores.get(database) ??
    new Semaphore(
      maxConnections,
      MAX_WAIT_MS,
      requestErrors.too_many_joint_reads,
      MAX_QUEUE_LENGTH,
      Math.max(1, maxConnections - 1),
    )
  semaphores.set(database, semaphore)
  const runWork = () =>
    database.withExtraClient(async (client) => {
      const pipeline = new Pipeline(database, client)
      try {
        return await work(pipeline)
      } finally {
        await pipeline.end()
      }
    })
  return semaphore.run(runWork, { account })
}

/** A client of `pg` that pipelines its queries while this is set. The types of `pg` have it only as an option of new clients. */
type PipeliningClient = { pipeline: boolean; connectionParameters?: { query_timeout?: number | false } }

class Pipeline extends Database {
  readonly #origin: Database
  readonly #client: ClientBase & PipeliningClient
  readonly #pending = new Set<Promise<unknown>>()
  /** The last statement with a time limit; settled when its result arrives. */
  #lastLimited: Promise<unknown> = Promise.resolve()
  #isEnded = false

  constructor(origin: Database, client: ClientBase) {
    super(NO_POOL)
    this.#origin = origin
    this.#client = client as ClientBase & PipeliningClient
    this.#client.pipeline = true
  }

  override get origin(): Database {
    return this.#origin
  }

  override async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return this.#isEnded ? this.#origin.read(statement) : (await this.#send<QueryResult<Row>>(statement)).rows
  }

  /**
   * Sends a statement with its own time limit to the original database, where it may have to wait. Such statements run one after the other,
   * so that one request does not use all connections for them.
   */
  override async queryAsText(statement: Statement): Promise<TextRow[]> {
    if (this.#isEnded) return this.#origin.queryAsText(statement)
    if (statement.timeLimit) {
      const result = this.#lastLimited.then(() => this.#origin.queryAsText(statement))
      this.#lastLimited = result.catch(() => {})
      return result
    }
    return (await this.#send<QueryArrayResult<TextRow>>(statement, AS_TEXTS)).rows
  }

  override transaction<T>(work: (tx: Tx) => Promise<T>, account?: number): Promise<T> {
    return this.#origin.transaction(work, account)
  }

  override withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return this.#origin.withClient(work)
  }

  override withExtraClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#origin.withExtraClient(work)
  }

  override snapshot<T>(work: (read: ReadSnapshot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#origin.snapshot(work, signal)
  }

  /** Waits for all results. Later statements go to the database itself, as other requests may use the connection by then. */
  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.allSettled(this.#pending)
    this.#client.pipeline = false
  }

  async #send<Result>({ text, name, values = [] }: Statement, format = {}): Promise<Result> {
    // the time limit of each starts with the result of the previous one
    const statementTimeout = this.#client.connectionParameters?.query_timeout || 0
    const query_timeout = statementTimeout * (this.#pending.size + 1)
    const result = this.#client.query({ text, name, values: [...values], query_timeout, ...format } as QueryConfig)
    this.#pending.add(result)
    try {
      return (await result) as Result
    } finally {
      this.#pending.delete(result)
    }
  }
}

/** Rows as arrays of strings, as PostgreSQL returns them. */
const AS_TEXTS = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } }

/** Placeholder for the pool of a database, which is never used here. */
const NO_POOL = undefined as unknown as ConstructorParameters<typeof Database>[0]
