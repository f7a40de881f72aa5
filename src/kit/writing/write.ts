// Over 400 lines: creation, change and deletion of any object share the order of their checks, locks and statements.
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { QueryResultRow } from 'pg'
import type { Statement } from '../../database/text-query.ts'
import type { Request } from '../definition/action.ts'
import type { Field } from '../definition/field.ts'
import { type Input, type Reading, readShape, resolveDefault, type Shape } from '../definition/input.ts'
import type { Resource, Row, Write, WriteRequest } from '../definition/resource.ts'
import { buildInsert, type Detail, insertDetail, readDetail } from '../reading/detail.ts'
import type { Caller } from '../request/caller.ts'
import { translateDatabaseError } from '../request/constraint.ts'
import type { Errors } from '../request/errors.ts'
import { invalid, notFound, Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Services } from '../services/services.ts'
import { queryWithin } from '../sql/run-query.ts'
import { callerValues, Parameters, parameterValues, quote, Scope } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import { isObject, parseJson } from '../values/json.ts'
import {
  type BulkSelection,
  buildBulkCondition,
  INVALID_BULK_ITEM,
  invalidBulkFilter,
  readBulkKeys,
  readBulkSelection,
} from './bulk.ts'
import { claimFiles } from './files.ts'
import { checkReferences } from './references.ts'

/** Builds the write request of an action that writes a resource under its own URL; the resource reads the body. */
export const toWriteRequest = (request: Request<Shape> & { tx: Tx }): WriteRequest => ({
  ...request,
  services: request,
  body: request.raw,
  flags: new Set(),
})

const shapes = new WeakMap<Resource, Shape>()

const changedShapes = new WeakMap<Resource, Shape>()

/** The writable fields of a resource, as clients of the configured API version know them. */
function getShapeFor(resource: Resource, { config }: Services): Shape {
  if (!config.wire.changedRequirements) return getWriteShape(resource)
  const cached = changedShapes.get(resource)
  if (cached) return cached
  const shape = Object.entries(getWriteShape(resource)).map(
    ([name, field]) => [name, { ...field, ...resource.fields[name]?.api530?.input }] as const,
  )
  const newShape: Shape = Object.fromEntries(shape)
  changedShapes.set(resource, newShape)
  return newShape
}

/** The writable fields of a resource, as the resource defines them. */
export function getWriteShape(resource: Resource): Shape {
  const cached = shapes.get(resource)
  if (cached) return cached
  const newShape = Object.fromEntries(
    Object.entries(resource.fields).flatMap(([name, { input, label, help, api530 }]) =>
      input
        ? [[name, { ...input, label: label ?? input.label, help: help ?? input.help, api530: { ...input.api530, ...api530 } }]]
        : [],
    ),
  )
  shapes.set(resource, newShape)
  return newShape
}

/** POST: creates an object, and returns it as GET shows it. */
export async function create(resource: Resource, request: WriteRequest): Promise<Detail & { pk: number }> {
  return translateErrors(resource, async () => {
    const review = resource.reviewWrites?.(request.services)
    request.tx.lockShared()
    const body = (await resource.completeBody?.(request)) ?? request.body
    await resource.locksFirst?.(request.tx, [], body)
    const write = await readWrite(resource, { ...request, body }, undefined, {})
    await applyRules(resource, write, review)
    await claimFiles(resource, write)
    await applyRules(resource, write, resource.rules)
    const insertedPk = await resource.insert?.(write)
    if (insertedPk === undefined && !resource.afterCreate)
      return insertDetail(resource, listStoredValues(resource, write), request.flags, { ...request, executor: request.tx })
    const pk = insertedPk ?? (await insertRow(resource, write))
    await resource.afterCreate?.(write, pk)
    return { ...(await readResponse(resource, pk, request)), pk }
  })
}

/** PUT (`partial: false`) and PATCH: changes an object, and returns it as GET shows it. */
export async function update(resource: Resource, pk: number, request: WriteRequest, partial: boolean): Promise<Detail> {
  return translateErrors(resource, async () => {
    const options = { partial, defaults: !partial && !request.services.config.wire.putKeepsOmitted }
    const reviewedVersion = await reviewUpdate(resource, pk, request, options)
    request.tx.lockShared()
    await resource.locksFirst?.(request.tx, [pk], request.body)
    await updateReviewed(resource, pk, request, options, reviewedVersion)
    return readResponse(resource, pk, request)
  })
}

