// Over 400 lines: only this file holds the pool, so reads, writes and lent transactions stay together.
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { withDedicatedConnection } from '../../database/own-connection.ts'
import { type Enqueue, RowQuery, type Statement, type TextRow } from '../../database/text-query.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import {
  ASYNC_COMMIT,
  BEGIN,
  COMMIT,
  isFatal,
  isTransient,
  limitTime,
  NON_FATAL_SQLSTATE,
  readTexts,
  runTogether,
  setAccount,
} from './session.ts'
import { getStatementName } from './statement.ts'

/**
 * The only access to the database: no other file holds the pool. A read runs as one statement, which is its own snapshot; every write runs
 * in `transaction`, whose handle is passed to the functions that need it.
 */
export class Database {
  readonly #pool: Pool
  readonly #onError: (error: unknown) => void
  readonly #onCommit: () => void

  /**
   * @param onError called when an external effect fails after its transaction was committed
   * @param onCommit called after the commit of a transaction that may have changed something
   */
  constructor(pool: Pool, onError: (error: unknown) => void = () => {}, onCommit: () => void = () => {}) {
    this.#pool = pool
    this.#onError = onError
    this.#onCommit = onCommit
  }

  /** The database itself, also for a pipeline of reads: cached values are valid for both. */
  get origin(): Database {
    return this
  }

  async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.withClient((client) => client.query<Row>(statement as QueryConfig))).rows
  }

  /**
   * Runs a statement without waiting for the disk: its change may be lost if the machine fails right after it. For records about work, not
   * for the work itself.
   */
  async executeUnsynced(statement: Statement): Promise<void> {
    await this.withClient((client) => readTexts(client, [ASYNC_COMMIT, statement]))
  }

  /** Runs a statement, or several without values, as a library does for its own tables, and returns the response of the driver. */
  execute(text: string, values?: unknown[]): Promise<{ rows: any[] }> {
    return this.withClient((client) => client.query(text, values))
  }

  /** Runs a read and returns its columns as strings. A caller that waits for its turn holds no connection. */
  queryAsText(statement: Statement): Promise<TextRow[]> {
    const { timeLimit, enqueue = immediately } = statement
    return enqueue(() =>
      this.withClient((client) => readTexts(client, timeLimit ? [limitTime(timeLimit), statement] : [statement])),
    )
  }

  /**
   * Runs work with a connection of the pool, for one or more statements. After an invalid value or a timeout the connection goes back to the pool with its
   * prepared statements; after any other error it is discarded.
   */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let connectionError: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (!NON_FATAL_SQLSTATE.test((error as { code?: string }).code ?? '')) connectionError = error as Error
      throw error
    } finally {
      client.release(connectionError)
    }
  }

  /**
   * Runs work with a connection while that work also uses the database through other connections. A pool with a single connection would
   * deadlock: in that case, the connection is opened outside the pool.
   */
  withExtraClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#pool.options.max === 1 ? withDedicatedConnection(this.#pool, work) : this.withClient(work)
  }

  /**
   * Runs `work` with one snapshot of the database, on a connection of its own: it does not see concurrent writes, may take as long as it needs,
   * and takes no connection from requests.
   * @param signal aborts it
   */
  async snapshot<T>(work: (read: ReadSnapshot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withDedicatedConnection(this.#pool, async (client) => {
      const closeConnection = () => void client.end()
      signal?.throwIfAborted()
      signal?.addEventListener('abort', closeConnection)
      try {
        await client.query('begin transaction isolation level repeatable read read only')
        await client.query(FULL_SCAN_SETTINGS)
        const result = await work(async (text) => (await client.query(text)).rows)
        await client.query('commit')
        return result
      } finally {
        signal?.removeEventListener('abort', closeConnection)
      }
    })
  }

  /**
   * Runs `work` in one transaction and returns its result. Any error rolls back. A transaction that PostgreSQL aborts because of another
   * (deadlock, serialization) is retried from its start, as is one that turns out to need the lock of all writes exclusively
   * (`Tx.lockExclusive`); `work` must therefore have no effects outside the transaction, but register them with `tx.after`.
   * @param account the account that makes the change, which its events name
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, account?: number): Promise<T> {
    let isExclusive = false
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, effects, hasBegun } = await this.#attempt(work, account, isExclusive)
        if (hasBegun) this.#onCommit()
        for (const effect of effects) await this.#runEffect(effect)
        return result
      } catch (error) {
        if (!isExclusive && needsExclusive(error)) {
          isExclusive = true
          continue
        }
        if (!isTransient(error)) throw error
        if (attempt === 5) throw new Problem('conflict')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
      }
    }
  }

  /** Runs an effect after the commit: if it fails, the caller must not get an error, nor may the work be retried. */
  async #runEffect(effect: () => unknown): Promise<void> {
    try {
      await effect()
    } catch (error) {
      this.#onError(error)
    }
  }

  async #attempt<T>(
    work: (tx: Tx) => Promise<T>,
    account: number | undefined,
    isExclusive: boolean,
  ): Promise<{ result: T; effects: readonly (() => unknown)[]; hasBegun: boolean }> {
    const client = await this.#pool.connect()
    // the connection may break between two statements; without a listener, its error event would end the process
    let connectionError: Error | undefined
    const onError = (error: Error) => {
      connectionError = error
    }
    client.on('error', onError)
    const tx = new Tx(client, { account, isExclusive })
    let result: T
    try {
      result = await work(tx)
      await tx.commit()
    } catch (error) {
      if (connectionError || isFatal(error)) connectionError ??= error as Error
      else if (tx.isOpen) await client.query('rollback').catch((failed: Error) => (connectionError = failed))
      throw error
    } finally {
      client.off('error', onError)
      client.release(connectionError)
    }
    return { result, effects: tx.effects, hasBegun: tx.isOpen }
  }
}

