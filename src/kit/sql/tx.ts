// Over 400 lines: nothing but this file holds the pool; who reads, who writes and whom a transaction is lent to stand together.
import type { ClientBase, Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg'
import { withOwnConnection } from '../../database/own-connection.ts'
import { type InTurn, RowQuery, type Statement, type Texts } from '../../database/text-query.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import {
  BEGIN,
  COMMIT,
  isFatal,
  isTransient,
  limitTime,
  NOT_WAITING,
  nameAccount,
  readTexts,
  run,
  SPARES_CONNECTION,
} from './session.ts'
import { nameOf } from './statement.ts'

/**
 * The only door to the database: nothing but this file holds the pool. A read runs as one statement, which is its own
 * snapshot; everything that writes runs in `transaction`, whose handle is passed to whoever needs it.
 */
export class Database {
  readonly #pool: Pool
  readonly #onError: (error: unknown) => void
  readonly #onCommit: () => void

  /**
   * @param onError is told when an effect outside failed after its transaction was committed
   * @param onCommit is told when a transaction was committed that may have changed something
   */
  constructor(pool: Pool, onError: (error: unknown) => void = () => {}, onCommit: () => void = () => {}) {
    this.#pool = pool
    this.#onError = onError
    this.#onCommit = onCommit
  }

  /** The database itself, of a pipeline of reads too: what is cached of it holds for both. */
  get origin(): Database {
    return this
  }

  async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.lend((client) => client.query<Row>(statement as QueryConfig))).rows
  }

  /**
   * A statement whose change may be lost when the machine fails in the next moment: it does not wait until the disk has it. For what
   * is noted down of work, but not for the work.
   */
  async note(statement: Statement): Promise<void> {
    await this.lend((client) => readTexts(client, [NOT_WAITING, statement]))
  }

  /** A statement, or several without values, as a library writes them for its own tables: what the driver answers. */
  execute(text: string, values?: unknown[]): Promise<{ rows: any[] }> {
    return this.lend((client) => client.query(text, values))
  }

  /** A read whose columns are texts. Whoever waits for their turn holds no connection. */
  texts(statement: Statement): Promise<Texts[]> {
    const { timeLimit, inTurn = atOnce } = statement
    return inTurn(() => this.lend((client) => readTexts(client, timeLimit ? [limitTime(timeLimit), statement] : [statement])))
  }

  /**
   * Lends a connection for a statement, or for several. One that fails for its values or takes too long
   * leaves it as good as before, with all that is prepared on it; after any other error it is thrown away.
   */
  async lend<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (!SPARES_CONNECTION.test((error as { code?: string }).code ?? '')) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  /**
   * Lends a connection to work beside which more is asked of the database before it is done. A pool that has only one would wait for
   * itself: there it is one that is none of the pool's.
   */
  withExtraClient<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    return this.#pool.options.max === 1 ? withOwnConnection(this.#pool, work) : this.lend(work)
  }

  /**
   * Lends `work` one snapshot of the database, on a connection of its own: it sees nothing that is written meanwhile, may take as long
   * as it needs, and takes no connection from requests.
   * @param signal breaks it off
   */
  async snapshot<T>(work: (read: ReadSnapshot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withOwnConnection(this.#pool, async (client) => {
      const breakOff = () => void client.end()
      signal?.throwIfAborted()
      signal?.addEventListener('abort', breakOff)
      try {
        await client.query('begin transaction isolation level repeatable read read only')
        await client.query(WHOLE_TABLES)
        const result = await work(async (text) => (await client.query(text)).rows)
        await client.query('commit')
        return result
      } finally {
        signal?.removeEventListener('abort', breakOff)
      }
    })
  }

  /**
   * Runs `work` in one transaction and gives what it gives. Any error rolls back. Where PostgreSQL itself gives up a
   * transaction for the sake of another (deadlock, serialization), it is run again from its start, and so is one that
   * turns out to need the lock of all writes for itself (`Tx.lockExclusive`); `work` must
   * therefore touch nothing outside the transaction, but leave that to `tx.after`.
   * @param account whose change it is, which its events tell
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, account?: number): Promise<T> {
    let isExclusive = false
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, effects, hasBegun } = await this.#attempt(work, account, isExclusive)
        if (hasBegun) this.#onCommit()
        for (const effect of effects) await this.#carryOut(effect)
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

  /** The change is made: whoever asked for it must not be told that it failed, nor the work be done again. */
  async #carryOut(effect: () => unknown): Promise<void> {
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
    // the connection may break between two statements, when none is there to be told: without a listener that ends the process
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    const tx = new Tx(client, { account, isExclusive })
    let result: T
    try {
      result = await work(tx)
      await tx.commit()
    } catch (error) {
      if (broken || isFatal(error)) broken ??= error as Error
      else if (tx.isOpen) await client.query('rollback').catch((failed: Error) => (broken = failed))
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
    return { result, effects: tx.effects, hasBegun: tx.isOpen }
  }
}