/** Lets plugins review a change before anything is locked. Returns the version that they reviewed. */
export async function reviewUpdate(
  resource: Resource,
  pk: number,
  request: WriteRequest,
  options: ReadOptions,
): Promise<string | undefined> {
  const review = resource.reviewWrites?.(request.services)
  if (!review) return undefined
  const { row, version } = await findRow(resource, pk, request)
  await applyRules(resource, await readWrite(resource, request, row, options), review)
  return version
}

/** Changes an object, whose first locks are taken. Plugins review the change again if the object has changed since. */
export async function updateReviewed(
  resource: Resource,
  pk: number,
  request: WriteRequest,
  options: ReadOptions,
  reviewedVersion: string | undefined,
): Promise<void> {
  const { row: before, version } = await findRow(resource, pk, request, FOR_CHANGE)
  const write = await readWrite(resource, request, before, options)
  if (version !== reviewedVersion) await applyRules(resource, write, resource.reviewWrites?.(request.services))
  await claimFiles(resource, write)
  await applyRules(resource, write, resource.rules)
  await updateRow(resource, write, pk)
  await resource.afterUpdate?.(write, pk)
}

/** Locks those of these objects that exist and that the caller may access, in the order of their keys. Returns their keys. */
export async function lockRows(
  resource: Resource,
  keys: readonly number[],
  { tx, caller }: Pick<WriteRequest, 'tx' | 'caller'>,
): Promise<ReadonlySet<number>> {
  const { within, values } = buildAccessCondition(resource, caller)
  const condition = [...within, `pk = any($${values.push(keys)}::integer[])`].join(' and ')
  const rows = await tx.query<{ pk: number }>(
    `select pk from ${quote(getTableName(resource.table))} t where ${condition} order by pk ${FOR_CHANGE}`,
    values,
  )
  return new Set(rows.map(({ pk }) => pk))
}

/** DELETE: deletes an object. */
export async function remove(resource: Resource, pk: number, request: WriteRequest): Promise<void> {
  await translateErrors(resource, async () => {
    lockDeletion(resource, request.tx)
    await resource.locksFirst?.(request.tx, [pk], {})
    const { row } = await findRow(resource, pk, request, FOR_DELETION)
    const { tx, caller, exchange, body } = request
    const deletion = { ...request.services, tx, caller, exchange, row, body }
    await resource.beforeDelete?.(deletion)
    await request.tx.query(`delete from ${quote(getTableName(resource.table))} where pk = $1`, [pk])
    await resource.afterDelete?.(deletion, [row])
  })
}

