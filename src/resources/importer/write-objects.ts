import type { Body, WriteRequest } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { invalid, Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { parseJson } from '../../kit/values/json.ts'
import { createEach, isAboutObject } from '../../kit/writing/bulk-create.ts'
import { update } from '../../kit/writing/write.ts'
import { isSameValue } from './compare-values.ts'
import type { ImportFields } from './import-fields.ts'
import { canUpdate, createObject, type ImportModel } from './import-models.ts'
import { importerErrors } from './importer-errors.ts'

/** An object to write: a new one, or a change of the one with this key. */
export type ObjectWrite = { key: number | undefined; body: Body }

/** A written object, with the former values of the fields that the row changed; null for a new object. */
export type Written = { key: number; previous: Body | null }

type Context = Omit<WriteRequest, 'body' | 'ifMatch'>

/** Maximum number of objects that one transaction writes: those of types created in few statements, and others. */
const BULK_ROWS = 500
const OTHER_ROWS = 50

/** Whether new objects of a type are created in few statements. Plugins review each object before anything is locked. */
const createsInBulk = ({ resource, listUniqueValues }: ImportModel, services: Context['services']): boolean =>
  listUniqueValues !== undefined && !resource.reviewWrites?.(services)

/** Maximum number of rows that one transaction writes. */
export const getBatchSize = (model: ImportModel, services: Context['services'], updates: boolean): number =>
  model.resource.reviewWrites?.(services) ? 1 : createsInBulk(model, services) && !updates ? BULK_ROWS : OTHER_ROWS

/** Takes the lock of all writes: exclusively if the rows of a file, in their order, lock objects out of order. */
export function lockWrites(tx: Tx, model: ImportModel, services: Context['services'], updates: boolean, count: number): void {
  if (count > 1 && (updates || !createsInBulk(model, services))) tx.lockExclusive()
  else tx.lockShared()
}

/**
 * Writes objects as the POST or PATCH of each would, in their order. A rejected one changes nothing, and the others are written.
 * @returns what was written of each, or why it was rejected
 */
export async function writeObjects(
  model: ImportModel,
  context: Context,
  fields: ImportFields,
  writes: readonly ObjectWrite[],
): Promise<(Written | Problem)[]> {
  const { tx, services } = context
  const isBulk = createsInBulk(model, services)
  lockWrites(
    tx,
    model,
    services,
    writes.some(({ key }) => key !== undefined),
    writes.length,
  )
  const results: (Written | Problem)[] = []
  for (let start = 0; start < writes.length; ) {
    const group = isBulk ? takeIndependent(model, writes, start) : []
    if (group.length > 1) {
      const keys = await createEach(model.resource, context, group)
      results.push(...keys.map((key) => (typeof key === 'number' ? { key, previous: null } : key)))
      start += group.length
    } else {
      results.push(await writeOne(model, context, fields, writes[start] as ObjectWrite))
      start++
    }
  }
  return results
}

/** The bodies of new objects from this position on, of which none has a value that must be unique in common with an earlier one. */
function takeIndependent({ listUniqueValues }: ImportModel, writes: readonly ObjectWrite[], start: number): Body[] {
  const used = new Set<string>()
  const bodies: Body[] = []
  for (const { key, body } of writes.slice(start, start + BULK_ROWS)) {
    const values = listUniqueValues?.(body) ?? []
    if (key !== undefined || values.some((value) => used.has(value))) break
    for (const value of values) used.add(value)
    bodies.push(body)
  }
  return bodies
}

async function writeOne(
  model: ImportModel,
  context: Context,
  fields: ImportFields,
  { key, body }: ObjectWrite,
): Promise<Written | Problem> {
  const { tx } = context
  try {
    return await tx.savepoint(async () => {
      const request = { ...context, body }
      const written =
        key === undefined
          ? { key: await createObject(model, request), previous: null }
          : await changeObject(model, request, fields, key)
      // a statement for the commit would fail for all rows
      await tx.flush()
      return written
    })
  } catch (error) {
    if (error instanceof Problem && isAboutObject(error)) return error
    throw error
  }
}

/** Changes the fields of an object that differ, as its PATCH does, and returns their former values. */
async function changeObject(model: ImportModel, request: WriteRequest, fields: ImportFields, key: number): Promise<Written> {
  const { resource } = model
  if (!canUpdate(model)) throw invalid({ non_field_errors: [importerErrors.import_type_not_updatable] })
  const { tx, caller, services, body } = request
  try {
    const flags = new Set(Object.keys(body).flatMap((name) => resource.fields[name]?.flag?.name ?? []))
    const before = await readDetail(resource, key, flags, { caller, services, executor: tx })
    const values = parseJson(before.body) as Body
    const changed = Object.fromEntries(
      Object.entries(body).filter(([name, value]) => !(name in values && isSameValue(fields[name], value, values[name]))),
    )
    if (Object.keys(changed).length === 0) return { key, previous: {} }
    await update(resource, key, { ...request, body: changed }, true)
    return {
      key,
      previous: Object.fromEntries(Object.keys(changed).flatMap((name) => (name in values ? [[name, values[name]]] : []))),
    }
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error
    throw invalid({ non_field_errors: [importerErrors.import_object_missing({ key: String(key) })] })
  }
}