const atOnce: InTurn = (work) => work()

/** A statement with the name under which a connection keeps it prepared. */
const named = ({ text, values, name }: Statement): Statement => ({ text, values, name: name ?? nameOf(text) })

/**
 * For statements that go through whole tables: they read these from their beginning to their end and work things out in memory, of
 * which a large database takes a few hundred megabytes; and have one process each, for a second would take from requests what is left of
 * the machine.
 */
const WHOLE_TABLES = `set local random_page_cost = 4; set local work_mem = '64MB'; set local max_parallel_workers_per_gather = 0`

/**
 * Thrown by work that has begun to share the lock of all writes and turns out to need it for itself: it is rolled back, and run again from its
 * start with `Tx.isExclusive`.
 */
class StartExclusive extends Error {}

/** The code of an error with which triggers say the same: they need a row out of order, and somebody else has it. */
const OUT_OF_ORDER = 'LK001'

/** Whether work has to be run again with the lock of all writes for itself. */
const needsExclusive = (error: unknown): boolean =>
  error instanceof StartExclusive || (error as { code?: string }).code === OUT_OF_ORDER

/** The key of the lock of all writes; triggers share it under the same. */
const WRITES = `hashtext('quantities'), 0`

/** Gives the rows of a statement that only reads. */
export type ReadSnapshot = <Row extends QueryResultRow>(text: string) => Promise<Row[]>

/**
 * A transaction in progress. BEGIN travels with its first statement, COMMIT with its last ones (`atCommit`). Each call in between is a round
 * trip to PostgreSQL, under all locks that were taken before: `pipeline` sends several statements in one.
 */
export class Tx {
  readonly #client: ClientBase
  #isOpen: boolean
  /** Statements that travel with COMMIT. */
  #last: Statement[] = []
  /** Effects outside the database, run in order once the transaction is committed. */
  readonly effects: (() => unknown)[] = []

  readonly #isLent: boolean
  readonly #account: number | undefined
  /** How it holds the lock of all writes. */
  #lock: 'none' | 'shared' | 'exclusive' = 'none'
  /** Takes that lock: goes before the next statement, and not at all where there is none. */
  #locking: Statement[] = []
  readonly #isExclusive: boolean