/** DELETE on a list: deletes the objects named by `items`, narrowed by `filters` (field: value), in one transaction. */
export async function deleteMany(resource: Resource, request: WriteRequest): Promise<void> {
  const isStrict = request.services.config.wire.reportsDeleted
  const { items, filters } = isStrict ? readStrictSelection(request.body) : readBulkSelection(request.body)
  const { within, values } = buildAccessCondition(resource, request.caller)
  const conditions: string[] = []
  if (items !== undefined) {
    // only a key names an object: `true` is invalid, although it could be read as 1
    const pks = items.map((item) => (typeof item === 'string' && /^\d{1,10}$/.test(item) ? Number(item) : item))
    if (!pks.every((pk): pk is number => Number.isInteger(pk))) throw invalid({ items: [INVALID_BULK_ITEM] })
    conditions.push(`pk = any($${values.push(pks.filter((pk) => pk > 0 && pk <= 2_147_483_647))}::integer[])`)
  }
  const columns = getTableColumns(resource.table)
  for (const [name, value] of Object.entries(filters)) {
    const column = Object.hasOwn(resource.fields, name) && Object.hasOwn(columns, name) ? columns[name] : undefined
    if (!column) throw invalid({ filters: [invalidBulkFilter(name)] })
    const condition = buildBulkCondition(name, column.getSQLType(), value, request.services)
    conditions.push(condition.sql.replace('$1', `$${values.push(condition.value)}`))
  }
  if (conditions.length === 0) return
  await translateErrors(resource, async () => {
    const { tx, caller, exchange, services } = request
    let selection = `from ${quote(getTableName(resource.table))} t where ${[...within, ...conditions].join(' and ')}`
    lockDeletion(resource, tx)
    if (resource.locksFirst) {
      const pks = (await tx.query<{ pk: number }>(`select pk ${selection}`, values)).map(({ pk }) => pk)
      await resource.locksFirst(tx, pks, {})
      // rows that match only since the locks were taken are not locked, so they are excluded
      selection += ` and pk = any($${values.push(pks)}::integer[])`
    }
    const rows = await tx.query<Row>(`select ${listColumns(resource)} ${selection} order by pk ${FOR_DELETION}`, values)
    if (isStrict && rows.length < (items?.length ?? 0)) {
      const found = new Set(rows.map(({ pk }) => pk))
      const keys = (items as number[]).filter((key) => !found.has(key)).slice(0, 10)
      throw invalid({ non_field_errors: [requestErrors.unknown_bulk_items({ keys })] })
    }
    const context = { ...services, tx, caller, exchange, body: {}, isBulk: true }
    if (resource.beforeDeleteMany) await resource.beforeDeleteMany(context, rows)
    else if (resource.beforeDelete) for (const row of rows) await resource.beforeDelete({ ...context, row })
    await tx.query(`delete from ${quote(getTableName(resource.table))} where pk = any($1::integer[])`, [
      rows.map((row) => row.pk),
    ])
    if (rows.length > 0) await resource.afterDelete?.(context, rows)
  })
}

/** The objects of a DELETE on a list for clients of API 530: named by `items`, which must all exist. */
function readStrictSelection({ items, filters }: Record<string, unknown>): BulkSelection {
  if (filters != null) throw invalid({ non_field_errors: [requestErrors.bulk_filters_not_supported] })
  return { items: readBulkKeys(items, Number.POSITIVE_INFINITY), filters: {} }
}

const lockDeletion = ({ deletesExclusively }: Resource, tx: Tx): void =>
  deletesExclusively ? tx.lockExclusive() : tx.lockShared()

/** The condition on the rows that a caller can access, if it may not access all, and its values. */
function buildAccessCondition(resource: Resource, caller: Caller): { within: string[]; values: unknown[] } {
  const rowFilter = resource.rows?.(caller)
  if (!rowFilter) return { within: [], values: [] }
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const where = scope.expression(rowFilter.sql)
  const table = quote(getTableName(resource.table))
  return {
    within: [`pk in (select t.pk from ${table} t ${scope.joins} where ${where})`],
    values: parameterValues(parameters.names, callerValues(caller), rowFilter),
  }
}

type ReadMetadata = (text: string, values: unknown[]) => Promise<{ metadata: string | null }[]>

/** Returns the response with the metadata of an object, `null` if it has none. */
export const readMetadata = async (resource: Resource, pk: number, read: ReadMetadata): Promise<string> =>
  `{"metadata":${await readStoredMetadata(resource, pk, read)}}`

/** The stored metadata of an object as JSON text. */
async function readStoredMetadata(resource: Resource, pk: number, read: ReadMetadata): Promise<string> {
  const [row] = await read(`select metadata::text as metadata from ${quote(getTableName(resource.table))} where pk = $1`, [pk])
  if (!row) throw notFound()
  return row.metadata ?? 'null'
}

/** Replaces an object's metadata; a PATCH merges the top-level keys if the old and the new value are JSON objects. */
export async function writeMetadata(
  resource: Resource,
  pk: number,
  request: WriteRequest,
  metadata: Input<string>,
  partial: boolean,
): Promise<string> {
  return translateErrors(resource, async () => {
    request.tx.lockShared()
    await lockRow(resource, pk, request)
    const read: ReadMetadata = queryWithin(request.tx)
    const { values, errors } = readShape({ metadata }, request.body, { references: [], services: request.services }, { partial })
    if (Object.keys(errors).length) throw invalid(errors)
    if ('metadata' in values) {
      const newMetadata = (values.metadata as string | null) ?? 'null'
      const next = partial ? mergeMetadata(await readStoredMetadata(resource, pk, read), newMetadata) : newMetadata
      await request.tx.query(`update ${quote(getTableName(resource.table))} set metadata = $1 where pk = $2`, [next, pk])
    }
    return readMetadata(resource, pk, read)
  })
}

