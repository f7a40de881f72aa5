import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Condition } from '../../kit/definition/filter.ts'
import { isDate } from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { Parameters, quote, referencedTableOf, Scope } from '../../kit/sql/sql.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { bomItem } from '../bom/bom-item.resource.ts'
import { buildOrder } from '../build/build.resource.ts'
import { buildLine } from '../build/line/build-line.resource.ts'
import { address } from '../company/address/address.resource.ts'
import { company } from '../company/company.resource.ts'
import { contact } from '../company/contact/contact.resource.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.resource.ts'
import { supplierPart } from '../company/part/supplier-part.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { purchaseOrderLine } from '../order/po-line/po-line.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { returnOrderLine } from '../order/ro-line/ro-line.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { salesOrderLine } from '../order/so-line/so-line.resource.ts'
import { partCategory } from '../part/category/part-category.resource.ts'
import { part } from '../part/part.resource.ts'
import { projectCode } from '../project-code/project-code.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockLocationType } from '../stock/location-type/stock-location-type.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'

/**
 * The `filters` of a template, which restrict the objects that it can print. Pairs such as `part__IPN=R-100, quantity__gte=5` are joined by
 * commas and by AND. A key is a field of the printed object, optionally over references (`part__category__name`) and followed by a
 * comparison.
 */
export type Pair = { key: string; value: string }

/** Parses a text into pairs; none for an empty text. The last value of a repeated key counts. @throws FieldError naming the invalid pair */
export function readPairs(text: string): Pair[] {
  const pairs = new Map<string, string>()
  if (text.trim() === '') return []
  for (const group of text.split(',')) {
    const [key = '', value = '', ...more] = group.split('=').map((side) => side.trim())
    if (!key || !value || more.length > 0) throw new FieldError(printErrors.filter_pair_expected({ filter: group.trim() }))
    if (!/^[a-z_]\w*$/i.test(key)) throw new FieldError(printErrors.filter_field_expected({ key }))
    pairs.set(key, value)
  }
  return [...pairs].map(([key, value]) => ({ key, value }))
}

/** Resources that filters can reach over references. Others, such as accounts, cannot be queried. */
const REFERENCED_RESOURCES: readonly Resource[] = [
  address,
  bomItem,
  buildOrder,
  company,
  contact,
  manufacturerPart,
  part,
  partCategory,
  projectCode,
  purchaseOrder,
  salesOrder,
  stockItem,
  stockLocation,
  stockLocationType,
  supplierPart,
]

/** Lines of each resource: the name that filters use, and the column of a line that references its object. */
const LINES = new Map<Resource, { name: string; of: Resource; by: string }>([
  [purchaseOrder, { name: 'lines', of: purchaseOrderLine, by: 'order' }],
  [salesOrder, { name: 'lines', of: salesOrderLine, by: 'order' }],
  [returnOrder, { name: 'lines', of: returnOrderLine, by: 'order' }],
  [buildOrder, { name: 'build_lines', of: buildLine, by: 'build' }],
])

/**
 * Parsed filters for a resource: conditions on the object, conditions that one of its lines must meet together, and the resources that they
 * traverse.
 */
export type ParsedFilters = { conditions: readonly Condition[]; ofLine: readonly Condition[]; through: readonly Resource[] }

/** @throws FieldError when a pair names an unknown field, or a value that the field cannot have */
export function readFilters(text: string, of: Resource): ParsedFilters {
  const through = new Set<Resource>()
  const [conditions, ofLine]: [Condition[], Condition[]] = [[], []]
  const lines = LINES.get(of)
  for (const { key, value } of readPairs(text)) {
    const inLine = lines !== undefined && key.startsWith(`${lines.name}__`)
    if (inLine) through.add(lines.of)
    const names = inLine ? key.slice(lines.name.length + 2) : key
    const { path, column, comparison, resources } = follow(names, inLine ? lines.of : of)
    for (const one of resources) through.add(one)
    ;(inLine ? ofLine : conditions).push(conditionOf(key, `{${path}}`, column, comparison, value))
  }
  return { conditions, ofLine, through: [...through] }
}

type Followed = { path: string; column: PgColumn; comparison: string; resources: Resource[] }

