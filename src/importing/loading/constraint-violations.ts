import type { PgColumn } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import { getQuotedTable, type RecordKind } from './kinds.ts'
import type { RowWriteError } from './one-by-one.ts'
import { getFieldName, listColumns } from './row.ts'
import { formatValue } from './value-rules.ts'

type Values = Record<string, unknown>

/** A constraint of a table: p is a primary key, u unique, f a foreign key, c a check. */
type Constraint = { name: string; type: 'p' | 'u' | 'f' | 'c'; columns: string[]; target: string | null; holds: string | null }

/** The line of a rejected record, by its table and key; undefined for one that is not in the dump, and null if that is not known. */
export type FindRejected = (table: string, pk: unknown) => number | undefined | null

/**
 * Describes the errors of a row that the database rejected, in sentences that name the fields. They are based on the SQLSTATE, the
 * constraint and the columns, since the database's own texts are for readers who know its tables.
 */
export class RowErrors {
  private readonly client: PoolClient
  private readonly findRejected: FindRejected
  private readonly constraints = new Map<string, Constraint[]>()

  constructor(client: PoolClient, findRejected: FindRejected) {
    this.client = client
    this.findRejected = findRejected
  }

  /**
   * Finds the errors of a row.
   * @param writeError the database's reason for rejecting the row
   * @param findsAll whether to look for all errors of the row, not just the one that it was rejected with; only for a new row
   */
  async describe(kind: RecordKind, values: Values, writeError: RowWriteError, findsAll: boolean): Promise<string[]> {
    const { code, table, column, constraint } = writeError
    if (code === '2200H') return ['there are not enough primary keys for its related rows']
    const errors = findsAll ? await this.findErrors(kind, values) : []
    if (errors.length > 0 && code !== '23505') return errors
    if (constraint === 'stock_item_allocated_check')
      return [...errors, 'the allocated quantity of its stock item exceeds its quantity']
    const violated = (await this.readConstraints(table)).find(({ name }) => name === constraint)
    const columns = column ? [column] : (violated?.columns ?? [])
    if (code === '23503') return [...errors, this.describeMissing(kind, columns, values, violated?.target)]
    return [...errors, describeViolation(kind, code, columns, values)]
  }

  /** Finds the errors that can be found without writing the row: values that do not fit, missing ones, checks, and references to missing objects. */
  async findErrors(kind: RecordKind, values: Values): Promise<string[]> {
    const errors: string[] = []
    const validValues: Values = {}
    const allFit = (await this.findTypeError(kind, values)) === undefined
    for (const column of listColumns(kind)) {
      const { name } = column
      const value = values[name] ?? null
      const code = allFit || value === null ? undefined : await this.findTypeError(kind, { [name]: value })
      if (code) errors.push(describeTypeError(getFieldName(kind, name), code, value, column))
      else if (value !== null) validValues[name] = value
      else if (column.notNull && (name in values ? values[name] === null : !hasDefault(column)))
        errors.push(`${getFieldName(kind, name)} must have a value`)
    }
    const violations = await this.findViolations(kind, validValues)
    return [
      ...errors,
      ...violations.map(({ type, columns, target }) =>
        type === 'f'
          ? this.describeMissing(kind, columns, validValues, target)
          : describeViolation(kind, '23514', columns, validValues),
      ),
    ]
  }

  /** Describes a reference to an object that is not in the database: whether the dump has it, and on which line. */
  private describeMissing(kind: RecordKind, columns: string[], values: Values, target: string | null | undefined): string {
    if (!columns.some((column) => column in values))
      return `one of its ${nameFields(kind, columns)} does not exist, or was rejected`
    return `${nameValues(kind, columns, values)} ${describeAbsence(this.findRejected(target ?? '', values[columns[0] as string]))}`
  }

