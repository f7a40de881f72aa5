import { getTableName } from 'drizzle-orm'
import type { Wire } from '../../wire.ts'
import { EXTENDED, type Field, type Fields, type Flag, type Flags, type Nested, type ReadShape } from '../definition/field.ts'
import { TRUE_WORDS } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { quote, type Scope } from '../sql/sql.ts'

/** Among flags: money is a number, as clients of API 530 expect. No parameter has this name. */
const NUMERIC_MONEY = '#numeric money'

/** The flags with which every object is shown, nested ones as well. */
const getCommonFlags = (flags: Flags): Flags => (flags.has(NUMERIC_MONEY) ? new Set([NUMERIC_MONEY, EXTENDED.name]) : NO_FLAGS)
const NO_FLAGS: Flags = new Set()

/** Adds the flags with which clients of the configured API version see every object. */
export const addCommonFlags = (flags: Flags, { extendedFields }: Wire): Flags =>
  extendedFields ? new Set([...flags, NUMERIC_MONEY, EXTENDED.name]) : flags

const getDefault = ({ api530, ...flag }: Flag, view: 'list' | 'detail', { changedDetails }: Wire): boolean =>
  api530 === undefined || !changedDetails ? flag[view] : typeof api530 === 'boolean' ? api530 : api530[view]

/** The flags that a query selects, in addition to the defaults. */
export function readFlags(
  resource: Resource,
  query: Record<string, string>,
  isOn: (value: string) => boolean,
  view: 'list' | 'detail',
  wire: Wire,
): Flags {
  const flags = new Set<string>()
  for (const field of Object.values(resource.fields)) {
    if (!field.flag) continue
    const { name, formerName } = field.flag
    const flagValue = query[name] ?? (formerName && query[formerName])
    if (flagValue === undefined || flagValue === '' ? getDefault(field.flag, view, wire) : isOn(flagValue))
      flags.add(field.flag.name)
  }
  return flags
}

/** Every flag of a resource: with these an object is shown completely. */
export const getAllFlags = ({ fields }: Resource): Flags =>
  new Set(Object.values(fields).flatMap(({ flag }) => (flag ? [flag.name] : [])))

/** The flags that a query for one object selects. */
export const readDetailFlags = (resource: Resource, query: Record<string, string>, wire: Wire): Flags =>
  readFlags(resource, query, (value) => TRUE_WORDS.has(value.toLowerCase()), 'detail', wire)

/** The flags of an object in the response to a write, for clients of API 530. */
export const getWrittenFlags = ({ fields }: Resource): Flags =>
  new Set(Object.values(fields).flatMap(({ flag }) => (flag && flag.afterWrites !== false ? [flag.name] : [])))

/** The flags of an object in the response to a write. */
export function readWriteFlags(resource: Resource, query: Record<string, string>, wire: Wire): Flags {
  const flags = readDetailFlags(resource, query, wire)
  return wire.detailsAfterWrites ? new Set([...flags, ...getWrittenFlags(resource)]) : flags
}

/**
 * The objects inside the rows of a page. Many rows contain the same one, so each is built once and joined to its rows: a page of 100
 * supplier parts with their parts and suppliers takes two thirds of the time.
 */
export class SharedObjects {
  readonly #page: string
  readonly #flags: Flags
  readonly #objects: { name: string; sql: string; column: string }[] = []

  /** @param page the name of the page's rows in the statement */
  constructor(page: string, flags: Flags) {
    this.#page = page
    this.#flags = getCommonFlags(flags)
  }