const immediately: Enqueue = (work) => work()

/** Returns a statement with the name under which a connection caches its plan. */
const withName = ({ text, values, name }: Statement): Statement => ({ text, values, name: name ?? getStatementName(text) })

/**
 * For statements over whole tables: sequential scans, in-memory work (a few hundred megabytes for a large database), and one process each,
 * since a second one would slow down requests.
 */
const FULL_SCAN_SETTINGS = `set local random_page_cost = 4; set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`

/**
 * Thrown by work that holds the lock of all writes shared and turns out to need it exclusively: it is rolled back and retried from its
 * start with `Tx.isExclusive`.
 */
class ExclusiveLockRequired extends Error {}

/** The error code with which triggers request the same: they need to lock a row out of order, and another transaction holds it. */
const LOCK_ORDER_ERROR = 'LK001'

/** Whether the work must be retried with the lock of all writes held exclusively. */
const needsExclusive = (error: unknown): boolean =>
  error instanceof ExclusiveLockRequired || (error as { code?: string }).code === LOCK_ORDER_ERROR

/** The key of the advisory lock of all writes; triggers use the same key. */
const WRITE_LOCK_KEY = `hashtext('quantities'), 0`

/** Returns the rows of a read-only statement. */
export type ReadSnapshot = <Row extends QueryResultRow>(text: string) => Promise<Row[]>

/**
 * A transaction in progress. BEGIN is sent with its first statement, COMMIT with its last ones (`atCommit`). Each call in between is a
 * round trip to PostgreSQL while all previous locks are held: `pipeline` sends several statements in one.
 */
export class Tx {
  readonly #client: ClientBase
  #isOpen: boolean
  /** Statements sent with COMMIT. */
  #commitStatements: Statement[] = []
  /** Effects outside the database, run in order once the transaction is committed. */
  readonly effects: (() => unknown)[] = []

  readonly #isLent: boolean
  readonly #account: number | undefined
  /** The mode in which it holds the lock of all writes. */
  #lock: 'none' | 'shared' | 'exclusive' = 'none'
  /** The statement that takes this lock: sent before the next statement, and never if there is none. */
  #lockStatements: Statement[] = []
  readonly #isExclusive: boolean

