import { createHash } from 'node:crypto'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Config } from '../../config.ts'
import type { Caller } from '../request/caller.ts'

/**
 * SQL in definitions is plain text with placeholders:
 * - `{supplier.name}`: a column, reached through foreign keys from the definition's own table; each step joins once.
 * - `{@caller}`, `{@value}`: a parameter of the request (`requestValues` lists those that always exist).
 * - `{from part}`, `{join part}`: a further table that it reads; a change of it invalidates cached pages. It is trusted source text: never
 *   part of a request.
 */
export type Expression = string

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const extensions = new WeakMap<PgTable, Map<string, Step>>()

/**
 * Declares that `extension` holds one row for each row of `table`, under the same primary key, reached as a step of that name; with `by`,
 * at most one row, under the primary key in that column.
 */
export function extend(table: PgTable, extension: PgTable, by?: string): void {
  const existing = extensions.get(table) ?? new Map<string, Step>()
  existing.set(getTableName(extension), { table: extension, from: 'pk', to: by ?? 'pk', optional: by !== undefined })
  extensions.set(table, existing)
}

const shownTables = new WeakMap<PgTable, PgTable>()

/**
 * Declares that `view` is a view in PostgreSQL of some rows of `table`, with a key of its own as `pk` (ADR 0058). It is read and written like
 * a table; the changes of its rows are counted with those of `table`.
 */
export function showRowsOf(view: PgTable, table: PgTable): void {
  shownTables.set(view, table)
}

/** The table that holds the rows of a table or view. */
export const getStoredTable = (table: PgTable): PgTable => shownTables.get(table) ?? table

/** `optional`: the row may be missing, although the column that refers to it is not null. */
type Step = { table: PgTable; from: string; to: string; optional?: boolean }

const foreignKeys = new WeakMap<PgTable, Map<string, Step>>()

/** The foreign keys of a table by column, the first one of each. Computed once, since drizzle computes them on every call. */
function getForeignKeys(table: PgTable): Map<string, Step> {
  const existing = foreignKeys.get(table)
  if (existing) return existing
  const steps = new Map<string, Step>()
  for (const key of getTableConfig(table).foreignKeys) {
    const { columns, foreignColumns, foreignTable } = key.reference()
    const from = columns[0]?.name
    if (columns.length === 1 && from && !steps.has(from))
      steps.set(from, { table: foreignTable as PgTable, from, to: foreignColumns[0]?.name ?? 'pk' })
  }
  foreignKeys.set(table, steps)
  return steps
}

/** Resolves one step of a path: over the foreign key of that column, or to an extension of the table. */
const findStep = (table: PgTable, name: string): Step | undefined =>
  extensions.get(table)?.get(name) ?? getForeignKeys(table).get(name)

/** The table that a foreign key column refers to; undefined for other columns. */
export const findReferencedTable = (column: PgColumn): PgTable | undefined =>
  findStep(column.table as PgTable, column.name)?.table

/** The table that a foreign key column of a table refers to by primary key; undefined for other columns. */
export function findTableReferencedByKey(table: PgTable, column: string): PgTable | undefined {
  const next = findStep(table, column)
  return next?.from === column && next.to === 'pk' ? next.table : undefined
}

/** The parameters of one statement, numbered in order of first use. */
export class Parameters {
  readonly names: string[] = []

  /** `$n` of a named parameter; the same name has the same number. */
  number(name: string): string {
    const index = this.names.indexOf(name)
    return `$${index === -1 ? this.names.push(name) : index + 1}`
  }
}

/**
 * The caller, in expressions: `{@caller}` is the account's key, `{@staff}` whether it is staff, `{@token}` and `{@session}` the keys of the
 * request's token and session. A missing key is 0.
 */
export const callerValues = (caller: Caller | undefined): Record<string, unknown> => ({
  caller: caller?.pk ?? 0,
  staff: caller !== undefined && (caller.isStaff || caller.isSuperuser),
  token: caller?.token ?? 0,
  session: caller?.session ?? 0,
})

/**
 * Values available to every response: the caller; `{@site}`, the prefix of the service's URLs (empty for existing clients); and `{@left}`,
 * whether to omit a key without a value that existing clients do not expect.
 */