  /** Adds an object that the rows of `outer` refer to by a column of their own, and returns its expression. */
  add(shape: ReadShape, column: string, outer: Scope, field: string): string {
    const { alias, list, source, json } = objectParts(shape, outer, field, this.#flags)
    const [name, key] = [quote(`${alias}#`), quote(column)]
    const sql = `select ${quote(alias)}."pk" as key, ${json} as object from ${source}
      cross join lateral (select ${list}) o where ${quote(alias)}."pk" = any(array(select ${key} from ${this.#page}))`
    this.#objects.push({ name, sql, column: `${quote(outer.alias)}.${key}` })
    return `${name}.object`
  }

  /** One CTE for each object, for the `with` clause of the statement. */
  get parts(): string[] {
    return this.#objects.map(({ name, sql }) => `${name} as materialized (${sql})`)
  }

  get joins(): string {
    return this.#objects.map(({ name, column }) => `left join ${name} on ${name}.key = ${column}`).join(' ')
  }
}

/** The select list of an object: every visible field under its name, in its wire form. Nested objects are added to `shared`, if it is given. */
export function selectList(fields: Fields, scope: Scope, flags: Flags, shared?: SharedObjects): string {
  const parts: string[] = []
  const common = getCommonFlags(flags)
  for (const [name, definition] of Object.entries(fields)) {
    if (definition.flag && !flags.has(definition.flag.name)) continue
    const changes = common.has(EXTENDED.name) ? definition.api530?.value : undefined
    const field = changes ? { ...definition, ...changes } : definition
    if (field.nested) {
      const { getShape, on } = field.nested
      const column = /^\{(\w+)\}$/.exec(on)?.[1]
      const object =
        shared && column ? shared.add(getShape(), column, scope, name) : nestedObject(getShape(), on, scope, name, common)
      parts.push(`${object} as ${quote(name)}`)
    } else if (field.rows) {
      parts.push(`${nestedRows(field.rows.getShape(), field.rows.column, scope, name, common)} as ${quote(name)}`)
    } else if (field.sql) {
      const value = scope.expression(
        flags.has(NUMERIC_MONEY) && isMoney(field) ? `trim_scale((${field.sql})::numeric)` : field.sql,
      )
      parts.push(`${field.inside ? withObjects(value, field.inside, scope, common) : value} as ${quote(name)}`)
    }
  }
  return parts.join(', ')
}

type DescribedSchema = { format?: string; anyOf?: DescribedSchema[] }

/** Whether a value is money, which is text by default. */
const isMoney = ({ schema }: Field): boolean => {
  const { format, anyOf } = schema as DescribedSchema
  return format === 'decimal' || (anyOf?.some((entry) => entry.format === 'decimal') ?? false)
}

/** One object inside another. The sub-select runs once for each row, by primary key. */
function nestedObject(shape: ReadShape, on: string, outer: Scope, name: string, flags: Flags): string {
  const { alias, list, source, json } = objectParts(shape, outer, name, flags)
  return `(select ${json} from (select ${list} from ${source} where ${quote(alias)}."pk" = ${outer.expression(on)}) o)`
}

/** All objects that refer to this one. The sub-select runs once for each row, by an index on their column. */
function nestedRows(shape: ReadShape, column: string, outer: Scope, name: string, flags: Flags): string {
  const { alias, list, source, json } = objectParts(shape, outer, name, flags)
  const key = Object.keys(shape.fields).find((field) => shape.fields[field]?.sql === '{pk}') ?? 'pk'
  return `(select coalesce(json_agg(${json} order by o.${quote(key)}), '[]') from (select ${list} from ${source} where ${quote(alias)}.${quote(column)} = ${outer.expression('{pk}')}) o)`
}

/** The SQL parts of a nested object: the alias of its table, its select list, the text after `from`, and its JSON, of row `o`. */
function objectParts(shape: ReadShape, outer: Scope, name: string, flags: Flags) {
  const scope = outer.nested(shape.table, name)
  const list = selectList(shape.fields, scope, flags)
  const source = `${quote(getTableName(shape.table))} ${quote(scope.alias)} ${scope.joins}`
  return { alias: scope.alias, list, source, json: rowJson('o', shape.fields, scope, flags) }
}

/**
 * A row of the select list of these fields as JSON. Keys that existing clients do not expect are cut from its text, which is safe because
 * the quotes of values are escaped.
 * @param defaultJson the expression if no key can be omitted
 */
export function rowJson(row: string, fields: Fields, scope: Scope, flags: Flags, defaultJson = `row_to_json(${row})`): string {
  const fullRowJson = `row_to_json(${row})`
  const isShown = ({ flag }: Fields[string]) => !flag || flags.has(flag.name)
  const omittableFields = Object.entries(fields).filter(([, field]) => field.isOmittedWhenNull && isShown(field))
  if (omittableFields.length === 0) return defaultJson
  const jsonWithoutNulls = omittableFields.reduce(
    (text, [name]) => `replace(${text}, '"${name}":null,', '')`,
    `${fullRowJson}::text`,
  )
  return `(case when ${scope.expression('{@left}')}::boolean then (${jsonWithoutNulls})::json else ${fullRowJson} end)`
}

/** A JSON object with further objects added: those of `inside` that exist. */
function withObjects(value: string, inside: Record<string, Nested>, scope: Scope, flags: Flags): string {
  const added = Object.entries(inside).map(
    ([key, { getShape, on }]) => `('${key}', ${nestedObject(getShape(), on, scope, key, flags)})`,
  )
  return `(select coalesce(json_object_agg(key, value), '{}') from (select key, value from json_each(${value}) union all select key, value from (values ${added.join(', ')}) added (key, value) where value is not null) entry)`
}