/** Merges metadata for PATCH; all values are JSON strings. */
function mergeMetadata(before: string, newMetadata: string): string {
  const [old, added] = [parseJson(before), parseJson(newMetadata)]
  return isObject(old) && isObject(added) ? JSON.stringify({ ...old, ...added }) : newMetadata
}

/** Converts database errors to errors for the client. */
export async function translateErrors<T>(resource: Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translateDatabaseError(error, resource.constraints)
  }
}

const readResponse = (resource: Resource, pk: number, request: WriteRequest) =>
  readDetail(resource, pk, request.flags, { ...request, executor: request.tx })

/** A table's columns by name: a prepared statement must not return other columns when a later version adds one. */
const listColumns = ({ table }: Resource, prefix = ''): string =>
  Object.values(getTableColumns(table))
    .map(({ name }) => prefix + quote(name))
    .join(', ')

type RowRequest = Pick<WriteRequest, 'tx' | 'caller' | 'ifMatch'>

/** Locks a row against every concurrent change; new rows may still refer to it. Throws 404, and 412 if If-Match names another version. */
export const lockRow = async (resource: Resource, pk: number, request: RowRequest): Promise<Row> =>
  (await findRow(resource, pk, request, FOR_CHANGE)).row

/**
 * Does the same, and in the same round trip returns the rows of further statements, which see the state after the row lock.
 * @returns the row, and the rows of each statement
 */
export async function lockRowAndRead(
  resource: Resource,
  pk: number,
  request: RowRequest,
  ...statements: readonly Statement[]
): Promise<[Row, ...QueryResultRow[][]]> {
  const [rows = [], ...otherResults] = await request.tx.pipeline(rowStatement(resource, pk, request, FOR_CHANGE), ...statements)
  return [requireRow(rows, request).row, ...otherResults]
}

const FOR_CHANGE = 'for no key update of t'
const FOR_DELETION = 'for update of t'

async function findRow(resource: Resource, pk: number, request: RowRequest, lock = ''): Promise<{ row: Row; version: string }> {
  const { text, values } = rowStatement(resource, pk, request, lock)
  return requireRow(await request.tx.query(text, values), request)
}

function rowStatement(resource: Resource, pk: number, request: RowRequest, lock: string) {
  const parameters = new Parameters()
  const scope = new Scope(resource.table, 't', parameters)
  const pkParameter = parameters.number('pk')
  const rowFilter = resource.rows?.(request.caller)
  const where = rowFilter ? ` and (${scope.expression(rowFilter.sql)})` : ''
  const values = parameterValues(parameters.names, { pk, ...callerValues(request.caller) }, rowFilter)
  const text = `select ${listColumns(resource, 't.')}, t.xmin::text as "version#" from ${quote(getTableName(resource.table))} t ${scope.joins} where t.pk = ${pkParameter}${where} ${lock}`
  return { text, values }
}

/** @throws Problem 404 if there is no row, 412 if If-Match names another version */
function requireRow([row]: readonly QueryResultRow[], request: RowRequest): { row: Row; version: string } {
  if (!row) throw notFound()
  const { 'version#': version, ...columns } = row as Row & { 'version#': string }
  checkVersion(version, request.ifMatch)
  return { row: columns as Row, version }
}

/** Throws 412 if an If-Match header is present and does not name this version. */
export function checkVersion(version: string, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(`"${version}"`)) throw new Problem('precondition_failed')
}

async function readWrite(
  resource: Resource,
  request: WriteRequest,
  before: Row | undefined,
  options: ReadOptions,
): Promise<Write> {
  const { write, reading } = readFields(resource, request, before, options)
  write.referred = await checkReferences(request.tx, reading)
  if (Object.keys(write.errors).length) throw invalid(renameErrors(resource, write))
  return write
}

