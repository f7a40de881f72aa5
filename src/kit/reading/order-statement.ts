import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Condition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { type Expression, extensionsOf, Parameters } from '../sql/sql.ts'
import { type ListRows, listRows, sqlOf } from './list-rows.ts'
import { orderByObject } from './order-by-object.ts'
import { listed, namesRead, stampOf } from './stamp.ts'

/** Which rows a list has, and in which order. */
type OrderShape = { conditions: readonly Condition[]; order: readonly string[] }

/** How many rows of a list are known in their order: pages that begin in the first ten thousand, and some rows. */
const MOST = 12_000

/**
 * A statement that answers one row of two texts: `Changes` as JSON, as they stand where the order is read, and the keys of the first rows
 * of the list in their order, as JSON.
 */
export type OrderStatement = {
  /** Tells it from other statements. */
  id: number
  text: string
  /** The parameters, in their order. */
  names: readonly string[]
  /** Under which it is kept prepared. */
  name: string | undefined
  /** How many keys it reads at most. */
  most: number
}

/** How far tables were changed. */
export type Changes = {
  /** Equal to an earlier one only if the list has the same rows in the same order. */
  standing: string
  /** Equal to an earlier one only if no row stands elsewhere but for a change of one that `slots` tell. */
  around: string
  /** Slots of change counters: the name, how many rows were changed, and the keys of those lately (`change_counter.latest`). */
  slots: [name: string, changes: number, latest: number[]][]
}

const statements = new LRUCache<string, { statement: OrderStatement | undefined }>({ max: 1_000 })
const shapes = new WeakMap<Resource, number>()
let shapeCount = 0
let statementCount = 0

/** The statement that reads the order of a list; undefined where it could not be told which rows stand elsewhere after a change. */
export function orderStatement(resource: Resource, shape: OrderShape): OrderStatement | undefined {
  const number = shapes.get(resource) ?? ++shapeCount
  shapes.set(resource, number)
  const key = [number, ...shape.conditions.map(({ sql }) => sql), '|', ...shape.order].join('\u0001')
  const known = statements.get(key)
  if (known) return known.statement
  const statement = compile(resource, shape)
  statements.set(key, { statement })
  return statement
}

function compile(resource: Resource, shape: OrderShape): OrderStatement | undefined {
  const parameters = new Parameters()
  const list = listRows(resource, shape, parameters)
  const standing = list.isSearch ? undefined : standingOf(resource, list)
  if (!standing) return undefined
  const limit = `limit ${MOST}`
  const byObject = keysInOrder(resource, shape, { limit, isLater: false }, parameters)
  const keys = byObject?.keys ?? `select t.pk ${sqlOf(list)} ${limit}`
  const text = [
    byObject?.parts.length ? `with ${byObject.parts.join(', ')}` : '',
    `select ${standing.changes}, (select coalesce(json_agg(found.pk), '[]')::text from (${keys}) found)`,
    `from (select ${standing.stamps} from change_counter where table_name in (${standing.tables})) k`,
  ].join(' ')
  return { id: ++statementCount, text, names: parameters.names, name: undefined, most: MOST }
}

/** The keys of the first rows of a list, or of a page, object by object (`orderByObject`), where all rows are asked for, or those of a condition that is counted. */
export function keysInOrder(
  resource: Resource,
  { conditions, order }: OrderShape,
  page: { limit: string; isLater: boolean; total?: string },
  parameters: Parameters,
): ReturnType<typeof orderByObject> {
  const { tallied = {} } = resource
  const narrowing = conditions.map(({ sql }) => sql)
  if (!narrowing.every((sql) => tallied[sql])) return undefined
  return orderByObject(resource, { conditions: narrowing, order, ...page }, parameters)
}

/** SQL that tells how far tables were changed on which it depends in which order the rows of a list are. */
type Standing = {
  /** `Changes.standing` and `Changes.around`, of rows of `change_counter`. */
  stamps: Expression
  /** All `Changes` as JSON, beside `stamps` as `k`. */
  changes: Expression
  /** The names of the tables. */
  tables: Expression
}

/**
 * Rows stand elsewhere when they change themselves, or what extends them (`extend`): of these the keys are told. When any other table
 * changes that the conditions or the order read, or the table itself where it is read for another row's sake, it is not known which.
 */
export function standingOf(resource: Resource, list: ListRows): Standing | undefined {
  const sql = sqlOf(list)
  const names = namesRead(sql)
  const isReadOnce = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  const own = getTableName(resource.table)
  if (!isReadOnce(own)) return undefined
  const extending = extensionsOf(resource.table).filter(
    (name) => sql.includes(`join "${name}" "t__${name}" on`) && isReadOnce(name),
  )
  const told = [own, ...extending]
  const around = stampOf(sql, told)
  const slots = `select json_agg(json_build_array(table_name || ' ' || slot, row_changes, latest)) from change_counter where table_name in (${listed(told)})`
  return {
    stamps: `${around} as around, concat_ws('/', ${around}, sum(row_changes) filter (where table_name in (${listed(told)}))) as standing`,
    changes: `json_build_object('standing', k.standing, 'around', k.around, 'slots', coalesce((${slots}), '[]'))::text`,
    tables: listed([...new Set(names)]),
  }
}
