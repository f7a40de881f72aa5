import { getTableName } from 'drizzle-orm'
import type { Fields, Nested, ReadShape } from './field.ts'
import type { Resource } from './resource.ts'
import { quote, type Scope, tablesRead } from './sql.ts'

/** Which flagged fields an answer shows. */
export type Flags = ReadonlySet<string>

/** The flags that a query asks for, beside those that are on by default here. */
export function readFlags(
  resource: Resource,
  query: Record<string, string>,
  on: (value: string) => boolean,
  place: 'list' | 'detail',
): Flags {
  const flags = new Set<string>()
  for (const field of Object.values(resource.fields)) {
    if (!field.flag) continue
    const given = query[field.flag.name]
    if (given === undefined || given === '' ? field.flag[place] : on(given)) flags.add(field.flag.name)
  }
  return flags
}

/** The select list of an object: every field that is shown, under its name, each in its wire form. */
export function selectList(fields: Fields, scope: Scope, flags: Flags): string {
  const parts: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    if (field.flag && !flags.has(field.flag.name)) continue
    if (field.nested) parts.push(`${nestedObject(field.nested.of(), field.nested.on, scope, name)} as ${quote(name)}`)
    else if (field.sql) {
      for (const table of tablesRead(field.sql)) scope.tables.add(table)
      const value = scope.expression(field.sql)
      parts.push(`${field.inside ? withObjects(value, field.inside, scope) : value} as ${quote(name)}`)
    }
  }
  return parts.join(', ')
}

/** One object inside another. The sub-select runs once for each row of the page, by primary key. */
function nestedObject(shape: ReadShape, on: string, outer: Scope, name: string): string {
  const scope = outer.nested(shape.table, name)
  const list = selectList(shape.fields, scope, new Set())
  const alias = quote(scope.alias)
  return `(select row_to_json(o) from (select ${list} from ${quote(tableName(shape))} ${alias} ${scope.joins} where ${alias}."pk" = ${outer.expression(on)}) o)`
}

/** A JSON object with further objects in it: those of `inside` that exist. */
function withObjects(value: string, inside: Record<string, Nested>, scope: Scope): string {
  const added = Object.entries(inside).map(([key, { of, on }]) => `('${key}', ${nestedObject(of(), on, scope, key)})`)
  return `(select coalesce(json_object_agg(key, value), '{}') from (select key, value from json_each(${value}) union all select key, value from (values ${added.join(', ')}) added (key, value) where value is not null) entry)`
}

const tableName = (shape: ReadShape) => getTableName(shape.table)
