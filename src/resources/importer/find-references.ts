import { getTableName } from 'drizzle-orm'
import type { Body, WriteRequest } from '../../kit/definition/resource.ts'
import type { Caller } from '../../kit/request/caller.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { ErrorMessage } from '../../kit/values/message.ts'
import { type CreatedReference, createReference } from './create-references.ts'
import type { ImportFields } from './import-fields.ts'
import { importerErrors } from './importer-errors.ts'
import { buildNameStatement, findNamedObjects } from './object-names.ts'
import type { Mapping } from './row-values.ts'

/** A key given as a text: as it is written in exports. */
const KEY = /^\d{1,9}$/

/**
 * Replaces the texts by which rows name other objects by the keys of these: in the columns of references, the key of an object, or one of
 * the values that identify its kind, such as the IPN or the name of a part. The most specific that is found counts. All rows are looked up
 * together; bodies are changed. Where the mapping says so, objects that do not exist are created.
 * @returns the errors of each row, and the objects that were created because it names them
 */
export async function replaceReferences(
  context: Omit<WriteRequest, 'body' | 'ifMatch'>,
  fields: ImportFields,
  mappings: readonly Mapping[],
  bodies: readonly Body[],
): Promise<{ errors: Errors[]; created: CreatedReference[][] }> {
  const { tx, caller } = context
  const errors: Errors[] = bodies.map(() => ({}))
  const created: CreatedReference[][] = bodies.map(() => [])
  const byField = new Map(mappings.map((mapping) => [mapping.field, mapping]))
  for (const [name, { type, model }] of Object.entries(fields)) {
    if (type !== 'related field') continue
    const texts = new Set(bodies.flatMap(({ [name]: value }) => (typeof value === 'string' ? [value.trim()] : [])))
    if (texts.size === 0) continue
    const mapping = byField.get(name)
    const keys = new Map(await findKeys(tx, caller, model, [...texts], mapping?.lookup_field ?? null))
    // names that differ in case only are one object
    const byName = new Map<string, Exclude<Awaited<ReturnType<typeof createReference>>, ErrorMessage>>()
    for (const [index, body] of bodies.entries()) {
      const value = body[name]
      if (typeof value !== 'string') continue
      const text = value.trim()
      if (mapping?.create_missing && !keys.has(text)) {
        const result =
          byName.get(text.toLowerCase()) ??
          (await createReference(context, { field: name, model: String(model), name: text, row: body }))
        if (!ErrorMessage.is(result)) byName.set(text.toLowerCase(), result)
        keys.set(text, ErrorMessage.is(result) ? result : result.pk)
      }
      created[index]?.push(...(byName.get(text.toLowerCase())?.created ?? []))
      replaceText(body, name, value, keys.get(text), errors[index] as Errors)
    }
  }
  await replaceSubjects(context, fields, bodies, errors)
  return { errors, created }
}

/** Replaces the text of a field by the key that was found for it, or removes it and adds the error. */
function replaceText(body: Body, field: string, text: string, found: number | ErrorMessage | undefined, errors: Errors): void {
  if (typeof found === 'number') body[field] = found
  else {
    errors[field] = [found ?? importerErrors.import_reference_not_found({ value: text.slice(0, 200) })]
    delete body[field]
  }
}

/** Replaces the names of the objects that parameters belong to, of any kind, by their keys. */
async function replaceSubjects(
  { tx, caller }: Pick<WriteRequest, 'tx' | 'caller'>,
  { model_type, model_id }: ImportFields,
  bodies: readonly Body[],
  errors: readonly Errors[],
): Promise<void> {
  if (!model_type || !model_id) return
  const named = [...bodies.entries()].filter(([, { model_id: name }]) => typeof name === 'string' && !KEY.test(name.trim()))
  for (const [model, rows] of Map.groupBy(named, ([, body]) => String(body.model_type).split('.').at(-1))) {
    const texts = new Set(rows.map(([, body]) => String(body.model_id).trim()))
    const keys = await findKeys(tx, caller, model, [...texts], null)
    for (const [index, body] of rows) {
      const text = String(body.model_id).trim()
      replaceText(body, 'model_id', text, keys.get(text), errors[index] as Errors)
    }
  }
}

/** The key of the object for each text, or the error when there are several. */
async function findKeys(
  tx: Tx,
  caller: Caller,
  model: unknown,
  texts: readonly string[],
  lookup: string | null,
): Promise<ReadonlyMap<string, number | ErrorMessage>> {
  const objects = findNamedObjects(model)
  const found = new Map<string, Set<number>>(texts.map((text) => [text, new Set()]))
  // names are for those who may read the objects; a key is checked like that of a request
  const names = objects?.access(caller, 'view') ? objects.names.filter((name) => lookup === null || lookup === name) : []
  const open = new Set(texts)
  for (const name of names) {
    if (!objects || open.size === 0) break
    const rows = await tx.query<{ text: string; pk: number; is_exact: boolean }>(buildNameStatement(objects, name), [[...open]])
    const exact = new Set(rows.flatMap(({ text, is_exact }) => (is_exact ? [text] : [])))
    for (const { text, pk, is_exact } of rows) if (is_exact || !exact.has(text)) found.get(text)?.add(pk)
    // what a more specific column names is not looked for in the next one
    for (const { text } of rows) open.delete(text)
  }
  if (lookup === null || lookup === 'pk') {
    const keys = texts.filter((text) => KEY.test(text))
    const isKey = objects ? new Set(await findExisting(tx, getTableName(objects.table), keys)) : undefined
    for (const key of keys) if (isKey === undefined || isKey.has(Number(key))) found.get(key)?.add(Number(key))
  }
  return new Map(
    [...found].flatMap(([text, pks]): [string, number | ErrorMessage][] =>
      pks.size === 0
        ? []
        : pks.size === 1
          ? [[text, [...pks][0] as number]]
          : [[text, importerErrors.import_reference_ambiguous({ value: text.slice(0, 200) })]],
    ),
  )
}

const findExisting = async (tx: Tx, table: string, keys: readonly string[]): Promise<number[]> => {
  if (keys.length === 0) return []
  const rows = await tx.query<{ pk: number }>(`select pk from ${quote(table)} where pk = any($1::integer[])`, [keys.map(Number)])
  return rows.map(({ pk }) => pk)
}
