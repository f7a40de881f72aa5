import { getTableName } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Condition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { type Expression, extensionsOf, Parameters } from '../sql/sql.ts'
import { type ListRows, listRows, numberOf, sqlOf } from './list-rows.ts'
import { orderByObject } from './order-by-object.ts'
import { listed, namesRead, stampOf } from './stamp.ts'

/** Which rows a list has, and in which order. */
type OrderShape = { conditions: readonly Condition[]; order: readonly string[] }

/**
 * How many rows of a list are known in their order: pages that begin in the first ten thousand, and some rows; and for whoever goes on
 * behind them, all rows of a large table. The limits stand in the text: PostgreSQL takes an unknown one for a tenth of the table.
 */
const REACHES = [12_000, 2_000_000] as const

/** A statement, and the names of its parameters in their order. */
export type Asking = { text: string; names: readonly string[] }

type AskingKeys = Asking & { most: number }

/** How an order is asked for. */
export type OrderStatement = {
  /** Tells it from others. */
  id: number
  /** The names of the values on which the order depends. */
  names: readonly string[]
  /**
   * Each answers one row of two texts: `Changes` as JSON, as they are where it is read, and the keys of the first rows in their order, at
   * most so many, as `keysIn` reads them. Those that read fewer come first.
   */
  keys: readonly [AskingKeys, AskingKeys]
  /** Of such a list it is counted how many rows it has. */
  isCounted: boolean
  /** Answers one text: `Changes` as JSON, since those that the parameter `counted` names. */
  changes: Asking
}

/** How far tables were changed. */
export type Changes = {
  /** Equal to an earlier one only if the list has the same rows in the same order. */
  standing: string
  /** Equal to an earlier one only if no row stands elsewhere but for a change of one that `slots` tell. */
  around: string
  /** How many changes of rows all slots together counted: of two moments the later has more, if anything changed between them. */
  total: number
  /** Slots of change counters that counted more. */
  slots: ChangedSlot[]
}

/**
 * The name of a slot of change counters, how many changes of rows it counted, the keys of the last of them, and what it kept of those before
 * (`changed_keys`), the latest first.
 */
export type ChangedSlot = [name: string, changes: number, latest: number[], before: [upto: number, keys: number[]][]]

const statements = new LRUCache<string, { statement: OrderStatement | undefined }>({ max: 1_000 })
let statementCount = 0

/** The statement that reads the order of a list; undefined where it could not be told which rows stand elsewhere after a change. */
export function orderStatement(resource: Resource, shape: OrderShape): OrderStatement | undefined {
  const key = [numberOf(resource), ...shape.conditions.map(({ sql }) => sql), '|', ...shape.order].join('\u0001')
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
  const counters = `(select ${standing.stamps} from change_counter where table_name in (${standing.tables})) k`
  const keysOf = (most: number): AskingKeys => {
    const limit = `limit ${most}`
    // object by object the first rows are found sooner, and all rows later
    const byObject = most === REACHES[0] ? keysInOrder(resource, shape, { limit, isLater: false }, parameters) : undefined
    const found = byObject?.keys ?? `select t.pk ${sqlOf(list)} ${limit}`
    const parts = byObject?.parts.length ? `with ${byObject.parts.join(', ')}` : ''
    const inOrder = `select string_agg(int4send(found.pk), ''::bytea)::text from (${found}) found`
    return { most, text: `${parts} select ${standing.changes()}, (${inOrder}) from ${counters}`, names: parameters.names }
  }
  return {
    id: ++statementCount,
    names: parameters.names,
    isCounted: list.where !== '' && !list.kept,
    keys: [keysOf(REACHES[0]), keysOf(REACHES[1])],
    changes: { text: `select ${standing.changes('$1')} from ${counters}`, names: ['counted'] },
  }
}

/** Keys out of the text that PostgreSQL makes of their bytes; null where there are none. */
export function keysIn(text: string | null): Int32Array {
  const bytes = Buffer.from(text?.slice('\\x'.length) ?? '', 'hex').swap32()
  const keys = new Int32Array(bytes.length / Int32Array.BYTES_PER_ELEMENT)
  Buffer.from(keys.buffer).set(bytes)
  return keys
}

/**
 * The keys of the first rows of a list, or of a page, object by object (`orderByObject`), where all rows are asked for, or those of a condition
 * that is counted.
 */
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
  /** Of rows of `change_counter`: what `changes` and `standing` are made of. */
  stamps: Expression
  /** `Changes.standing`, beside `stamps` as `k`. */
  standing: Expression
  /**
   * All `Changes` as JSON, beside `stamps` as `k`, since what `counted` says: how many changes each slot had counted, by its name. Without
   * it how many they counted until now.
   */
  changes: (counted?: Expression) => Expression
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
  const told = listed([own, ...extending])
  const standing = `concat_ws('/', k.around, k.row_changes)`
  const name = `counter.table_name || ' ' || counter.slot`
  const slots = (counted?: Expression) => {
    const all = `from change_counter counter where table_name in (${told})`
    if (!counted) return `select json_agg(json_build_array(${name}, row_changes, '[]'::json, '[]'::json)) ${all}`
    const before = `coalesce((${counted}::jsonb ->> (${name}))::bigint, 0)`
    const kept = `select coalesce(json_agg(json_build_array(upto, keys) order by upto desc), '[]') from changed_keys kept
      where kept.table_name = counter.table_name and kept.slot = counter.slot and upto > ${before}`
    return `select json_agg(json_build_array(${name}, row_changes, latest, (${kept}))) ${all} and row_changes > ${before}`
  }
  return {
    stamps: `${stampOf(sql, [own, ...extending])} as around, sum(row_changes) filter (where table_name in (${told})) as row_changes`,
    standing,
    changes: (counted) =>
      `json_build_object('standing', ${standing}, 'around', k.around, 'total', coalesce(k.row_changes, 0), 'slots', coalesce((${slots(counted)}), '[]'))::text`,
    tables: listed([...new Set(names)]),
  }
}