/** Resolves a key to a column over references, and the comparison after it. */
function follow(key: string, of: Resource): Followed {
  const names = key.split('__')
  const steps: string[] = []
  const resources: Resource[] = []
  let resource = of
  for (let at = 0; ; at++) {
    const name = names[at] === 'id' ? 'pk' : (names[at] as string)
    const column = columnOf(resource, name)
    if (!column) throw unknownField(key, name, resource)
    steps.push(column.name)
    const rest = names.slice(at + 1)
    const [next] = rest
    if (next === undefined || (rest.length === 1 && next in COMPARISONS))
      return { path: steps.join('.'), column, comparison: next ?? 'exact', resources }
    const table = referencedTableOf(resource.table, column.name)
    const referred = table && REFERENCED_RESOURCES.find((one) => one.table === table)
    if (!referred) throw new FieldError(printErrors.filter_without_object({ key, field: name }))
    resources.push(referred)
    resource = referred
  }
}

/** Returns the column behind a field that objects show. */
function columnOf({ fields, table }: Resource, name: string): PgColumn | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.sql && field.column?.table === table && field.column.getSQLType() !== 'json' ? field.column : undefined
}

function unknownField(key: string, name: string, resource: Resource): FieldError {
  const fieldNames = Object.keys(resource.fields).filter((one) => columnOf(resource, one))
  return new FieldError(
    printErrors.filter_field_unknown({ key, kind: resource.name.toLowerCase(), field: name, fields: fieldNames.toSorted() }),
  )
}

type Type = 'text' | 'texts' | 'number' | 'boolean' | 'date' | 'moment'

function typeOf(column: PgColumn): Type {
  const type = column.getSQLType()
  if (type.includes('array')) return 'texts'
  if (type === 'boolean' || type === 'date') return type
  if (type.startsWith('timestamp')) return 'moment'
  return type.startsWith('varchar') || type.startsWith('text') ? 'text' : 'number'
}

/** A comparison in SQL: `column` is the compared column, `value` the placeholder of the value; `like` turns the value into a pattern. */
type Comparison = {
  types: readonly Type[]
  sql: (column: string, value: string) => string
  toPattern?: (value: string) => string
}

const ORDERED = ['number', 'date', 'moment', 'text'] as const
const ordered = (operator: string): Comparison => ({ types: ORDERED, sql: (column, value) => `${column} ${operator} ${value}` })
const patternComparison = (pattern: (value: string) => string, operator: 'like' | 'ilike'): Comparison => ({
  types: ['text'],
  sql: (column, value) => `${column} collate "default" ${operator} ${value}`,
  toPattern: (value) => pattern(value.replaceAll(/[\\%_]/g, '\\$&')),
})

const COMPARISONS: Record<string, Comparison> = {
  exact: { types: [...ORDERED, 'boolean'], sql: (column, value) => `${column} = ${value}` },
  iexact: patternComparison((value) => value, 'ilike'),
  contains: patternComparison((value) => `%${value}%`, 'like'),
  icontains: patternComparison((value) => `%${value}%`, 'ilike'),
  startswith: patternComparison((value) => `${value}%`, 'like'),
  istartswith: patternComparison((value) => `${value}%`, 'ilike'),
  endswith: patternComparison((value) => `%${value}`, 'like'),
  iendswith: patternComparison((value) => `%${value}`, 'ilike'),
  gt: ordered('>'),
  gte: ordered('>='),
  lt: ordered('<'),
  lte: ordered('<='),
  isnull: { types: [], sql: (column, value) => `(${column} is null) = ${value}` },
}

function conditionOf(key: string, sql: string, column: PgColumn, name: string, text: string): Condition {
  const comparison = COMPARISONS[name] as Comparison
  if (name === 'isnull') return { sql: comparison.sql(sql, '{@value}::boolean'), values: [readValue(key, 'boolean', text)] }
  const type = typeOf(column)
  if (type === 'texts') {
    if (name !== 'exact') throw new FieldError(printErrors.filter_of_texts({ key, comparison: name }))
    return { sql: `{@value} = any(${sql})`, values: [text] }
  }
  if (!comparison.types.includes(type)) throw new FieldError(printErrors.filter_comparison({ key, comparison: name }))
  const value = readValue(key, type, text)
  return {
    sql: comparison.sql(sql, `{@value}${CASTS[type]}`),
    values: [comparison.toPattern ? comparison.toPattern(text) : value],
  }
}

