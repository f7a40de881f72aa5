import type { ClientBase, QueryResultRow } from 'pg'
import { type InTurn, RowQuery, type Statement, type Texts } from '../../database/text-query.ts'
import { Problem } from '../request/problem.ts'
import { isFatal, limitTime, readTexts, run } from './session.ts'
import { Database, Tx } from './tx.ts'

const BEGIN: Statement = { text: 'begin transaction isolation level repeatable read read only', name: 'begin_moment' }
const SAVE: Statement = { text: 'savepoint moment', name: 'save_moment' }
/** Takes back what was done since, a failure and settings too; the savepoint stays. */
const BACK: Statement = { text: 'rollback to savepoint moment', name: 'back_in_moment' }
const ROLLBACK: Statement = { text: 'rollback', name: 'end_moment' }

/** Milliseconds that a moment lasts, as long as one statement may take. */
const LONGEST = 30_000
/** Milliseconds after that in which PostgreSQL is to have answered. */
const GRACE = 5_000

/**
 * Lends `work` one moment of a database, as a database of which it can only read: all that is read of it is of the same snapshot,
 * which is taken with the first statement. What is asked for at once, by any number of readers, goes to PostgreSQL in one way. A
 * statement that fails leaves the others as they are. It holds one connection as long as `work` takes. What is asked for when its time
 * is over, or not answered by then, is refused with 503.
 * @param milliseconds that it may last
 */
export function readMoment<T>(database: Database, work: (moment: Database) => Promise<T>, milliseconds = LONGEST): Promise<T> {
  return database.lendBeside(async (client) => {
    const moment = new Moment(database, client, performance.now() + milliseconds)
    try {
      return await work(moment)
    } finally {
      await moment.end()
    }
  })
}

/** The rows of a statement, as objects or as texts. */
type Given = { objects: () => Record<string, unknown>[]; texts: () => readonly Texts[] }
type Asked = { statement: Statement; resolve: (given: Given) => void; reject: (error: unknown) => void }
/** Work that has the connection for itself. */
type Turn = () => Promise<void>

class Moment extends Database {
  readonly #origin: Database
  readonly #client: ClientBase
  /** When its time is over, as `performance.now()` tells it. */
  readonly #ends: number
  #isOpen = false
  /** Whoever had it lent is done: its connection is for others. */
  #isOver = false
  #asked: Asked[] = []
  #turns: Turn[] = []
  /** What is at work for those who asked; settled when nobody waits. */
  #work: Promise<void> | undefined
  /** Why nothing can be asked of the connection any more. */
  #broken: Error | undefined

  constructor(origin: Database, client: ClientBase, ends: number) {
    super(NO_POOL)
    this.#origin = origin
    this.#client = client
    this.#ends = ends
  }

  override get origin(): Database {
    return this.#origin
  }

