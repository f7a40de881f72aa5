import { getTableName } from 'drizzle-orm'
import type { Fields, Flags, Nested, ReadShape } from '../definition/field.ts'
import type { Resource } from '../definition/resource.ts'
import { quote, type Scope } from '../sql/sql.ts'

/** The flags that a query selects, in addition to the defaults. */
export function readFlags(
  resource: Resource,
  query: Record<string, string>,
  isOn: (value: string) => boolean,
  view: 'list' | 'detail',
): Flags {
  const flags = new Set<string>()
  for (const field of Object.values(resource.fields)) {
    if (!field.flag) continue
    const flagValue = query[field.flag.name]
    if (flagValue === undefined || flagValue === '' ? field.flag[view] : isOn(flagValue)) flags.add(field.flag.name)
  }
  return flags
}

/**
 * The objects inside the rows of a page. Many rows contain the same one, so each is built once and joined to its rows: a page of 100
 * supplier parts with their parts and suppliers takes two thirds of the time.
 */
export class SharedObjects {
  readonly #page: string
  readonly #objects: { name: string; sql: string; column: string }[] = []

  /** @param page the name of the page's rows in the statement */
  constructor(page: string) {
    this.#page = page
  }

  /** Adds an object that the rows of `outer` refer to by a column of their own, and returns its expression. */
  add(shape: ReadShape, column: string, outer: Scope, field: string): string {
    const { alias, list, source, json } = objectParts(shape, outer, field)
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
  for (const [name, field] of Object.entries(fields)) {
    if (field.flag && !flags.has(field.flag.name)) continue
    if (field.nested) {
      const { getShape, on } = field.nested
      const column = /^\{(\w+)\}$/.exec(on)?.[1]
      const object = shared && column ? shared.add(getShape(), column, scope, name) : nestedObject(getShape(), on, scope, name)
      parts.push(`${object} as ${quote(name)}`)
    } else if (field.rows) {
      parts.push(`${nestedRows(field.rows.getShape(), field.rows.column, scope, name)} as ${quote(name)}`)
    } else if (field.sql) {
      const value = scope.expression(field.sql)
      parts.push(`${field.inside ? withObjects(value, field.inside, scope) : value} as ${quote(name)}`)
    }
  }
  return parts.join(', ')
}

/** One object inside another. The sub-select runs once for each row, by primary key. */
function nestedObject(shape: ReadShape, on: string, outer: Scope, name: string): string {
  const { alias, list, source, json } = objectParts(shape, outer, name)
  return `(select ${json} from (select ${list} from ${source} where ${quote(alias)}."pk" = ${outer.expression(on)}) o)`
}

/** All objects that refer to this one. The sub-select runs once for each row, by an index on their column. */
function nestedRows(shape: ReadShape, column: string, outer: Scope, name: string): string {
  const { alias, list, source, json } = objectParts(shape, outer, name)
  const key = Object.keys(shape.fields).find((field) => shape.fields[field]?.sql === '{pk}') ?? 'pk'
  return `(select coalesce(json_agg(${json} order by o.${quote(key)}), '[]') from (select ${list} from ${source} where ${quote(alias)}.${quote(column)} = ${outer.expression('{pk}')}) o)`
}

/** The SQL parts of a nested object: the alias of its table, its select list, the text after `from`, and its JSON, of row `o`. */
function objectParts(shape: ReadShape, outer: Scope, name: string) {
  const scope = outer.nested(shape.table, name)
  const list = selectList(shape.fields, scope, new Set())
  const source = `${quote(getTableName(shape.table))} ${quote(scope.alias)} ${scope.joins}`
  return { alias: scope.alias, list, source, json: rowJson('o', shape.fields, scope, new Set()) }
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
function withObjects(value: string, inside: Record<string, Nested>, scope: Scope): string {
  const added = Object.entries(inside).map(([key, { getShape, on }]) => `('${key}', ${nestedObject(getShape(), on, scope, key)})`)
  return `(select coalesce(json_object_agg(key, value), '{}') from (select key, value from json_each(${value}) union all select key, value from (values ${added.join(', ')}) added (key, value) where value is not null) entry)`
}
