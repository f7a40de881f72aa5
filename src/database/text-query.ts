import type { Connection, Submittable } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/**
 * A statement ready to run. With a name, PostgreSQL keeps its plan for the connection. `timeLimit`: milliseconds that it may take,
 * where that is not what the connection allows; `inTurn`: carries it out when its turn comes, where others wait for the same.
 */
export type Statement = { text: string; values?: readonly unknown[]; name?: string; timeLimit?: number; inTurn?: InTurn }

/** Runs work when its turn comes. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

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
        if (this.isToBeDescribed(wire, name, at)) wire.describe({ type: 'P', name: '' }, true)
        wire.execute(null, true)
      }
      wire.sync()
    } finally {
      wire.stream.uncork()
    }
  }

  /** Whether PostgreSQL is to tell what the columns of a statement are, by its name and its place. */
  protected isToBeDescribed(_wire: Connection, _name: string, _at: number): boolean {
    return false
  }

  /** The place of the statement that is being answered. */
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

/** What tells the types of columns, and how each type is read: a client. */
type Types = { getTypeParser(oid: number, format: 'text'): (text: string) => unknown }

type Description = readonly { name: string; dataTypeID: number }[]
type Column = { name: string; parse: (text: string) => unknown }

/** What each connection told of the columns of its prepared statements, which stays so as long as they are. */
const described = new WeakMap<Connection, Map<string, readonly Column[]>>()

/** Statements that are sent together, the last of which give rows with names and types, as `pg` gives those of a query. */
export class RowQuery extends TextQuery {
  readonly #types: Types
  /** The first whose rows are wanted. */
  readonly #first: number
  #known = new Map<string, readonly Column[]>()
  /** The columns of each statement, by its place. */
  readonly #columns: (readonly Column[])[] = []
  /** The rows of those that are done, as they came. */
  readonly #done: Texts[][] = []

  /** @param wanted of how many statements, the last of all, the rows are wanted */
  constructor(types: Types, statements: readonly Statement[], wanted = 1) {
    super(...statements)
    this.#types = types
    this.#first = statements.length - wanted
  }

  protected override isToBeDescribed(wire: Connection, name: string, at: number): boolean {
    if (at < this.#first) return false
    this.#known = described.get(wire) ?? this.#known
    described.set(wire, this.#known)
    const columns = this.#known.get(name)
    this.#columns[at] = columns ?? []
    return columns === undefined
  }

  handleRowDescription({ fields }: { fields: Description }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: this.#types.getTypeParser(dataTypeID, 'text') }))
    this.#columns[this.at] = columns
    if (this.name) this.#known.set(this.name, columns)
  }

  override handleCommandComplete(): void {
    if (this.at >= this.#first) this.#done.push(this.rows)
    super.handleCommandComplete()
  }

  /** The rows of each statement that they are wanted of. */
  get lists(): readonly Record<string, unknown>[][] {
    return this.#done.map((_, at) => this.objects(at))
  }

  /** The rows of one of them, counted from the first that they are wanted of. */
  objects(at: number): Record<string, unknown>[] {
    return (this.#done[at] ?? []).map((texts) => objectOf(texts, this.#columns[this.#first + at] ?? []))
  }

  /** The same as texts. */
  texts(at: number): readonly Texts[] {
    return this.#done[at] ?? []
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
