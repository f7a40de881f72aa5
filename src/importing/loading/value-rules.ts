import type { PgColumn } from 'drizzle-orm/pg-core'
import { isUrl } from '../../kit/definition/input.ts'
import { isKnownUnit, type UnitRegistry } from '../../notation/units/physical-units.ts'
import { CURRENCIES } from '../../resources/currency/rates.ts'
import { resources } from '../../resources/index.ts'
import { parameterTemplate } from '../../resources/parameter/template/parameter-template.table.ts'
import { part } from '../../resources/part/part.table.ts'
import { InvalidRecord } from '../reading/record.ts'

/** What the rules of values depend on. */
export type RuleContext = { units: UnitRegistry; hasStrictUrls: boolean }

/** Returns what a value has to be, if it is something else. */
type Rule = (value: unknown, context: RuleContext) => string | undefined

const currencyCodes = new Set(CURRENCIES.map(({ value }) => value))

const urlColumns = new Set(
  resources.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ column, input }) => (column && input?.options.type === 'url' ? column : [])),
  ),
)

const unitColumns = new Set<PgColumn>([part.units, parameterTemplate.units])

const DATE = /^\d{4}-\d\d-\d\d(?:[T ].*)?$/
const TIMESTAMP = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

const matches =
  (pattern: RegExp, form: string): Rule =>
  (value) =>
    typeof value !== 'string' || pattern.test(value) ? undefined : form

/** A number with its notation, such as 1.10, is an object too. */
const isText: Rule = (value) => (typeof value === 'object' && value !== null && !isNumber(value) ? 'a text' : undefined)

const isNumber = (value: object): boolean => Object.getPrototypeOf(value) === null

const isTextList: Rule = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? undefined : 'a list of texts'

/** A URL; without a scheme if the dump's settings allow it. */
const isLink: Rule = (value, { hasStrictUrls }) =>
  value === '' || isUrl(String(value)) || (!hasStrictUrls && !String(value).includes(':') && isUrl(`http://${value}`))
    ? undefined
    : 'a web address'

/** The rules of a column that the database does not check: it accepts more than the service, such as `now` for a date. */
export function findValueRules(column: PgColumn): Rule[] {
  const type = column.getSQLType()
  const isTextColumn = column.columnType !== 'PgArray' && /^(varchar|text|char)/.test(type)
  return [
    ...(isTextColumn ? [isText] : []),
    ...(column.columnType === 'PgArray' ? [isTextList] : []),
    ...(type === 'date' ? [matches(DATE, 'a date')] : []),
    ...(type.startsWith('timestamp') ? [matches(TIMESTAMP, 'a date with its time')] : []),
    ...(type.startsWith('numeric') ? [matches(NUMBER, 'a number')] : []),
    ...(/(^|_)currency$/.test(column.name) ? [isCurrency] : []),
    ...(urlColumns.has(column) ? [isLink] : []),
    ...(unitColumns.has(column) ? [isUnit] : []),
  ]
}

const isCurrency: Rule = (value) => (value === '' || currencyCodes.has(String(value)) ? undefined : 'a known currency')

const isUnit: Rule = (value, { units }) => (value === '' || isKnownUnit(String(value), units) ? undefined : 'a unit of measure')

/** @throws InvalidRecord when a value breaks one of the rules */
export function checkValue(rules: readonly Rule[], field: string, value: unknown, context: RuleContext): void {
  if (value === null || value === undefined) return
  for (const rule of rules) {
    const expected = rule(value, context)
    if (expected !== undefined) throw new InvalidRecord(`${field} ${formatValue(value)} is not ${expected}`)
  }
}

/** Formats a value as the dump has it, in one line of limited length. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