/** The body with the names that its fields have here. */
function renameFields({ aliases }: Resource, body: Record<string, unknown>): Record<string, unknown> {
  if (!aliases) return body
  const renamed = { ...body }
  for (const [alias, name] of Object.entries(aliases)) if (alias in body && !(name in body)) renamed[name] = body[alias]
  return renamed
}

/** The errors of a write by the names that its client knows. */
function renameErrors({ aliases }: Resource, { errors, config }: Write): Errors {
  if (!aliases || !config.wire.extendedFields) return errors
  const names = new Map(Object.entries(aliases).map(([alias, name]) => [name, alias]))
  return Object.fromEntries(Object.entries(errors).map(([name, entry]) => [names.get(name) ?? name, entry]))
}

type ReadOptions = { partial?: boolean; defaults?: boolean }

/** Reads the fields of a body; their errors go to the errors of the write, as do those of its references later. */
export function readFields(
  resource: Resource,
  request: WriteRequest,
  before: Row | undefined,
  options: ReadOptions,
): { write: Write; reading: Reading } {
  const reading: Reading = { references: [], services: request.services, before }
  const shape = getShapeFor(resource, request.services)
  const { values, errors } = readShape(shape, renameFields(resource, request.body), reading, options)
  // PUT replaces: an omitted field gets the default of its column
  if (before && options.defaults) {
    for (const [name, field] of Object.entries(resource.fields)) {
      if (
        field.column &&
        field.input &&
        !field.input.required &&
        !field.isKeptOnPut &&
        values[name] === undefined &&
        !(name in errors)
      )
        values[name] = getDefault(field, request.services)
    }
  }
  const write: Write = {
    ...request.services,
    tx: request.tx,
    caller: request.caller,
    exchange: request.exchange,
    before,
    values,
    referred: {},
    hidden: {},
    errors,
    after: (name) =>
      values[name] !== undefined ? values[name] : (before?.[resource.fields[name]?.column?.name ?? name] ?? null),
  }
  return { write, reading }
}

/** Runs a check on a write. Throws 400 with the errors it finds. */
async function applyRules(resource: Resource, write: Write, rule: ((write: Write) => unknown) | undefined): Promise<void> {
  await rule?.(write)
  if (Object.keys(write.errors).length) throw invalid(renameErrors(resource, write))
}

/** The value of a field that a PUT omits; undefined if there is none, so that the field does not change. */
function getDefault(field: Field, services: Services): unknown {
  const inputDefault = field.input?.default
  if (inputDefault !== undefined) return resolveDefault(inputDefault, services)
  const { column } = field
  if (column?.default !== undefined && typeof column.default !== 'object') return column.default
  return column?.notNull === false ? null : undefined
}

/** The columns and values that a write stores. */
export function listStoredValues(resource: Resource, write: Write): [string, unknown][] {
  const fieldValues = Object.entries(resource.fields).flatMap(([name, field]): [string, unknown][] =>
    field.column && field.input && write.values[name] !== undefined ? [[field.column.name, write.values[name]]] : [],
  )
  return [...fieldValues, ...Object.entries(write.hidden)]
}

/** Inserts the row of a write in one plain statement; returns the new primary key. */
export async function insertRow(resource: Resource, write: Write): Promise<number> {
  const columns = listStoredValues(resource, write)
  const table = quote(getTableName(resource.table))
  const names = columns.map(([name]) => name)
  const row = await write.tx.first<{ pk: number }>(
    `${buildInsert(table, names, (index) => `$${index + 1}`)} returning pk`,
    columns.map(([, value]) => value),
  )
  if (!row) throw new Error('the insert returned no row')
  return row.pk
}

/** Updates only the columns that differ from the previous row: naming a column fires its triggers and takes their locks, whatever its value. */
async function updateRow(resource: Resource, write: Write, pk: number): Promise<void> {
  const columns = listStoredValues(resource, write).filter(([name, value]) => write.before?.[name] !== value)
  if (columns.length === 0) return
  const sets = columns.map(([name], index) => `${quote(name)} = $${index + 2}`).join(', ')
  await write.tx.query(`update ${quote(getTableName(resource.table))} set ${sets} where pk = $1`, [
    pk,
    ...columns.map(([, value]) => value),
  ])
}
