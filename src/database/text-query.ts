import type { Connection, Submittable } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/**
 * A statement ready to run. With a name, PostgreSQL caches its plan for the connection. `timeLimit`: timeout in milliseconds, if it differs
 * from that of the connection; `enqueue`: queues it behind others that wait for the same resource.
 */
export type Statement = { text: string; values?: readonly unknown[]; name?: string; timeLimit?: number; enqueue?: Enqueue }

/** Runs work when its turn in a queue comes. */
export type Enqueue = <T>(work: () => Promise<T>) => Promise<T>

/** A row as PostgreSQL returns it: each column as a string, in the order of the statement. */
export type TextRow = (string | null)[]

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
  rows: TextRow[] = []
  readonly #statements: readonly Statement[]
  /** The values of each statement, serialized: an invalid one throws here, before anything is sent. */
  readonly #values: readonly (string | Buffer | null)[][]
  #index = 0
  /** Milliseconds after which `pg` counts a statement as lost, if that differs from the timeout of the connection. */
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
    return this.#statements[this.#index]?.name ?? ''
  }

  /** The text of that statement. */
  get text(): string {
    return this.#statements[this.#index]?.text ?? ''
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    const sent = new Set<string>()
    wire.stream.cork()
    try {
      for (const [index, { text, name = '' }] of this.#statements.entries()) {
        const isParsed = name !== '' && (wire.parsedStatements[name] !== undefined || sent.has(name))
        if (!isParsed) wire.parse({ name, text, types: [] }, true)
        sent.add(name)
        wire.bind({ statement: name, values: this.#values[index] }, true)
        if (this.needsDescription(wire, name, index)) wire.describe({ type: 'P', name: '' }, true)
        wire.execute(null, true)
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Whether PostgreSQL should describe the columns of a statement, by its name and its position. */
  protected needsDescription(_wire: Connection, _name: string, _index: number): boolean {
    return false
  }

  /** The position of the statement being executed. */
  protected get index(): number {
    return this.#index
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {
    if (this.#index === this.#statements.length - 1) return
    this.#index++
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
const columnCache = new WeakMap<Connection, Map<string, readonly Column[]>>()

/** Pipelined statements, the last of which return rows with names and types, as a `pg` query does. */
export class RowQuery extends TextQuery {
  readonly #types: Types
  /** Position of the first statement whose rows are returned. */
  readonly #firstResultIndex: number
  #columnsByName = new Map<string, readonly Column[]>()
  /** The columns of each statement, by position. */
  readonly #columns: (readonly Column[])[] = []
  /** The raw rows of the executed statements. */
  readonly #results: TextRow[][] = []

  /** @param resultCount number of statements at the end whose rows are returned */
  constructor(types: Types, statements: readonly Statement[], resultCount = 1) {
    super(...statements)
    this.#types = types
    this.#firstResultIndex = statements.length - resultCount
  }

  protected override needsDescription(wire: Connection, name: string, index: number): boolean {
    if (index < this.#firstResultIndex) return false
    this.#columnsByName = columnCache.get(wire) ?? this.#columnsByName
    columnCache.set(wire, this.#columnsByName)
    const columns = this.#columnsByName.get(name)
    this.#columns[index] = columns ?? []
    return columns === undefined
  }

  handleRowDescription({ fields }: { fields: Description }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#types.getTypeParser(dataTypeID, 'text') }))
    this.#columns[this.index] = columns
    if (this.name) this.#columnsByName.set(this.name, columns)
  }

  override handleCommandComplete(): void {
    if (this.index >= this.#firstResultIndex) this.#results.push(this.rows)
    super.handleCommandComplete()
  }

  /** The rows of each of these statements. */
  get lists(): readonly Record<string, unknown>[][] {
    return this.#results.map((_, index) => this.getObjects(index))
  }

  /** The rows of one of them, counted from the first whose rows are returned. */
  getObjects(index: number): Record<string, unknown>[] {
    return (this.#results[index] ?? []).map((texts) => toObject(texts, this.#columns[this.#firstResultIndex + index] ?? []))
  }

  /** The same rows, with columns as strings. */
  getTextRows(index: number): readonly TextRow[] {
    return this.#results[index] ?? []
  }
}

function toObject(texts: TextRow, columns: readonly Column[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const text = texts[index] as string | null
    object[name] = text === null ? null : parse(text)
  }
  return object
}
