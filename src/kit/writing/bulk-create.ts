import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Resource, Write, WriteRequest } from '../definition/resource.ts'
import { readByKeys } from '../reading/objects.ts'
import type { Errors } from '../request/errors.ts'
import { invalid, Problem } from '../request/problem.ts'
import { quote } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import { checkAllReferences } from './references.ts'
import { listStoredValues, readFields, translateErrors } from './write.ts'

/** Thrown by `afterCreate` of several objects if the result for one depends on whether another was created before it. */
export class OrderDependentError extends Error {}

/** The request that creates several objects, and the field of its body that lists them. */
export type BulkCreateRequest = Omit<WriteRequest, 'body'> & { list: string }

/**
 * Creates objects with the same errors as consecutive calls of `create`, but in few statements. For resources without `completeBody`,
 * `consult`, `insert` and files.
 * @param bodies the body of each object, and its position in the list
 * @returns the objects as GET shows them, in their order
 * @throws Problem 400 with the error of the first invalid object, at its position in the list
 */
export async function createMany(
  resource: Resource,
  request: BulkCreateRequest,
  bodies: readonly { body: Record<string, unknown>; at: number }[],
): Promise<string[]> {
  if (bodies.length === 0) return []
  const values = bodies.map(({ body }) => body)
  try {
    return await request.tx.savepoint(() => translateErrors(resource, () => createBatch(resource, request, values)))
  } catch (error) {
    if (!(error instanceof OrderDependentError || (error instanceof Problem && error.code === 'invalid'))) throw error
    const [first, ...rest] = bodies
    if (first && rest.length === 0) throw error instanceof Problem ? atIndex(request.list, first.at, error) : error
  }
  // one object is rejected, or conflicts with another: the first half does not depend on the second
  const half = bodies.length >> 1
  return [
    ...(await createMany(resource, request, bodies.slice(0, half))),
    ...(await createMany(resource, request, bodies.slice(half))),
  ]
}

/** Reports the error of one object at its position in the list. */
const atIndex = (list: string, index: number, { body }: Problem): Problem =>
  invalid({ [list]: [...Array.from({ length: index }, () => ({})), body as Errors] })

async function createBatch(resource: Resource, request: BulkCreateRequest, bodies: readonly Record<string, unknown>[]) {
  const { tx, caller, services, flags } = request
  const inputs = bodies.map((body) => readFields(resource, { ...request, body }, undefined, {}))
  const referred = await checkAllReferences(
    tx,
    inputs.map(({ reading }) => reading),
  )
  const writes = inputs.map(({ write }, index) => Object.assign(write, { referred: referred[index] }))
  throwErrors(writes)
  if (resource.batch) await resource.batch.rules(writes)
  else for (const write of writes) await resource.rules?.(write)
  throwErrors(writes)
  const pks = await insertRows(resource, tx, writes)
  if (resource.batch) await resource.batch.afterCreate(writes)
  else for (const [index, write] of writes.entries()) await resource.afterCreate?.(write, pks[index] as number)
  return readByKeys(resource, pks, flags, { caller, services, executor: tx })
}

/** @throws Problem 400 with the errors of the first invalid write */
function throwErrors(writes: readonly Write[]): void {
  const invalidWrite = writes.find(({ errors }) => Object.keys(errors).length > 0)
  if (invalidWrite) throw invalid(invalidWrite.errors)
}

/** Stores the rows of all writes; returns their keys, in the ascending order of the writes. */
async function insertRows({ table, ...resource }: Resource, tx: Tx, writes: readonly Write[]): Promise<number[]> {
  const rows = writes.map((write) => Object.fromEntries(listStoredValues({ table, ...resource }, write)))
  const columns = new Map(Object.values(getTableColumns(table)).map((column) => [column.name, column as PgColumn]))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const insertedColumns = names.map((name) => columns.get(name) as PgColumn)
  for (const column of insertedColumns)
    for (const row of rows) row[column.name] ??= row[column.name] === null ? null : constantDefault(column)
  const list = names.map(quote).join(', ')
  const types = insertedColumns.map((column) => `${quote(column.name)} ${column.getSQLType()}`).join(', ')
  const insertedRows = await tx.query<{ pk: number }>(
    `insert into ${quote(getTableName(table))} (${list})
     select ${list} from rows from (json_to_recordset($1::json) as (${types})) with ordinality row (${list}, "n#") order by "n#"
     returning pk`,
    [JSON.stringify(rows)],
  )
  return insertedRows.map(({ pk }) => pk)
}

/** The value of a column that a write omits while another one of the same statement does not. */
function constantDefault({ name, default: value, notNull }: PgColumn): unknown {
  if (value !== undefined && typeof value !== 'object') return value
  if (value === undefined && !notNull) return null
  throw new Error(`the default of ${name} is calculated by the database`)
}
