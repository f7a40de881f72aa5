import type { Logger } from 'pino'
import type { Database } from '../sql/tx.ts'

/** The most rows that wait; one more waits with whoever adds it. */
const MOST = 1000

/** A row, and the statement that inserts a list of such rows, which it takes as one JSON text. */
type Entry = { insert: string; row: Readonly<Record<string, unknown>> }

/**
 * Writes down what happened without keeping waiting whoever is answered. Rows are gathered and written together, in the order in which
 * they came. What a crash takes away is what happened in the moment before it: what must not be lost is written with the change itself.
 */
export class Journal {
  readonly #database: Database
  readonly #log: Logger
  readonly #most: number
  #waiting: Entry[] = []
  #writing: Promise<void> | undefined

  constructor(database: Database, log: Logger, most = MOST) {
    this.#database = database
    this.#log = log
    this.#most = most
  }

  /** Adds a row. Is done at once, or, where too many wait already, when these are written. */
  async add(entry: Entry): Promise<void> {
    while (this.#waiting.length >= this.#most) await this.#writing
    this.#waiting.push(entry)
    this.#writing ??= this.#write()
  }

  /** Is done when all that was added is written. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  async #write(): Promise<void> {
    // what is added in the same turn goes along
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const entries = this.#waiting
      this.#waiting = []
      for (const [insert, group] of Map.groupBy(entries, (entry) => entry.insert))
        try {
          await this.#database.read({ text: insert, values: [JSON.stringify(group.map(({ row }) => row))] })
        } catch (error) {
          this.#log.error({ err: error, rows: group.length }, 'what happened could not be written down')
        }
    }
    this.#writing = undefined
  }
}