  /** The SQLSTATE with which columns reject their values. */
  private async findTypeError(kind: RecordKind, values: Values): Promise<string | undefined> {
    await this.client.query('savepoint fitting')
    try {
      await this.client.query(`select json_populate_record(null::${getQuotedTable(kind)}, $1)`, [JSON.stringify(values)])
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
  private async findViolations(kind: RecordKind, values: Values): Promise<Constraint[]> {
    const tested = (await this.listConstraints(kind)).filter(({ holds }) => holds)
    if (tested.length === 0) return []
    const { rows } = await this.client.query<{ index: number }>(
      `select index from json_populate_record(null::${getQuotedTable(kind)}, $1) ${getQuotedTable(kind)},
       lateral (values ${tested.map(({ holds }, index) => `(${index}, ${holds})`)}) tested (index, holds) where not holds`,
      [JSON.stringify(values)],
    )
    return rows.flatMap(({ index }) => tested[index] ?? [])
  }

  private listConstraints(kind: RecordKind): Promise<Constraint[]> {
    return this.readConstraints(getQuotedTable(kind).slice(1, -1))
  }

  /** Reads the constraints of a table, and its unique indexes with every column that they depend on. */
  private async readConstraints(table: string): Promise<Constraint[]> {
    const cached = this.constraints.get(table)
    if (cached) return cached
    const { rows } = await this.client.query<Constraint>(
      `select conname::text as name, contype::text as type, columns,
         (select relname::text from pg_class where oid = nullif(confrelid, 0)) as target, case contype
         when 'c' then pg_get_expr(conbin, conrelid)
         when 'f' then format('(%1$I.%2$I is null or exists (select from %3$s target where target.%4$I = %1$I.%2$I))',
           $1::text, columns[1], confrelid::regclass, (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]))
         end as holds
       from pg_constraint, lateral (
         select array_agg(attname::text order by attnum) from pg_attribute where attrelid = conrelid and attnum = any(conkey)
       ) indexed (columns)
       where conrelid = to_regclass(quote_ident($1)) and contype in ('p', 'u', 'f', 'c')
       union all
       select relname::text, 'u', columns, null, null
       from pg_index join pg_class on pg_class.oid = indexrelid, lateral (
         select array_agg(attname::text order by attnum) from pg_attribute
         where attrelid = indrelid and attnum > 0 and exists (
           select from pg_depend
           where classid = 'pg_class'::regclass and objid = indexrelid and refobjid = indrelid and refobjsubid = attnum
         )
       ) indexed (columns)
       where indrelid = to_regclass(quote_ident($1)) and indisunique and columns is not null`,
      [table],
    )
    this.constraints.set(table, rows)
    return rows
  }
}

const hasDefault = ({ hasDefault, generated, generatedIdentity }: PgColumn): boolean =>
  hasDefault || generated !== undefined || generatedIdentity !== undefined

const nameFields = (kind: RecordKind, columns: readonly string[]): string =>
  joinWords([...new Set(columns.map((column) => getFieldName(kind, column)))])

const nameValues = (kind: RecordKind, columns: readonly string[], values: Values): string =>
  joinWords([...new Set(columns.map((column) => `${getFieldName(kind, column)} ${formatValue(values[column])}`))])

/** Says why an object is not in the database, from the line of the dump on which it was rejected. */
export const describeAbsence = (line: number | undefined | null): string =>
  line === undefined ? 'does not exist' : line === null ? 'does not exist, or was rejected' : `was rejected (line ${line})`

function describeViolation(kind: RecordKind, code: string, columns: string[], values: Values): string {
  switch (code) {
    case '23502':
      return `${nameFields(kind, columns)} must have a value`
    case '23505':
      return `another record has the same ${nameFields(kind, columns)}`
    case '23514':
      return `${nameValues(kind, columns, values)} ${columns.length > 1 ? 'do not match' : 'is out of range'}`
    default:
      return 'a value cannot be stored'
  }
}

const TYPE_DESCRIPTIONS: Record<string, string> = {
  PgInteger: 'a whole number',
  PgNumeric: 'a number',
  PgBoolean: 'true or false',
  PgDateString: 'a date',
  PgTimestampString: 'a date with its time',
  PgArray: 'a list',
}

function describeTypeError(field: string, code: string, value: unknown, column: PgColumn): string {
  const form = TYPE_DESCRIPTIONS[column.columnType]
  if (code === '22001') return `${field} is longer than ${(column as { length?: number }).length} characters`
  if (code === '22003') return `${field} ${formatValue(value)} is too large to be stored`
  return form ? `${field} ${formatValue(value)} is not ${form}` : `${field} contains a character that cannot be stored`
}

const joinWords = (words: string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1')
