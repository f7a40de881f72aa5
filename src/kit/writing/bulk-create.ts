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
  if (resource.batch) await resource.batch.afterCreate(writes, pks)
  else for (const [index, write] of writes.entries()) await resource.afterCreate?.(write, pks[index] as number)
  return readByKeys(resource, pks, flags, { caller, services, executor: tx })
}

/** Rolls back the creation of several objects because of these, by their positions. */
class RejectedWrites extends Error {
  readonly problems: ReadonlyMap<number, Problem>

  constructor(problems: ReadonlyMap<number, Problem>) {
    super('some objects are rejected')
    this.problems = problems
  }
}

/** Whether a problem concerns the object that is written, and not the service or other requests. */
export const isAboutObject = ({ status }: Problem): boolean => status >= 400 && status < 500 && status !== 409

/**
 * Creates those of several objects that can be created, in few statements, with the same errors as separate calls of `create`. For resources
 * without `completeBody`, `insert` and files, and objects of which none depends on another.
 * @returns the key of each object, or why it was rejected
 */
export async function createEach(
  resource: Resource,
  request: Omit<WriteRequest, 'body'>,
  bodies: readonly Record<string, unknown>[],
): Promise<(number | Problem)[]> {
  const inputs = bodies.map((body) => readFields(resource, { ...request, body }, undefined, {}))
  const referred = await checkAllReferences(
    request.tx,
    inputs.map(({ reading }) => reading),
  )
  const results = new Map<number, number | Problem>()
  for (const [index, { write }] of inputs.entries())
    if (Object.keys(write.errors).length > 0) results.set(index, invalid(write.errors))
  const open = [...bodies.keys()].filter((index) => !results.has(index))
  // rules change the values of a write: each attempt reads the body again
  const readWrite = (index: number): Write =>
    Object.assign(readFields(resource, { ...request, body: bodies[index] ?? {} }, undefined, {}).write, {
      referred: referred[index],
    })
  await createRemaining(resource, request.tx, open, readWrite, results)
  return [...bodies.keys()].map((index) => results.get(index) as number | Problem)
}

/** Creates the objects at these positions together, without the rejected ones; or in halves, if it is not known which one is rejected. */
async function createRemaining(
  resource: Resource,
  tx: Tx,
  indexes: readonly number[],
  readWrite: (index: number) => Write,
  results: Map<number, number | Problem>,
): Promise<void> {
  if (indexes.length === 0) return
  const createNow = async () => {
    const writes = indexes.map(readWrite)
    const keys = await createWrites(resource, tx, writes)
    await tx.flush()
    return keys
  }
  try {
    const keys = await tx.savepoint(() => translateErrors(resource, createNow))
    for (const [position, index] of indexes.entries()) results.set(index, keys[position] as number)
    return
  } catch (error) {
    if (error instanceof RejectedWrites) {
      for (const [position, problem] of error.problems) results.set(indexes[position] as number, problem)
      const rest = indexes.filter((_, position) => !error.problems.has(position))
      return createRemaining(resource, tx, rest, readWrite, results)
    }
    if (!(error instanceof OrderDependentError || (error instanceof Problem && isAboutObject(error)))) throw error
    const [first, ...others] = indexes
    if (first !== undefined && others.length === 0) {
      if (!(error instanceof Problem)) throw error
      results.set(first, error)
      return
    }
  }
  const half = indexes.length >> 1
  await createRemaining(resource, tx, indexes.slice(0, half), readWrite, results)
  await createRemaining(resource, tx, indexes.slice(half), readWrite, results)
}

/** Runs the rules of all writes, and stores them. @throws RejectedWrites */
async function createWrites(resource: Resource, tx: Tx, writes: readonly Write[]): Promise<number[]> {
  const problems = new Map<number, Problem>()
  const reject = (position: number, error: unknown) => {
    if (!(error instanceof Problem && isAboutObject(error))) throw error
    problems.set(position, error)
  }
  const requireAll = () => {
    for (const [position, { errors }] of writes.entries())
      if (Object.keys(errors).length > 0 && !problems.has(position)) problems.set(position, invalid(errors))
    if (problems.size > 0) throw new RejectedWrites(problems)
  }
  if (resource.batch) await resource.batch.rules(writes)
  else
    for (const [position, write] of writes.entries())
      await Promise.resolve(resource.rules?.(write)).catch((error) => reject(position, error))
  requireAll()
  const keys = await insertRows(resource, tx, writes)
  if (resource.batch) await resource.batch.afterCreate(writes, keys)
  else
    for (const [position, write] of writes.entries())
      await Promise.resolve(resource.afterCreate?.(write, keys[position] as number)).catch((error) => reject(position, error))
  requireAll()
  return keys
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