  /**
   * @param options.isLent it is one that is lent already, and has begun
   * @param options.account whose change it is
   * @param options.isExclusive it holds the lock of all writes for itself, where it takes it at all
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
   * Shares the lock of all writes, before any row is locked. Writes that share it lock rows in one order (docs/locks.md); what cannot keep to
   * that order holds the lock exclusively. It travels with the next statement.
   */
  lockShared(): void {
    if (this.#lock !== 'none' || this.#isLent) return
    if (this.#isExclusive) this.lockExclusive()
    else {
      this.#lock = 'shared'
      this.#locking = [{ text: `select pg_advisory_xact_lock_shared(${WRITES})`, name: 'share_writes' }]
    }
  }

  /**
   * Takes the lock of all writes for itself: waits until those that share it have ended, while new ones wait for it. For a deletion, which
   * locks an object before all that refer to it, and for what moves parts and locations. It goes with the next statement.
   * @throws StartExclusive where it is shared already: the work is run again, and holds it from its start
   */
  lockExclusive(): void {
    if (this.#lock === 'exclusive' || this.#isLent) return
    if (this.#lock === 'shared') throw new StartExclusive()
    this.#lock = 'exclusive'
    const text = `select pg_advisory_xact_lock(${WRITES}), set_config('stockroom.exclusive', 'on', true)`
    this.#locking = [{ text, name: 'own_writes' }]
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const [rows] = await this.pipeline({ text, values })
    return rows as Row[]
  }

  /**
   * Sends statements in one round trip. PostgreSQL runs them in order: what one of them locks, those after it see as it is then. After one
   * that fails none is run.
   * @returns the rows of each
   */
  async pipeline(...statements: readonly Statement[]): Promise<readonly QueryResultRow[][]> {
    if (statements.length === 0) return []
    const query = await this.#send(statements.map(named), statements.length)
    return statements.map((_, at) => query.objects(at))
  }

  /** A statement whose columns are texts. */
  async texts(statement: Statement): Promise<readonly Texts[]> {
    return (await this.#send([named(statement)], 1)).texts(0)
  }

  /**
   * Statements that travel with COMMIT, in this order. For the last writes of a transaction: nothing in it may read what they write.
   */
  atCommit(...statements: readonly Statement[]): void {
    this.#last.push(...statements.map(named))
  }

  /**
   * Runs work that may be undone by itself: where it throws, all that it did is rolled back, with what it left for the commit, and the
   * transaction can go on.
   */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const [last, effects] = [this.#last.length, this.effects.length]
    await this.query('savepoint part')
    try {
      const result = await work()
      await this.query('release savepoint part')
      return result
    } catch (error) {
      this.#last = this.#last.slice(0, last)
      this.effects.length = effects
      if (!isFatal(error)) await this.pipeline({ text: 'rollback to savepoint part' }, { text: 'release savepoint part' })
      throw error
    }
  }

  /** @param wanted of how many of the statements, the last of all, the rows are read */
  async #send(statements: readonly Statement[], wanted: number): Promise<RowQuery> {
    const opening = this.#account === undefined ? [BEGIN] : [BEGIN, nameAccount(this.#account)]
    const all = [...(this.#isOpen ? [] : opening), ...this.#locking, ...statements]
    this.#isOpen = true
    this.#locking = []
    const query = new RowQuery(this.#client, all, wanted)
    await run(this.#client, query)
    return query
  }

  /** Runs what was left for the commit, without committing. */
  async runLast(): Promise<void> {
    const last = this.#last
    this.#last = []
    if (last.length > 0) await this.#send(last, 0)
  }

  /** Ends it, if anything was asked of it. */
  async commit(): Promise<void> {
    if (this.#isOpen || this.#last.length > 0) await this.#send([...this.#last, COMMIT], 0)
  }

  /** The first row of a statement, if there is one. */
  async first<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0]
  }

  /**
   * Lends the transaction to someone who may only read, as a database that shows what was written so far. What reads of it go wrong
   * leaves the transaction as it was. Nothing else is to be asked of the transaction until `work` is done; from then on, or after
   * these milliseconds, the reader answers no more.
   * @throws Problem 403 where it is lent already
   */
  async lend<T>(milliseconds: number, work: (reader: Database) => Promise<T>): Promise<T> {
    if (this.#isLent) throw notNow()
    if (!this.#isOpen) await this.#send([], 0)
    const loan = new Loan(this.#client, performance.now() + milliseconds)
    try {
      return await work(new Reader(loan))
    } finally {
      await loan.end()
    }
  }

  /** Registers an effect outside the database (mail, files, events): it happens after commit, or not at all. */
  after(effect: () => unknown): void {
    this.effects.push(effect)
  }
}

/** What PostgreSQL says of a statement that would change something where nothing may be changed, and of one whose time is over. */
const READ_ONLY = '25006'
const TIMED_OUT = '57014'

function refusal(error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === READ_ONLY) return new Problem('permission_denied', requestErrors.write_in_check)
  return code === TIMED_OUT ? tooLate() : error
}

const notNow = () => new Problem('permission_denied', requestErrors.unreadable_in_check)

const tooLate = () => new Problem('unavailable', requestErrors.write_went_on)

/** What a transaction is as long as it is lent. */
class Reader extends Database {
  readonly #loan: Loan

  constructor(loan: Loan) {
    super(loan as unknown as Pool)
    this.#loan = loan
  }

  /** What only reads, although it might change something; of which nothing stays. */
  override async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#loan.connect()
    try {
      const tx = new Tx(client, { isLent: true })
      const result = await work(tx)
      await tx.runLast()
      return result
    } catch (error) {
      throw refusal(error)
    } finally {
      client.release()
    }
  }

  override async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return super.read<Row>(statement).catch((error) => {
      throw refusal(error)
    })
  }

  override async snapshot(): Promise<never> {
    throw notNow()
  }

  /** All that is read has the time of the loan. */
  override async texts({ timeLimit: _, ...statement }: Statement): Promise<Texts[]> {
    return super.texts(statement).catch((error) => {
      throw refusal(error)
    })
  }
}

/**
 * Gives out the connection of a transaction as a pool does, to one reader at a time, each in a savepoint that is taken back
 * afterwards.
 */
class Loan {
  readonly #client: ClientBase
  readonly #ends: number
  #isOver = false
  /** Settled when nobody has the connection or waits for it. */
  #line: Promise<unknown> = Promise.resolve()

  constructor(client: ClientBase, ends: number) {
    this.#client = client
    this.#ends = ends
  }

  async connect(): Promise<PoolClient> {
    const turn = Promise.withResolvers<void>()
    const before = this.#line
    this.#line = before.then(() => turn.promise)
    await before
    try {
      await this.#begin()
    } catch (error) {
      turn.resolve()
      throw error
    }
    const query = this.#client.query.bind(this.#client)
    const getTypeParser = this.#client.getTypeParser.bind(this.#client)
    const release = () => void this.#client.query('rollback to savepoint lent').then(() => turn.resolve(), turn.resolve)
    return { query, getTypeParser, release } as unknown as PoolClient
  }

  async #begin(): Promise<void> {
    const left = Math.ceil(this.#ends - performance.now())
    if (this.#isOver || left <= 0) throw tooLate()
    await this.#client.query(
      `savepoint lent; set local transaction_read_only to on; set local statement_timeout to ${left.toFixed()}`,
    )
  }

  /** Is done when the transaction can go on. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#line
  }
}