  /**
   * @param options.isLent whether the transaction is already lent, and open
   * @param options.account the account that makes the change
   * @param options.isExclusive whether it takes the lock of all writes exclusively, if at all
   */
  constructor(
    client: ClientBase,
    { isLent = false, account, isExclusive = false }: { isLent?: boolean; account?: number; isExclusive?: boolean } = {},
  ) {
    this.#client = client
    this.#isOpen = isLent
    this.#isLent = isLent
    this.#account = account
    this.#isExclusive = isExclusive
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * Takes the lock of all writes shared, before any row lock. Writes that share it lock rows in one order (docs/locks.md); writes that
   * cannot keep to that order take the lock exclusively. The lock is sent with the next statement.
   */
  lockShared(): void {
    if (this.#lock !== 'none' || this.#isLent) return
    if (this.#isExclusive) this.lockExclusive()
    else {
      this.#lock = 'shared'
      this.#lockStatements = [{ text: `select pg_advisory_xact_lock_shared(${WRITE_LOCK_KEY})`, name: 'share_writes' }]
    }
  }

  /**
   * Takes the lock of all writes exclusively: waits for its current holders, while new ones wait for it. For a deletion, which locks an
   * object before all objects that refer to it, and for moves of parts and locations. The lock is sent with the next statement.
   * @throws ExclusiveLockRequired if it is already held shared: the work is retried, and holds it exclusively from its start
   */
  lockExclusive(): void {
    if (this.#lock === 'exclusive' || this.#isLent) return
    if (this.#lock === 'shared') throw new ExclusiveLockRequired()
    this.#lock = 'exclusive'
    const text = `select pg_advisory_xact_lock(${WRITE_LOCK_KEY}), set_config('stockroom.exclusive', 'on', true)`
    this.#lockStatements = [{ text, name: 'own_writes' }]
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const [rows] = await this.pipeline({ text, values })
    return rows as Row[]
  }

  /**
   * Sends statements in one round trip. PostgreSQL runs them in order: if one locks rows, later ones see their current state. After a
   * failure, the remaining statements do not run.
   * @returns the rows of each statement
   */
  async pipeline(...statements: readonly Statement[]): Promise<readonly QueryResultRow[][]> {
    if (statements.length === 0) return []
    const query = await this.#send(statements.map(withName), statements.length)
    return statements.map((_, index) => query.getObjects(index))
  }

  /** Runs a statement and returns its columns as strings. */
  async queryAsText(statement: Statement): Promise<readonly TextRow[]> {
    return (await this.#send([withName(statement)], 1)).getTextRows(0)
  }

  /** Adds statements to send with COMMIT, in this order. For the last writes of a transaction: nothing in it may read what they write. */
  atCommit(...statements: readonly Statement[]): void {
    this.#commitStatements.push(...statements.map(withName))
  }

  /** Runs the statements for the commit now, so that further writes see what they wrote. */
  async flush(): Promise<void> {
    const statements = this.#commitStatements.splice(0)
    if (statements.length) await this.pipeline(...statements)
  }

  /**
   * Runs work that can be rolled back by itself: if it throws, all its changes are undone, with its statements for the commit, and the
   * transaction can continue.
   */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const [last, effects] = [this.#commitStatements.length, this.effects.length]
    await this.query('savepoint part')
    try {
      const result = await work()
      await this.query('release savepoint part')
      return result
    } catch (error) {
      this.#commitStatements = this.#commitStatements.slice(0, last)
      this.effects.length = effects
      if (!isFatal(error)) await this.pipeline({ text: 'rollback to savepoint part' }, { text: 'release savepoint part' })
      throw error
    }
  }

  /** @param resultCount the number of statements, counted from the last, whose rows are read */
  async #send(statements: readonly Statement[], resultCount: number): Promise<RowQuery> {
    const beginStatements = this.#account === undefined ? [BEGIN] : [BEGIN, setAccount(this.#account)]
    const all = [...(this.#isOpen ? [] : beginStatements), ...this.#lockStatements, ...statements]
    this.#isOpen = true
    this.#lockStatements = []
    const query = new RowQuery(this.#client, all, resultCount)
    await runTogether(this.#client, query)
    return query
  }

  /** Runs the statements registered for the commit, without committing. */
  async runCommitStatements(): Promise<void> {
    const last = this.#commitStatements
    this.#commitStatements = []
    if (last.length > 0) await this.#send(last, 0)
  }

  /** Commits, if any statement was sent or registered. */
  async commit(): Promise<void> {
    if (this.#isOpen || this.#commitStatements.length > 0) await this.#send([...this.#commitStatements, COMMIT], 0)
  }

  /** Returns the first row of a statement; undefined if there is none. */
  async first<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0]
  }

  /**
   * Runs work with a read-only `Database` that sees the uncommitted changes of this transaction. Failed reads leave the transaction
   * unchanged. No other statements may be sent in the transaction until `work` ends; after that, or after these milliseconds, the reader
   * rejects statements.
   * @throws Problem 403 if it is already lent
   */
  async withReader<T>(milliseconds: number, work: (reader: Database) => Promise<T>): Promise<T> {
    if (this.#isLent) throw unreadableError()
    if (!this.#isOpen) await this.#send([], 0)
    const readerPool = new ReaderPool(this.#client, performance.now() + milliseconds)
    try {
      return await work(new Reader(readerPool))
    } finally {
      await readerPool.end()
    }
  }

  /** Registers an effect outside the database (email, files, events), which runs after the commit, or never. */
  after(effect: () => unknown): void {
    this.effects.push(effect)
  }
}

/** The PostgreSQL error codes for a write in a read-only transaction, and for a statement past its timeout. */
const READ_ONLY = '25006'
const QUERY_CANCELED = '57014'

function translateReaderError(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === READ_ONLY) return new Problem('permission_denied', requestErrors.write_in_check)
  return code === QUERY_CANCELED ? writeContinuedError() : error
}

const unreadableError = () => new Problem('permission_denied', requestErrors.unreadable_in_check)

const writeContinuedError = () => new Problem('unavailable', requestErrors.write_went_on)

/** The read-only database of a lent transaction. */
class Reader extends Database {
  readonly #readerPool: ReaderPool

  constructor(readerPool: ReaderPool) {
    super(readerPool as unknown as Pool)
    this.#readerPool = readerPool
  }

  /** Runs work as a read, even if it is meant to write; all its changes are rolled back. */
  override async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#readerPool.connect()
    try {
      const tx = new Tx(client, { isLent: true })
      const result = await work(tx)
      await tx.runCommitStatements()
      return result
    } catch (error) {
      throw translateReaderError(error)
    } finally {
      client.release()
    }
  }

  override async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return super.read<Row>(statement).catch((error) => {
      throw translateReaderError(error)
    })
  }

  override async snapshot(): Promise<never> {
    throw unreadableError()
  }

  /** Ignores the time limits of statements: the time limit of the reader applies to all. */
  override async queryAsText({ timeLimit: _, ...statement }: Statement): Promise<TextRow[]> {
    return super.queryAsText(statement).catch((error) => {
      throw translateReaderError(error)
    })
  }
}

/** Lends the connection of a transaction as a pool does, to one reader at a time, each in a savepoint that is rolled back afterwards. */
class ReaderPool {
  readonly #client: ClientBase
  readonly #endsAt: number
  #isEnded = false
  /** Settles when no reader has the connection or waits for it. */
  #queue: Promise<unknown> = Promise.resolve()

  constructor(client: ClientBase, endsAt: number) {
    this.#client = client
    this.#endsAt = endsAt
  }

  async connect(): Promise<PoolClient> {
    const turn = Promise.withResolvers<void>()
    const previous = this.#queue
    this.#queue = previous.then(() => turn.promise)
    await previous
    try {
      await this.#start()
    } catch (error) {
      turn.resolve()
      throw error
    }
    const query = this.#client.query.bind(this.#client)
    const getTypeParser = this.#client.getTypeParser.bind(this.#client)
    const release = () => void this.#client.query('rollback to savepoint lent').then(() => turn.resolve(), turn.resolve)
    return { query, getTypeParser, release } as unknown as PoolClient
  }

  async #start(): Promise<void> {
    const remainingMs = Math.ceil(this.#endsAt - performance.now())
    if (this.#isEnded || remainingMs <= 0) throw writeContinuedError()
    await this.#client.query(
      `savepoint lent; set local transaction_read_only to on; set local statement_timeout to ${remainingMs.toFixed()}`,
    )
  }

  /** Resolves when the transaction can continue. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#queue
  }
}
