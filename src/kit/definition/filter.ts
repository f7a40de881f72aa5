import type { PgTable } from 'drizzle-orm/pg-core'
import type { Config } from '../../config.ts'
import type { Wire } from '../../wire.ts'
import type { ErrorEntry } from '../request/errors.ts'
import { invalidQuery } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Expression } from '../sql/sql.ts'
import { findRegularExpressionError } from '../values/regular-expression.ts'
import { queryErrors } from '../values/value-errors.ts'
import { isDate } from './input.ts'

/**
 * One condition of a list statement: SQL, and the values of its parameters. `regex`: the query parameter, if the value is its regular
 * expression. `search`: set if it is a word of a search. `count`: a statement that returns the number of rows that match, where that is faster
 * than reading the rows; it replaces counting them if the list has no other condition.
 */
export type Condition = { sql: Expression; values: unknown[]; regex?: string; search?: Search; count?: Expression }

/** A word of a search: a statement for the keys (`pk`) of all matching rows, possibly with repetitions; and the condition for one row. */
export type Search = { keys: Expression; rowCondition: Expression }

/**
 * A query parameter that narrows a list. In `sql`, `{@value}` is the parsed value.
 * - boolean: `sql` holds for true; its negation, or `whenFalse`, for false.
 * - reference: the object must exist, otherwise 400; with `unknown: 'ignore'` an invalid or unknown key has no effect.
 *   `negative`: rows may match although the object does not exist. `where` restricts the objects that count as existing, as an
 *   expression over the table.
 * - custom: reads the query itself; for parameters that work together. It may name an object that must exist. `names` are its
 *   parameters, each with its help.
 * - found: like `custom`, for conditions that need the database, which is queried before the list. `family`: parameters with matching names
 *   belong to it too; they contain a key, so that they cannot be listed.
 *
 * `help` is one sentence about the parameter's matches, for the OpenAPI document; a field's own filter describes itself.
 */
export type Filter =
  | { kind: 'boolean'; sql: Expression; whenFalse?: Expression; help?: string }
  | { kind: 'text' | 'number' | 'date' | 'regex'; sql: Expression; help?: string }
  | {
      kind: 'reference'
      table: () => PgTable
      sql: Expression
      unknown?: 'ignore'
      negative?: boolean
      where?: Expression
      help?: string
    }
  | {
      kind: 'custom'
      names: Readonly<Record<string, string>>
      read: (
        query: Query,
        context: { setting: (key: string) => unknown; config: Config },
      ) => Condition | FilterReference | undefined
    }
  | {
      kind: 'found'
      names: Readonly<Record<string, string>>
      family?: RegExp
      find: (query: Query, services: Services) => Promise<Condition | undefined>
    }

/** The query parameters of a request; the last value of a repeated one counts. */
export type Query = Readonly<Record<string, string>>

/**
 * An object that a reference filter names, to be looked up: if it does not exist the request is rejected, with `error` if clients expect
 * another text than the default. `column`: for a kind without a table of its own, the column whose rows refer to it.
 */
export type FilterReference = {
  name: string
  table: PgTable
  column?: string
  pk: number
  error?: ErrorEntry
  negative: boolean
  where?: Expression
  condition: Condition
  ignore: boolean
}

export const TRUE_WORDS = new Set(['1', 'y', 'yes', 't', 'true', 'ok', 'on'])

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])

/** The value of a boolean parameter: any-case true/false/1/0/yes/no; undefined for anything else. */
export const readBoolean = (value: string): boolean | undefined => BOOLEANS.get(value.toLowerCase())

/** A primary key in a query: a whole number of 32 bits; undefined for anything else. */
export function readKey(value: string): number | undefined {
  const number = /^\s*\d{1,10}\s*$/.test(value) ? Number(value) : Number.NaN
  return number >= 0 && number <= 2_147_483_647 ? number : undefined
}

const NULL_WORDS = new Set(['null', 'none', 'top', 'empty'])

/** Whether a query selects rows without a reference, in one of the words that existing clients use for that, in any case. */
export const isNullWord = (value: string | undefined): boolean =>
  value !== undefined && NULL_WORDS.has(value.trim().toLowerCase())

/** Reads one filter's value. A value that cannot be parsed is rejected, naming the parameter. */
export function readFilter(
  name: string,
  filter: Exclude<Filter, { kind: 'custom' | 'found' }>,
  value: string,
  { lenientBooleans, rejectsUnknownKeys }: Pick<Wire, 'lenientBooleans' | 'rejectsUnknownKeys'>,
): Condition | FilterReference | undefined {
  if (value === '') return undefined
  switch (filter.kind) {
    case 'boolean': {
      const parsed = readBoolean(value)
      if (parsed === undefined) {
        if (lenientBooleans) return undefined
        throw invalidQuery({ [name]: [queryErrors.filter_boolean_expected] })
      }
      return { sql: parsed ? filter.sql : (filter.whenFalse ?? `not coalesce(${filter.sql}, false)`), values: [] }
    }
    case 'number': {
      const number = /^\s*[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?\s*$/i.test(value) ? value.trim() : undefined
      if (number === undefined) throw invalidQuery({ [name]: [queryErrors.filter_number_expected] })
      // whole numbers are compared as integers, because PostgreSQL uses no index on an integer column for a numeric value
      const type = /^[+-]?\d{1,9}$/.test(number) ? 'integer' : 'numeric'
      return { sql: filter.sql.replaceAll('{@value}', `{@value}::${type}`), values: [number] }
    }
    case 'date':
      if (!isDate(value.trim())) throw invalidQuery({ [name]: [queryErrors.filter_date_expected] })
      return { sql: filter.sql.replaceAll('{@value}', '{@value}::date'), values: [value.trim()] }
    case 'regex':
      return buildRegexCondition(name, filter.sql, value)
    case 'text':
      return { sql: filter.sql, values: [value] }
    case 'reference': {
      const pk = readKey(value)
      const ignore = filter.unknown === 'ignore' && !rejectsUnknownKeys
      if (pk === undefined) {
        if (ignore) return undefined
        throw unknownReference(name)
      }
      const condition = { sql: filter.sql.replaceAll('{@value}', '{@value}::integer'), values: [pk] }
      const { negative = false, where } = filter
      return { name, table: filter.table(), pk, negative, where, condition, ignore }
    }
  }
}

/** A condition with a client's regular expression. An expression that would take PostgreSQL too long is rejected. */
export function buildRegexCondition(name: string, sql: Expression, expression: string): Condition {
  const regexError = findRegularExpressionError(expression)
  if (regexError) throw invalidQuery({ [name]: [regexError] })
  return { sql, values: [expression], regex: name }
}

/** The error for a reference filter whose object does not exist. */
export const unknownReference = (name: string, error: ErrorEntry = [queryErrors.unavailable_choice]) =>
  invalidQuery({ [name]: error })