export const requestValues = (caller: Caller | undefined, { wire, siteUrl }: Config): Record<string, unknown> => ({
  ...callerValues(caller),
  site: wire.relativeFileUrls ? '' : siteUrl,
  left: wire.omitsNullDetails && !wire.extendedFields,
})

/** The values of a statement's parameters, in order; `{@value}`, `{@value1}` ... are those of the condition. */
export function parameterValues(
  names: readonly string[],
  values: Record<string, unknown>,
  condition?: { values: unknown[] },
): unknown[] {
  return names.map((name) => (name.startsWith('value') ? condition?.values[Number(name.slice(5) || 0)] : values[name]))
}

/** PostgreSQL truncates names to 63 characters: a longer name ends in a digest instead, so that it stays unique. */
const shortenName = (name: string): string =>
  name.length <= 63 ? name : `${name.slice(0, 46)}_${createHash('md5').update(name).digest('hex').slice(0, 16)}`

/** One level of a statement: a table under an alias, the joins its expressions need, and the tables they read. */
export class Scope {
  readonly table: PgTable
  readonly alias: string
  readonly parameters: Parameters
  /** The tables read in this scope and its nested scopes. */
  readonly tables: Set<string>
  /** The joins by alias, with placeholders for their tables. */
  readonly #joins = new Map<string, Expression>()

  constructor(table: PgTable, alias: string, parameters: Parameters, tables = new Set<string>()) {
    this.table = table
    this.alias = alias
    this.parameters = parameters
    this.tables = tables.add(getTableName(getStoredTable(table)))
  }

  get joinList(): string[] {
    return [...this.#joins.values()].map(toPlainSql)
  }

  get joins(): string {
    return this.joinList.join(' ')
  }

  /** The part after `select`, up to the joins, as an expression of another scope. */
  get source(): Expression {
    return [`{from ${getTableName(this.table)}} ${quote(this.alias)}`, ...this.#joins.values()].join(' ')
  }

  /** Creates a nested scope, for a nested object. */
  nested(table: PgTable, name: string): Scope {
    return new Scope(table, shortenName(`${this.alias}_${name}`), this.parameters, this.tables)
  }

  /** The SQL of a column path such as `supplier.name`, from this scope's table. */
  column(path: string): string {
    const names = path.split('.')
    const last = names.pop() as string
    let table = this.table
    let alias = this.alias
    // a row always exists across not-null columns: an inner join lets the planner start with the other table
    let alwaysExists = true
    for (const name of names) {
      const next = findStep(table, name)
      if (!next) throw new Error(`${getTableName(this.table)}: no way from ${getTableName(table)} over "${name}" in {${path}}`)
      const joinAlias = shortenName(`${alias}__${name}`)
      alwaysExists &&=
        !next.optional && Object.values(getTableColumns(table)).some((column) => column.name === next.from && column.notNull)
      if (!this.#joins.has(joinAlias)) {
        const source = getTableName(next.table)
        const from = `${quote(alias)}.${quote(next.from)}`
        this.tables.add(getTableName(getStoredTable(next.table)))
        this.#joins.set(
          joinAlias,
          `${alwaysExists ? '' : 'left '}{join ${source}} ${quote(joinAlias)} on ${quote(joinAlias)}.${quote(next.to)} = ${from}`,
        )
      }
      table = next.table
      alias = joinAlias
    }
    if (!Object.values(getTableColumns(table)).some((column) => column.name === last))
      throw new Error(`${getTableName(table)} has no column "${last}" ({${path}})`)
    return `${quote(alias)}.${quote(last)}`
  }

  /** Fills in the placeholders of an expression. `rename` maps a parameter's name to its name in this statement. */
  expression(text: Expression, rename: (name: string) => string = (name) => name): string {
    return text.replaceAll(PLACEHOLDER, (_, kind: string, name: string) => {
      if (kind === '') return this.column(name)
      if (kind === '@') return this.parameters.number(rename(name))
      this.tables.add(name)
      return `${kind}${quote(name)}`
    })
  }
}

/** A placeholder of an expression: its kind (`@`, `from `, `join `, or nothing for a column), and its name. */
const PLACEHOLDER = /\{(@|from |join |)([\w.]+)\}/g

/** Converts an expression whose only placeholders are tables to SQL, for a statement that is not cached. */
export const toPlainSql = (text: Expression): string => text.replaceAll(/\{(from |join )(\w+)\}/g, '$1"$2"')