const CASTS: Record<Exclude<Type, 'texts'>, string> = {
  text: '::text',
  number: '::numeric',
  boolean: '::boolean',
  date: '::date',
  moment: '::timestamptz',
}

const TRUTHS = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
])

/** Checks a value against the type of its field. @throws FieldError for an invalid value */
function readValue(key: string, type: Exclude<Type, 'texts'>, text: string): unknown {
  const refuse = (expected: string) => new FieldError(printErrors.filter_value({ key, value: text, expected }))
  switch (type) {
    case 'text':
      return text
    case 'number':
      if (!/^[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})$/.test(text)) throw refuse('a number')
      return text
    case 'boolean': {
      const value = TRUTHS.get(text.toLowerCase())
      if (value === undefined) throw refuse('True or False')
      return value
    }
    case 'date':
      if (!isDate(text)) throw refuse('a date such as 2026-01-31')
      return text
    case 'moment':
      if (!isDate(text.slice(0, 10)) || !/^.{10}([T ]\d\d:\d\d(:\d\d)?Z?)?$/.test(text))
        throw refuse('a date, or a date with a time')
      return text
  }
}

/** Filter texts evaluated in one statement. */
const BATCH_SIZE = 100

/**
 * Returns the objects that match, for each text. A text that is not valid (any more) matches none.
 * @param of resource of the objects
 */
export async function findMatchingObjects(
  database: Pick<Database, 'read'>,
  of: Resource,
  texts: readonly string[],
  pks: readonly number[],
): Promise<Map<string, ReadonlySet<number>>> {
  const matches = new Map<string, ReadonlySet<number>>(texts.map((text) => [text, new Set()]))
  const readable = texts.flatMap((text) => tryReadFilters(text, of) ?? [])
  for (let at = 0; at < readable.length; at += BATCH_SIZE) {
    const some = readable.slice(at, at + BATCH_SIZE)
    const { text, values } = statementOf(of, some, pks)
    for (const { at, fits: matchingKeys } of await database.read<{ at: number; fits: number[] }>({ text, values }))
      matches.set((some[at] as Readable).text, new Set(matchingKeys))
  }
  return matches
}

type Readable = ParsedFilters & { text: string }

function tryReadFilters(text: string, of: Resource): Readable | undefined {
  try {
    return { text, ...readFilters(text, of) }
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  }
}

/** Builds a statement with a row per text: its index, and the keys of the matching objects. */
function statementOf(
  of: Resource,
  meanings: readonly ParsedFilters[],
  pks: readonly number[],
): { text: string; values: unknown[] } {
  const parameters = new Parameters()
  const values: Record<string, unknown> = { pks }
  const lines = LINES.get(of)
  const selects = meanings.map(({ conditions, ofLine }, at) => {
    const rootScope = new Scope(of.table, 't', parameters)
    const line = lines && new Scope(lines.of.table, 'line', parameters)
    const all = (scope: Scope, some: readonly Condition[]) =>
      some
        .map(({ sql, values: own }, index) => {
          const name = `${scope.alias} ${at} ${index}`
          values[name] = own[0]
          return ` and (${scope.expression(sql, () => name)})`
        })
        .join('')
    const where = all(rootScope, conditions)
    const whereLine = line && ofLine.length > 0 ? all(line, ofLine) : ''
    const hasLine = whereLine
      ? ` and exists (select from ${source(line as Scope)} where line.${quote(lines?.by as string)} = t.pk${whereLine})`
      : ''
    return `select ${at} as at, array(
      select t.pk from ${source(rootScope)} where t.pk = any(${parameters.number('pks')}::integer[])${where}${hasLine}
    ) as fits`
  })
  return { text: selects.join(' union all '), values: parameters.names.map((name) => values[name]) }
}

/** Returns the FROM clause for the columns of a scope. */
const source = ({ table, alias, joins }: Scope): string => `${quote(getTableName(table))} ${quote(alias)} ${joins}`
