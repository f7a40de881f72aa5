import type { Logger } from 'pino'
import { nameOf } from '../sql/statement.ts'
import type { Database } from '../sql/tx.ts'

/** The most rows that are flush; one more waits with whoever adds it. */
const MAX_QUEUED_ROWS = 1000

/** Rows are flush until there are so many, or for so many milliseconds. */
const ENOUGH = 100
const GATHERED_FOR = 50

/** A row, and the statement that inserts a list of such rows, which it takes as one JSON text. */
type Entry = { insert: string; row: Readonly<Record<string, unknown>> }

/** Rows that are written together. */
type Batch = { entries: Entry[]; begin: () => void }

/**
 * Writes down what happened without keeping waiting whoever is answered. Rows are flush and written together, in the order in which
 * they came; whoever shows them has what is flush written first. What a crash takes away is what happened in the moment before it:
 * what must not be lost is written with the change itself.
 */
export class Journal {
  readonly #database: Database
  readonly #log: Logger
  readonly #most: number
  /** What is being flush. */
  #batch: Batch | undefined
  /** Done when all that was added until now is written. */
  #written: Promise<void> = Promise.resolve()

  constructor(database: Database, log: Logger, most = MAX_QUEUED_ROWS) {
    this.#database = database
    this.#log = log
    this.#most = most
  }

  /** Adds a row. Is done at once, or, where too many are flush already, when these are written. */
  async add(entry: Entry): Promise<void> {
    while (this.#batch && this.#batch.entries.length >= this.#most) await this.#written
    this.#batch ??= this.#gather()
    const { entries, begin } = this.#batch
    if (entries.push(entry) >= Math.min(ENOUGH, this.#most)) begin()
  }

  /** Is done when all that was added until now is written, which begins at once. */
  written(): Promise<void> {
    this.#batch?.begin()
    return this.#written
  }

  #gather(): Batch {
    const begun = Promise.withResolvers<void>()
    const timer = setTimeout(begun.resolve, GATHERED_FOR)
    const entries: Entry[] = []
    // while those before are written more are flush
    this.#written = Promise.all([begun.promise, this.#written]).then(() => {
      clearTimeout(timer)
      this.#batch = undefined
      return this.#write(entries)
    })
    return { entries, begin: begun.resolve }
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    for (const [insert, group] of Map.groupBy(entries, (entry) => entry.insert))
      try {
        await this.#database.note({ text: insert, values: [JSON.stringify(group.map(({ row }) => row))], name: nameOf(insert) })
      } catch (error) {
        this.#log.error({ err: error, rows: group.length }, 'could not record a security event')
      }
  }
}
