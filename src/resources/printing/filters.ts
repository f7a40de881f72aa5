import { getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Condition } from '../../kit/definition/filter.ts'
import { isDate } from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { findTableReferencedByKey, Parameters, quote, Scope } from '../../kit/sql/sql.ts'
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
export type FilterPair = { key: string; value: string }

/** Parses a string, possibly empty, into pairs. Of a repeated key, the last value counts. @throws FieldError naming the invalid pair */
export function parsePairs(text: string): FilterPair[] {
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
const LINE_RESOURCES = new Map<Resource, { name: string; resource: Resource; column: string }>([
  [purchaseOrder, { name: 'lines', resource: purchaseOrderLine, column: 'order' }],
  [salesOrder, { name: 'lines', resource: salesOrderLine, column: 'order' }],
  [returnOrder, { name: 'lines', resource: returnOrderLine, column: 'order' }],
  [buildOrder, { name: 'build_lines', resource: buildLine, column: 'build' }],
])

/**
 * Parsed filters for a resource: conditions on the object, conditions that one of its lines must meet together, and the resources that they
 * traverse.
 */
export type ParsedFilters = {
  conditions: readonly Condition[]
  lineConditions: readonly Condition[]
  traversed: readonly Resource[]
}

/** @throws FieldError when a pair names an unknown field, or a value that the field cannot have */
export function readFilters(text: string, rootResource: Resource): ParsedFilters {
  const traversed = new Set<Resource>()
  const [conditions, lineConditions]: [Condition[], Condition[]] = [[], []]
  const lines = LINE_RESOURCES.get(rootResource)
  for (const { key, value } of parsePairs(text)) {
    const inLine = lines !== undefined && key.startsWith(`${lines.name}__`)
    if (inLine) traversed.add(lines.resource)
    const names = inLine ? key.slice(lines.name.length + 2) : key
    const { path, column, comparison, resources } = resolveKey(names, inLine ? lines.resource : rootResource)
    for (const candidate of resources) traversed.add(candidate)
    ;(inLine ? lineConditions : conditions).push(buildCondition(key, `{${path}}`, column, comparison, value))
  }
  return { conditions, lineConditions, traversed: [...traversed] }
}

type ResolvedKey = { path: string; column: PgColumn; comparison: string; resources: Resource[] }

/** Resolves a key to a column over references, and the comparison after it. */
function resolveKey(key: string, rootResource: Resource): ResolvedKey {
  const names = key.split('__')
  const steps: string[] = []
  const resources: Resource[] = []
  let resource = rootResource
  for (let position = 0; ; position++) {
    const name = names[position] === 'id' ? 'pk' : (names[position] as string)
    const column = findColumn(resource, name)
    if (!column) throw unknownField(key, name, resource)
    steps.push(column.name)
    const rest = names.slice(position + 1)
    const [next] = rest
    if (next === undefined || (rest.length === 1 && next in COMPARISONS))
      return { path: steps.join('.'), column, comparison: next ?? 'exact', resources }
    const table = findTableReferencedByKey(resource.table, column.name)
    const referred = table && REFERENCED_RESOURCES.find((candidate) => candidate.table === table)
    if (!referred) throw new FieldError(printErrors.filter_without_object({ key, field: name }))
    resources.push(referred)
    resource = referred
  }
}

/** Returns the column of a field that responses include. */
function findColumn({ fields, table }: Resource, name: string): PgColumn | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return field?.sql && field.column?.table === table && field.column.getSQLType() !== 'json' ? field.column : undefined
}

function unknownField(key: string, name: string, resource: Resource): FieldError {
  const fieldNames = Object.keys(resource.fields).filter((candidate) => findColumn(resource, candidate))
  return new FieldError(
    printErrors.filter_field_unknown({ key, kind: resource.name.toLowerCase(), field: name, fields: fieldNames.toSorted() }),
  )
}

type Type = 'text' | 'array' | 'number' | 'boolean' | 'date' | 'timestamp'

function getType(column: PgColumn): Type {
  const type = column.getSQLType()
  if (type.includes('array')) return 'array'
  if (type === 'boolean' || type === 'date') return type
  if (type.startsWith('timestamp')) return 'timestamp'
  return type.startsWith('varchar') || type.startsWith('text') ? 'text' : 'number'
}

/** A comparison in SQL: `column` is the compared column, `value` the placeholder of the value. `toPattern` makes a pattern of the value. */
type Comparison = {
  types: readonly Type[]
  sql: (column: string, value: string) => string
  toPattern?: (value: string) => string
}

const ORDERED_TYPES = ['number', 'date', 'timestamp', 'text'] as const
const orderedComparison = (operator: string): Comparison => ({
  types: ORDERED_TYPES,
  sql: (column, value) => `${column} ${operator} ${value}`,
})
const patternComparison = (pattern: (value: string) => string, operator: 'like' | 'ilike'): Comparison => ({
  types: ['text'],
  sql: (column, value) => `${column} collate "default" ${operator} ${value}`,
  toPattern: (value) => pattern(value.replaceAll(/[\\%_]/g, '\\$&')),
})

