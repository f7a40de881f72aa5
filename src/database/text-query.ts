import type { Connection, Submittable } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/** A row as PostgreSQL writes it: the text of each column, in the order of the statement. */
export type Texts = (string | null)[]

/** What a connection of `pg` has beside its published types. */
type Wire = Connection & { parsedStatements: Record<string, string>; sync(): void }

/**
 * A statement whose columns are wanted as text. PostgreSQL is not asked to describe them and nothing is converted, which
 * spares it and us a message: a fifth of the time that a detail takes here. `pg` runs it like a query of its own; what it
 * calls is the interface that its cursors use too.
 */
export class TextQuery implements Submittable {
  readonly text: string
  readonly name: string
  readonly rows: Texts[] = []
  readonly #values: readonly unknown[]
  /** Set by `pg`. After an error it is called a second time, which pool and promise pass over. */
  declare callback: (error: Error | null) => void

  constructor({ text, values = [], name = '' }: { text: string; values?: readonly unknown[]; name?: string }) {
    this.text = text
    this.name = name
    this.#values = values
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    wire.stream.cork()
    try {
      const known = this.name !== '' && wire.parsedStatements[this.name] !== undefined
      if (!known) wire.parse({ name: this.name, text: this.text, types: [] }, true)
      wire.bind({ statement: this.name, values: this.#values.map((value) => prepareValue(value)) }, true)
      wire.execute(null, true)
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  handleDataRow({ fields }: { fields: Texts }): void {
    this.rows.push(fields)
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
