import type { Logger } from 'pino'
import { getStatementName } from '../sql/statement.ts'
import type { Database } from '../sql/tx.ts'

/** Maximum number of buffered rows; the caller that adds another one waits. */
const MAX_QUEUED_ROWS = 1000

/** Rows are buffered up to this number, or for this many milliseconds. */
const FLUSH_ROWS = 100
const FLUSH_DELAY_MS = 50

/** A row, and the statement that inserts a list of rows, which it takes as one JSON string. */
type Entry = { insert: string; row: Readonly<Record<string, unknown>> }

/** Rows that are written together. */
type Batch = { entries: Entry[]; startFlush: () => void }

/**
 * Records events without delaying responses. Rows are buffered and written together, in the order in which they were added; lists that show
 * them flush the buffer first. A crash loses the last buffered rows: data that must not be lost is written with the change itself.
 */
export class Journal {
  readonly #database: Database
  readonly #log: Logger
  readonly #maxRows: number
  /** The batch that is being filled. */
  #batch: Batch | undefined
  /** Resolves when all rows added so far are written. */
  #pendingFlush: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Logger, maxRows = MAX_QUEUED_ROWS) {
    this.#database = database
    this.#log = log
    this.#maxRows = maxRows
  }

  /** Adds a row. Resolves immediately, or, if too many rows are buffered already, when these are written. */
  async add(entry: Entry): Promise<void> {
    while (this.#batch && this.#batch.entries.length >= this.#maxRows) await this.#pendingFlush
    this.#batch ??= this.#startBatch()
    const { entries, startFlush } = this.#batch
    if (entries.push(entry) >= Math.min(FLUSH_ROWS, this.#maxRows)) startFlush()
  }

  /** Resolves when all rows added so far are written, and starts that immediately. */
  flush(): Promise<void> {
    this.#batch?.startFlush()
    return this.#pendingFlush
  }

  #startBatch(): Batch {
    const flushSignal = Promise.withResolvers<void>()
    const timer = setTimeout(flushSignal.resolve, FLUSH_DELAY_MS)
    const entries: Entry[] = []
    // the next batch fills while the previous ones are written
    this.#pendingFlush = Promise.all([flushSignal.promise, this.#pendingFlush]).then(() => {
      clearTimeout(timer)
      this.#batch = undefined
      return this.#write(entries)
    })
    return { entries, startFlush: flushSignal.resolve }
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    for (const [insert, group] of Map.groupBy(entries, (entry) => entry.insert))
      try {
        await this.#database.executeUnsynced({
          text: insert,
          values: [JSON.stringify(group.map(({ row }) => row))],
          name: getStatementName(insert),
        })
      } catch (error) {
        this.#log.error({ err: error, rows: group.length }, 'could not record a security event')
      }
  }
}