const COMPARISONS: Record<string, Comparison> = {
  exact: { types: [...ORDERED_TYPES, 'boolean'], sql: (column, value) => `${column} = ${value}` },
  iexact: patternComparison((value) => value, 'ilike'),
  contains: patternComparison((value) => `%${value}%`, 'like'),
  icontains: patternComparison((value) => `%${value}%`, 'ilike'),
  startswith: patternComparison((value) => `${value}%`, 'like'),
  istartswith: patternComparison((value) => `${value}%`, 'ilike'),
  endswith: patternComparison((value) => `%${value}`, 'like'),
  iendswith: patternComparison((value) => `%${value}`, 'ilike'),
  gt: orderedComparison('>'),
  gte: orderedComparison('>='),
  lt: orderedComparison('<'),
  lte: orderedComparison('<='),
  isnull: { types: [], sql: (column, value) => `(${column} is null) = ${value}` },
}

function buildCondition(key: string, sql: string, column: PgColumn, name: string, text: string): Condition {
  const comparison = COMPARISONS[name] as Comparison
  if (name === 'isnull') return { sql: comparison.sql(sql, '{@value}::boolean'), values: [readValue(key, 'boolean', text)] }
  const type = getType(column)
  if (type === 'array') {
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

const CASTS: Record<Exclude<Type, 'array'>, string> = {
  text: '::text',
  number: '::numeric',
  boolean: '::boolean',
  date: '::date',
  timestamp: '::timestamptz',
}

const BOOLEAN_WORDS = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
])

/** Checks a value against the type of its field. @throws FieldError for an invalid value */
function readValue(key: string, type: Exclude<Type, 'array'>, text: string): unknown {
  const createError = (expected: string) => new FieldError(printErrors.filter_value({ key, value: text, expected }))
  switch (type) {
    case 'text':
      return text
    case 'number':
      if (!/^[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})$/.test(text)) throw createError('a number')
      return text
    case 'boolean': {
      const value = BOOLEAN_WORDS.get(text.toLowerCase())
      if (value === undefined) throw createError('True or False')
      return value
    }
    case 'date':
      if (!isDate(text)) throw createError('a date such as 2026-01-31')
      return text
    case 'timestamp':
      if (!isDate(text.slice(0, 10)) || !/^.{10}([T ]\d\d:\d\d(:\d\d)?Z?)?$/.test(text))
        throw createError('a date, or a date with a time')
      return text
  }
}

/** Maximum number of filter strings that one statement evaluates. */
const BATCH_SIZE = 100

/**
 * Returns the objects that match, for each filter string. A string that is not valid (any more) matches none.
 * @param rootResource resource of the objects
 */
export async function findMatchingObjects(
  database: Pick<Database, 'read'>,
  rootResource: Resource,
  texts: readonly string[],
  pks: readonly number[],
): Promise<Map<string, ReadonlySet<number>>> {
  const matches = new Map<string, ReadonlySet<number>>(texts.map((text) => [text, new Set()]))
  const readable = texts.flatMap((text) => tryReadFilters(text, rootResource) ?? [])
  for (let position = 0; position < readable.length; position += BATCH_SIZE) {
    const subset = readable.slice(position, position + BATCH_SIZE)
    const { text, values } = buildStatement(rootResource, subset, pks)
    for (const { at: position, matches: matchingKeys } of await database.read<{ at: number; matches: number[] }>({
      text,
      values,
    }))
      matches.set((subset[position] as Readable).text, new Set(matchingKeys))
  }
  return matches
}

type Readable = ParsedFilters & { text: string }

function tryReadFilters(text: string, rootResource: Resource): Readable | undefined {
  try {
    return { text, ...readFilters(text, rootResource) }
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  }
}

/** Builds a statement with a row per filter string: its index, and the keys of the matching objects. */
function buildStatement(
  rootResource: Resource,
  filters: readonly ParsedFilters[],
  pks: readonly number[],
): { text: string; values: unknown[] } {
  const parameters = new Parameters()
  const values: Record<string, unknown> = { pks }
  const lines = LINE_RESOURCES.get(rootResource)
  const selects = filters.map(({ conditions, lineConditions }, position) => {
    const rootScope = new Scope(rootResource.table, 't', parameters)
    const line = lines && new Scope(lines.resource.table, 'line', parameters)
    const all = (scope: Scope, subset: readonly Condition[]) =>
      subset
        .map(({ sql, values: own }, index) => {
          const name = `${scope.alias} ${position} ${index}`
          values[name] = own[0]
          return ` and (${scope.expression(sql, () => name)})`
        })
        .join('')
    const where = all(rootScope, conditions)
    const whereLine = line && lineConditions.length > 0 ? all(line, lineConditions) : ''
    const hasLine = whereLine
      ? ` and exists (select from ${fromClause(line as Scope)} where line.${quote(lines?.column as string)} = t.pk${whereLine})`
      : ''
    return `select ${position} as at, array(
      select t.pk from ${fromClause(rootScope)} where t.pk = any(${parameters.number('pks')}::integer[])${where}${hasLine}
    ) as matches`
  })
  return { text: selects.join(' union all '), values: parameters.names.map((name) => values[name]) }
}

/** Returns the FROM clause for the columns of a scope. */
const fromClause = ({ table, alias, joins }: Scope): string => `${quote(getTableName(table))} ${quote(alias)} ${joins}`
