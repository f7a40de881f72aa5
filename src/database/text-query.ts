import type { Connection, Submittable } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/**
 * A statement ready to run. With a name, PostgreSQL caches its plan for the connection. `timeLimit`: timeout in milliseconds, if it differs
 * from that of the connection; `inTurn`: queues it behind others that wait for the same resource.
 */
export type Statement = { text: string; values?: readonly unknown[]; name?: string; timeLimit?: number; enqueue?: Enqueue }

/** Runs work when its turn in a queue comes. */
export type Enqueue = <T>(work: () => Promise<T>) => Promise<T>

/** A row as PostgreSQL returns it: the text of each column, in the order of the statement. */
export type Texts = (string | null)[]

/** The members of a `pg` connection missing from its published types. */
type Wire = Connection & {
  parsedStatements: Record<string, string>
  describe(portal: { type: 'P'; name: string }, more: true): void
  sync(): void
}

/**
 * Pipelined statements whose columns are returned as text. PostgreSQL is not asked to describe them and nothing is converted, which saves a
 * message in each direction. After an error the remaining statements are not executed. `pg` runs this like a query of its own: it uses the
 * interface of its cursors.
 */
export class TextQuery implements Submittable {
  /** The rows of the last statement. */
  rows: Texts[] = []
  readonly #statements: readonly Statement[]
  /** The values of each statement, serialized: an invalid one throws here, before anything is sent. */
  readonly #values: readonly (string | Buffer | null)[][]
  #at = 0
  /** Milliseconds after which `pg` counts it as lost, if not those of the connection: applies to each statement. */
  query_timeout?: number
  /** Set by `pg`. */
  declare callback: (error: Error | null) => void

  constructor(...statements: readonly Statement[]) {
    this.#statements = statements
    this.#values = statements.map(({ values = [] }) => values.map((value) => prepareValue(value)))
  }

  /** The number of statements other than those with these names. */
  countExcept(names: ReadonlySet<string>): number {
    return this.#statements.filter(({ name = '' }) => !names.has(name)).length
  }

  /** The name of the statement being executed: `pg` records prepared statements of a connection under it. */
  get name(): string {
    return this.#statements[this.#at]?.name ?? ''
  }

  /** The text of that statement. */
  get text(): string {
    return this.#statements[this.#at]?.text ?? ''
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    const sent = new Set<string>()
    wire.stream.cork()
    try {
      for (const [at, { text, name = '' }] of this.#statements.entries()) {
        const isParsed = name !== '' && (wire.parsedStatements[name] !== undefined || sent.has(name))
        if (!isParsed) wire.parse({ name, text, types: [] }, true)
        sent.add(name)
        wire.bind({ statement: name, values: this.#values[at] }, true)
        if (this.isToBeDescribed(wire, name, at)) wire.describe({ type: 'P', name: '' }, true)
        wire.execute(null, true)
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Whether PostgreSQL should describe the columns of a statement, by its name and its position. */
  protected isToBeDescribed(_wire: Connection, _name: string, _at: number): boolean {
    return false
  }

  /** The position of the statement being executed. */
  protected get at(): number {
    return this.#at
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

/** A client, as the source of the parsers of column types. */
type Types = { getTypeParser(oid: number, format: 'text'): (text: string) => unknown }

type Description = readonly { name: string; dataTypeID: number }[]
type Column = { name: string; parse: (text: string) => unknown }

/** The column descriptions of the prepared statements of each connection, valid as long as those exist. */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>()

/** Pipelined statements, the last of which return rows with names and types, as a `pg` query does. */
export class RowQuery extends TextQuery {
  readonly #types: Types
  /** Position of the first statement whose rows are returned. */
  readonly #first: number
  #columnsByName = new Map<string, readonly Column[]>()
  /** The columns of each statement, by position. */
  readonly #columns: (readonly Column[])[] = []
  /** The raw rows of the executed statements. */
  readonly #results: Texts[][] = []

  /** @param resultCount number of statements at the end whose rows are returned */
  constructor(types: Types, statements: readonly Statement[], resultCount = 1) {
    super(...statements)
    this.#types = types
    this.#first = statements.length - resultCount
  }

  protected override isToBeDescribed(wire: Connection, name: string, at: number): boolean {
    if (at < this.#first) return false
    this.#columnsByName = described.get(wire) ?? this.#columnsByName
    described.set(wire, this.#columnsByName)
    const columns = this.#columnsByName.get(name)
    this.#columns[at] = columns ?? []
    return columns === undefined
  }

  handleRowDescription({ fields }: { fields: Description }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#types.getTypeParser(dataTypeID, 'text') }))
    this.#columns[this.at] = columns
    if (this.name) this.#columnsByName.set(this.name, columns)
  }

  override handleCommandComplete(): void {
    if (this.at >= this.#first) this.#results.push(this.rows)
    super.handleCommandComplete()
  }

  /** The rows of each of these statements. */
  get lists(): readonly Record<string, unknown>[][] {
    return this.#results.map((_, at) => this.objects(at))
  }

  /** The rows of one of them, counted from the first whose rows are returned. */
  objects(at: number): Record<string, unknown>[] {
    return (this.#results[at] ?? []).map((texts) => objectOf(texts, this.#columns[this.#first + at] ?? []))
  }

  /** The same as texts. */
  texts(at: number): readonly Texts[] {
    return this.#results[at] ?? []
  }
}

function objectOf(texts: Texts, columns: readonly Column[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const text = texts[at] as string | null
    object[name] = text === null ? null : parse(text)
  }
  return object
}