  override async read<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await this.#ask(statement)).objects() as Row[]
  }

  override async texts(statement: Statement): Promise<Texts[]> {
    return [...(await this.#ask(statement)).texts()]
  }

  /**
   * What only reads, although it might change something, of which nothing stays. Where it finds that something has to be written first,
   * such as a row that is made when it is first shown, it is done in a transaction of its own, as if it were asked alone.
   */
  override async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#inTurn(work)
    } catch (error) {
      if (!wouldChange(error)) throw error
      return await this.#origin.transaction(work)
    }
  }

  #inTurn<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(tooLate())
    return new Promise((resolve, reject) => {
      this.#turns.push(async () => {
        try {
          await this.#send([limitTime(this.#left())])
          const tx = new Tx(this.#client, { isOpen: true })
          const result = await work(tx)
          await tx.settle()
          resolve(result)
        } catch (error) {
          reject(error)
        } finally {
          await this.#goBack()
        }
      })
      this.#begin()
    })
  }

  override lend(): Promise<never> {
    return Promise.reject(changesNothing())
  }

  override lendBeside(): Promise<never> {
    return this.lend()
  }

  override snapshot(): Promise<never> {
    return Promise.reject(changesNothing())
  }

  /** Ends it, once everything that was asked for is answered. Nothing can be asked any more. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#work
    if (this.#broken) throw this.#broken
    if (this.#isOpen) await readTexts(this.#client, [ROLLBACK])
  }

  #ask(statement: Statement): Promise<Given> {
    if (this.#isOver) return Promise.reject(tooLate())
    return new Promise((resolve, reject) => {
      this.#asked.push({ statement, resolve, reject })
      this.#begin()
    })
  }

  #begin(): void {
    this.#work ??= this.#answer()
  }

  /** Answers until nobody asks any more. Those who ask in the same round of the event loop are answered together. */
  async #answer(): Promise<void> {
    for (;;) {
      await nextRound()
      const asked = this.#asked.splice(0)
      const turns = this.#turns.splice(0)
      if (asked.length + turns.length === 0) break
      const quick = asked.filter(({ statement }) => !statement.timeLimit)
      const [limited, ...later] = asked.filter(({ statement }) => statement.timeLimit)
      // where one of them fails the others are asked again, each by itself: that tells which
      const isDone = await this.#carryOut(quick, quick.length > 1)
      if (!isDone) for (const one of quick) await this.#carryOut([one])
      for (const turn of turns) await turn()
      if (limited) await this.#carryOutInTurn(limited)
      // what is asked meanwhile and is quick goes before them
      this.#asked.unshift(...later)
    }
    this.#work = undefined
  }

  /** A turn for which others wait too is taken only now that the connection is free for it. */
  async #carryOutInTurn(one: Asked): Promise<void> {
    const { inTurn = atOnce } = one.statement
    // refused where no turn came
    await inTurn(() => this.#carryOut([one])).catch(one.reject)
  }

  /**
   * Sends statements together and answers who asked for them.
   * @param isTrial where one fails, nobody is answered yet
   * @returns whether they are answered
   */
  async #carryOut(asked: readonly Asked[], isTrial = false): Promise<boolean> {
    if (asked.length === 0) return true
    const [{ timeLimit = Number.POSITIVE_INFINITY } = {}] = asked.map(({ statement }) => statement)
    let left = 0
    try {
      left = this.#left()
      // the way back also ends the time limit
      const own = asked.map(({ statement: { text, values, name } }) => ({ text, values, name }))
      const query = await this.#send([limitTime(Math.min(timeLimit, left)), ...own, BACK], own.length + 1)
      for (const [at, { resolve }] of asked.entries()) resolve({ objects: () => query.objects(at), texts: () => query.texts(at) })
      return true
    } catch (error) {
      if (isFatal(error)) this.#broken ??= error as Error
      await this.#goBack()
      const isLate = isTimeout(error) && left < timeLimit
      // after a time that was too long nothing is tried again
      if (isTrial && !isLate && !this.#broken) return false
      for (const { reject } of asked) reject(isLate ? tooLate() : refusal(error))
      return true
    }
  }

  /** @param wanted of how many statements, the last of all, the rows are wanted */
  async #send(statements: readonly Statement[], wanted = 0): Promise<RowQuery> {
    if (this.#broken) throw this.#broken
    const query = new RowQuery(this.#client, this.#isOpen ? statements : [BEGIN, SAVE, ...statements], wanted)
    this.#isOpen = true
    await run(this.#client, query, Math.max(0, this.#ends - performance.now()) + GRACE)
    return query
  }

  /** Milliseconds until its time is over. @throws Problem 503 when it is */
  #left(): number {
    const left = Math.ceil(this.#ends - performance.now())
    if (left <= 0) throw tooLate()
    return left
  }

  async #goBack(): Promise<void> {
    if (!this.#isOpen || this.#broken) return
    await this.#send([BACK]).catch((error: Error) => {
      this.#broken ??= error
    })
  }
}

const atOnce: InTurn = (work) => work()

const nextRound = () => new Promise((resolve) => setImmediate(resolve))

/** Stands where a database has its pool, of which nothing is asked here. */
const NO_POOL = undefined as unknown as ConstructorParameters<typeof Database>[0]

/** What PostgreSQL says of a statement that would change something where nothing may be changed. */
const READ_ONLY = '25006'

/** What PostgreSQL says of a statement whose time is over. */
const TIMED_OUT = '57014'

const isTimeout = (error: unknown): boolean => (error as { code?: string }).code === TIMED_OUT

const wouldChange = (error: unknown): boolean => (error as { code?: string }).code === READ_ONLY

const refusal = (error: unknown): unknown => (wouldChange(error) ? changesNothing() : error)

const changesNothing = () => new Problem('permission_denied', 'What is read together with others changes nothing.')

const tooLate = () => new Problem('unavailable', undefined, { 'retry-after': '2' })
