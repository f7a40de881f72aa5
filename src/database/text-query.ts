import type { Connection, Submittable } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/**
 * A statement ready to run. With a name, PostgreSQL keeps its plan for the connection. `timeLimit`: milliseconds that it may take,
 * where that is not what the connection allows.
 */
export type Statement = { text: string; values?: readonly unknown[]; name?: string; timeLimit?: number }

/** A row as PostgreSQL writes it: the text of each column, in the order of the statement. */
export type Texts = (string | null)[]

/** What a connection of `pg` has beside its published types. */
type Wire = Connection & {
  parsedStatements: Record<string, string>
  describe(portal: { type: 'P'; name: string }, more: true): void
  sync(): void
}

/**
 * Statements that are sent together, and whose columns are wanted as text. PostgreSQL is not asked to describe them and
 * nothing is converted, which spares it and us a message each. After an error the rest is not carried out.
 * `pg` runs this like a query of its own: what it calls is the interface that its cursors use too.
 */
export class TextQuery implements Submittable {
  /** The rows of the last statement. */
  rows: Texts[] = []
  readonly #statements: readonly Statement[]
  /** The values of each statement, ready to be sent: one that cannot be throws here, before anything was sent. */
  readonly #values: readonly (string | Buffer | null)[][]
  #at = 0
  /** Milliseconds after which `pg` counts it as lost, where that is not what the connection says: of each statement as long as that. */
  query_timeout?: number
  /** Set by `pg`. */
  declare callback: (error: Error | null) => void

  constructor(...statements: readonly Statement[]) {
    this.#statements = statements
    this.#values = statements.map(({ values = [] }) => values.map((value) => prepareValue(value)))
  }

  /** How many statements there are beside those with these names. */
  countBeside(names: ReadonlySet<string>): number {
    return this.#statements.filter(({ name = '' }) => !names.has(name)).length
  }

  /** The name of the statement being answered: `pg` notes under it what a connection has prepared. */
  get name(): string {
    return this.#statements[this.#at]?.name ?? ''
  }

  /** The text that goes with the name. */
  get text(): string {
    return this.#statements[this.#at]?.text ?? ''
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    const sent = new Set<string>()
    wire.stream.cork()
    try {
      for (const [at, { text, name = '' }] of this.#statements.entries()) {
        const known = name !== '' && (wire.parsedStatements[name] !== undefined || sent.has(name))
        if (!known) wire.parse({ name, text, types: [] }, true)
        sent.add(name)
        wire.bind({ statement: name, values: this.#values[at] }, true)
        if (at === this.#statements.length - 1 && this.isToBeDescribed(wire, name)) wire.describe({ type: 'P', name: '' }, true)
        wire.execute(null, true)
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Whether PostgreSQL is to tell what the columns of the last statement are, by the name of that. */
  protected isToBeDescribed(_wire: Connection, _name: string): boolean {
    return false
  }

  handleDataRow({ fields }: { fields: Texts }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {
    if (this.#at === this.#statements.length - 1) return
    this.#at++
    this.rows = []
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }
}

/** What tells the types of columns, and how each type is read: a client. */
type Types = { getTypeParser(oid: number, format: 'text'): (text: string) => unknown }

type Description = readonly { name: string; dataTypeID: number }[]
type Column = { name: string; parse: (text: string) => unknown }

/** What each connection told of the columns of its prepared statements, which stays so as long as they are. */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>()

/** Statements that are sent together, the last of which gives rows with names and types, as `pg` gives those of a query. */
export class RowQuery extends TextQuery {
  readonly #types: Types
  #known = new Map<string, readonly Column[]>()
  #columns: readonly Column[] = []

  constructor(types: Types, ...statements: readonly Statement[]) {
    super(...statements)
    this.#types = types
  }

  protected override isToBeDescribed(wire: Connection, name: string): boolean {
    this.#known = described.get(wire) ?? this.#known
    described.set(wire, this.#known)
    const columns = this.#known.get(name)
    this.#columns = columns ?? []
    return columns === undefined
  }

  handleRowDescription({ fields }: { fields: Description }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#types.getTypeParser(dataTypeID, 'text') }))
    if (this.name) this.#known.set(this.name, this.#columns)
  }

  get objects(): Record<string, unknown>[] {
    return this.rows.map((texts) => {
      const object: Record<string, unknown> = {}
      for (const [at, { name, parse }] of this.#columns.entries()) {
        const text = texts[at] as string | null
        object[name] = text === null ? null : parse(text)
      }
      return object
    })
  }
}
