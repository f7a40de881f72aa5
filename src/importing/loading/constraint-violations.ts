import type { PgColumn } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import { type Kind, tableOf } from './kinds.ts'
import type { RowWriteError } from './one-by-one.ts'
import { columnsOf } from './row.ts'

type Values = Record<string, unknown>

/** A constraint of a table: p primary key, u unique, f a reference, c a check. */
type Constraint = { name: string; type: 'p' | 'u' | 'f' | 'c'; columns: string[]; holds: string | null }

/**
 * Describes the errors of a row that the database rejected, in sentences that name the fields. They are based on the SQLSTATE, the
 * constraint and the columns, since the database's own texts are for readers who know its tables.
 */
export class RowErrors {
  private readonly client: PoolClient
  private readonly constraints = new Map<string, Constraint[]>()

  constructor(client: PoolClient) {
    this.client = client
  }

  /**
   * Finds the errors of a row.
   * @param writeError the database's reason for rejecting the row
   * @param isSearched whether to look for all errors of the row, not just the one that it was rejected with; only for a new row
   */
  async of(kind: Kind, values: Values, writeError: RowWriteError, isSearched: boolean): Promise<string[]> {
    const { code, table, column, constraint } = writeError
    if (code === '2200H') return ['there are not enough primary keys for its related rows']
    const errors = isSearched ? await this.findErrors(kind, values) : []
    if (errors.length > 0 && code !== '23505') return errors
    if (constraint === 'stock_item_allocated_check')
      return [...errors, 'the allocated quantity of its stock item exceeds its quantity']
    const columns = column ? [column] : await this.columnsOf(table, constraint)
    return [...errors, sentence(kind, code, columns, values)]
  }

  /** Finds the errors that can be found without writing the row: values that do not fit, missing ones, checks, and references to missing objects. */
  async findErrors(kind: Kind, values: Values): Promise<string[]> {
    const errors: string[] = []
    const fitting: Values = {}
    const allFit = (await this.findTypeError(kind, values)) === undefined
    for (const column of columnsOf(kind)) {
      const { name } = column
      const value = values[name] ?? null
      const code = allFit || value === null ? undefined : await this.findTypeError(kind, { [name]: value })
      if (code) errors.push(describeTypeError(fieldOf(kind, name), code, value, column))
      else if (value !== null) fitting[name] = value
      else if (column.notNull && (name in values ? values[name] === null : !hasDefault(column)))
        errors.push(`${fieldOf(kind, name)} must have a value`)
    }
    const broken = await this.broken(kind, fitting)
    return [...errors, ...broken.map(({ type, columns }) => sentence(kind, type === 'f' ? '23503' : '23514', columns, fitting))]
  }

  /** The SQLSTATE with which columns reject their values. */
  private async findTypeError(kind: Kind, values: Values): Promise<string | undefined> {
    await this.client.query('savepoint fitting')
    try {
      await this.client.query(`select json_populate_record(null::${tableOf(kind)}, $1)`, [JSON.stringify(values)])
    } catch (error) {
      await this.client.query('rollback to savepoint fitting')
      const { code = '' } = error as Partial<RowWriteError>
      if (!code.startsWith('22')) throw error
      return code
    } finally {
      await this.client.query('release savepoint fitting')
    }
  }

  /** Finds the checks and references of a table that a row violates. */
  private async broken(kind: Kind, values: Values): Promise<Constraint[]> {
    const tested = (await this.constraintsOf(kind)).filter(({ holds }) => holds)
    if (tested.length === 0) return []
    const { rows } = await this.client.query<{ at: number }>(
      `select at from json_populate_record(null::${tableOf(kind)}, $1) ${tableOf(kind)},
       lateral (values ${tested.map(({ holds }, at) => `(${at}, ${holds})`)}) tested (at, holds) where not holds`,
      [JSON.stringify(values)],
    )
    return rows.flatMap(({ at }) => tested[at] ?? [])
  }

  private async columnsOf(table: string, constraint: string): Promise<string[]> {
    const match = (await this.read(table)).find(({ name }) => name === constraint)
    return match?.columns ?? []
  }

  private constraintsOf(kind: Kind): Promise<Constraint[]> {
    return this.read(tableOf(kind).slice(1, -1))
  }

  /** Reads the constraints of a table, and its unique indexes with every column that they depend on. */
  private async read(table: string): Promise<Constraint[]> {
    const cached = this.constraints.get(table)
    if (cached) return cached
    const { rows } = await this.client.query<Constraint>(
      `select conname::text as name, contype::text as type, columns, case contype
         when 'c' then pg_get_expr(conbin, conrelid)
         when 'f' then format('(%1$I.%2$I is null or exists (select from %3$s other where other.%4$I = %1$I.%2$I))',
           $1::text, columns[1], confrelid::regclass, (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]))
         end as holds
       from pg_constraint, lateral (
         select array_agg(attname::text order by attnum) from pg_attribute where attrelid = conrelid and attnum = any(conkey)
       ) of (columns)
       where conrelid = to_regclass(quote_ident($1)) and contype in ('p', 'u', 'f', 'c')
       union all
       select relname::text, 'u', columns, null
       from pg_index join pg_class on pg_class.oid = indexrelid, lateral (
         select array_agg(attname::text order by attnum) from pg_attribute
         where attrelid = indrelid and attnum > 0 and exists (
           select from pg_depend
           where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum
         )
       ) of (columns)
       where indrelid = to_regclass(quote_ident($1)) and indisunique and columns is not null`,
      [table],
    )
    this.constraints.set(table, rows)
    return rows
  }
}

const fieldOf = ({ fieldNames }: Kind, column: string): string => fieldNames?.[column] ?? column

const hasDefault = ({ hasDefault, generated, generatedIdentity }: PgColumn): boolean =>
  hasDefault || generated !== undefined || generatedIdentity !== undefined

function sentence(kind: Kind, code: string, columns: string[], values: Values): string {
  const names = together([...new Set(columns.map((column) => fieldOf(kind, column)))])
  const written = together([...new Set(columns.map((column) => `${fieldOf(kind, column)} ${formatValue(values[column])}`))])
  switch (code) {
    case '23502':
      return `${names} must have a value`
    case '23505':
      return `another record has the same ${names}`
    case '23503':
      return columns.some((column) => column in values)
        ? `${written} does not exist, or was rejected`
        : `one of its ${names} does not exist, or was rejected`
    case '23514':
      return columns.length > 1 ? `${written} do not match` : `${written} is out of range`
    default:
      return 'a value cannot be stored'
  }
}

const FORMS: Record<string, string> = {
  PgInteger: 'a whole number',
  PgNumeric: 'a number',
  PgBoolean: 'true or false',
  PgDateString: 'a date',
  PgTimestampString: 'a date with its time',
  PgArray: 'a list',
}

function describeTypeError(field: string, code: string, value: unknown, column: PgColumn): string {
  const form = FORMS[column.columnType]
  if (code === '22001') return `${field} is longer than ${(column as { length?: number }).length} characters`
  if (code === '22003') return `${field} ${formatValue(value)} is too large to be stored`
  return form ? `${field} ${formatValue(value)} is not ${form}` : `${field} contains a character that cannot be stored`
}

/** Formats a value as the dump has it, in one line of limited length. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const together = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1')
