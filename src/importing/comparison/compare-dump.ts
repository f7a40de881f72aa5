import { getTableColumns, getTableName } from 'drizzle-orm'
import type { Resource } from '../../kit/definition/resource.ts'
import { runList } from '../../kit/reading/list.ts'
import { getAllFlags } from '../../kit/reading/select.ts'
import type { Services } from '../../kit/services/services.ts'
import { quote } from '../../kit/sql/sql.ts'
import { parseJson } from '../../kit/values/json.ts'
import { createSampleCaller } from '../../resources/callers.ts'
import { explainUnsupported, findResource, kinds, NOT_IMPORTED_YET, type RecordKind, tagModels } from '../loading/kinds.ts'
import type { Dump, IndexedRecord } from '../reading/dump.ts'
import { isEmptyValue } from '../reading/record.ts'
import { findChangeReason, findOmissionReason } from './changes.ts'
import { isSame } from './same.ts'

/** The result for one kind of record in a dump. */
export type KindComparison = {
  model: string
  /** Number of records in the dump, of those found in the database, and of rows in the database that are not in the dump. */
  read: number
  found: number
  extraCount: number
  /** Number of values compared. */
  compared: number
  /** Number of intentionally changed values by reason. */
  changed: Map<string, number>
  /** Descriptions of damage, up to a maximum, and the number of all of them. */
  damage: string[]
  damageCount: number
}

/** Maximum number of damage descriptions; the rest is only counted. */
const MAX_LISTED_DAMAGES = 20

/** A caller who may see everything. */
const superuserCaller = createSampleCaller({ pk: 0, isStaff: true, isSuperuser: true })

/** Compares a dump with the responses of the service, kind by kind. Nothing may change during that. */
export async function compareDump(dump: Dump, services: Services): Promise<KindComparison[]> {
  const comparisons: KindComparison[] = []
  for (const kind of kinds) if (dump.count(kind.model) > 0) comparisons.push(await compareKind(kind, dump, services))
  const supportedModels = new Set([...kinds.map(({ model }) => model), ...tagModels])
  for (const model of dump.models()) {
    if (supportedModels.has(model)) continue
    const comparison = createComparison(model, dump.count(model))
    const reason = explainUnsupported(model)
    if (reason === NOT_IMPORTED_YET) addDamage(comparison, 'no record of this kind is imported yet')
    else comparison.changed.set(`no record of this kind is imported: ${reason}`, comparison.read)
    comparisons.push(comparison)
  }
  return comparisons
}

const createComparison = (model: string, read: number): KindComparison => ({
  model,
  read,
  found: 0,
  extraCount: 0,
  compared: 0,
  changed: new Map(),
  damage: [],
  damageCount: 0,
})

/** Whether the import left a record out because its object does not exist. An object that it lost is reported itself. */
async function isOrphan(kind: RecordKind, record: IndexedRecord, { database }: Services): Promise<boolean> {
  if (!kind.findOwner) return false
  const { table, pk } = kind.findOwner({ ...record.fields, ...kind.values?.(record) })
  const owners = await database.read({ text: `select from ${quote(table)} where pk = $1`, values: [pk] })
  return owners.length === 0
}

async function compareKind(kind: RecordKind, dump: Dump, services: Services): Promise<KindComparison> {
  const comparison = createComparison(kind.model, dump.count(kind.model))
  const resource = findResource(kind)
  for await (const records of dump.records(kind.model)) {
    const keys = records.map(({ pk }) => pk)
    const [response, stored] = await Promise.all([readResponses(resource, keys, services), readStoredRows(kind, keys, services)])
    for (const record of records) {
      const row = stored.get(record.pk)
      if (!row || (resource && !response.has(record.pk))) {
        if (await isOrphan(kind, record, services)) countChange(comparison, 'record', 'its object does not exist')
        else addDamage(comparison, `${record.pk} is missing`)
        continue
      }
      comparison.found++
      compareRecord(comparison, kind, record, { response: response.get(record.pk) ?? {}, row, resource }, dump)
    }
  }
  const [{ count } = { count: 0 }] = await services.database.read<{ count: number }>({
    text: `select count(*)::integer as count from ${quote(getTableName(kind.table))}`,
  })
  comparison.extraCount = Math.max(count - comparison.found, 0)
  // a fresh database already has rows of some kinds
  if (comparison.extraCount > 0 && !kind.replaces && !kind.addsRows)
    addDamage(comparison, `${comparison.extraCount} more exist than in the dump`)
  return comparison
}

function addDamage(comparison: KindComparison, text: string): void {
  comparison.damageCount++
  if (comparison.damage.length < MAX_LISTED_DAMAGES) comparison.damage.push(text)
}

type Object = Record<string, unknown>

/** Objects by key as the resource's list returns them. */
async function readResponses(resource: Resource | undefined, keys: number[], services: Services): Promise<Map<number, Object>> {
  if (!resource) return new Map()
  const { rows } = await runList(
    resource,
    {
      query: {},
      conditions: [{ sql: '{pk} = any({@value}::integer[])', values: [keys] }],
      references: [],
      order: ['{pk} asc'],
      flags: new Set([...getAllFlags(resource)].filter((flag) => !/_detail$/.test(flag))),
      window: { limit: keys.length, offset: 0 },
    },
    superuserCaller,
    services,
  )
  // some objects name their key `id`
  return new Map((parseJson(rows) as (Object & { pk?: number; id: number })[]).map((object) => [object.pk ?? object.id, object]))
}

/** Database rows by key, for kinds that no list shows. */
async function readStoredRows(kind: RecordKind, keys: number[], services: Services): Promise<Map<number, Object>> {
  const rows = await services.database.read<{ pk: number; row: Object }>({
    text: `select pk, to_jsonb(t) as row from ${quote(getTableName(kind.table))} t where pk = any($1::integer[])`,
    values: [keys],
  })
  return new Map(rows.map(({ pk, row }) => [pk, row]))
}

type StoredRecord = { response: Object; row: Object; resource: Resource | undefined }

function compareRecord(
  comparison: KindComparison,
  kind: RecordKind,
  record: IndexedRecord,
  { response, row, resource }: StoredRecord,
  dump: Dump,
): void {
  const columns = getTableColumns(kind.table)
  for (const [name, dumpValue] of Object.entries(record.fields)) {
    const candidates = listCandidates(kind, name, { response, row, resource })
    if (candidates.length === 0) {
      const reason = kind.model === 'auth.user' && name === 'groups' ? undefined : findOmissionReason(kind.model, name)
      if (reason !== undefined) countChange(comparison, name, reason)
      else if (name === 'groups') compareGroups(comparison, record, response, dump)
      else if (!isEmptyValue(dumpValue)) addDamage(comparison, `${record.pk} ${name}: ${JSON.stringify(dumpValue)} is not stored`)
      continue
    }
    comparison.compared++
    const isStored = candidates.some(({ column, value }) =>
      isSame(resolveKey(dump, column, dumpValue), value, columns[column]?.getSQLType()),
    )
    if (isStored) continue
    const [{ column, value }] = candidates as [Candidate]
    const hasDefaultValue = isEmptyValue(dumpValue) && columns[column]?.notNull && columns[column].hasDefault
    const reason = hasDefaultValue
      ? 'null where a value is needed is its default'
      : findChangeReason(kind.model, name, dumpValue, value)
    if (reason === undefined)
      addDamage(comparison, `${record.pk} ${name}: ${JSON.stringify(dumpValue)} is ${JSON.stringify(value)}`)
    else countChange(comparison, name, reason)
  }
}

type Candidate = { column: string; value: unknown }

/** Values to compare with a field of the dump: from the list if it shows the field, else from the row; several if the field fills several columns. */
function listCandidates(kind: RecordKind, name: string, { response, row, resource }: StoredRecord): Candidate[] {
  const fieldNames = { ...kind.fieldNamesOfOtherReleases, ...kind.fieldNames }
  const renamed = Object.entries(fieldNames).flatMap(([column, field]) => (field === name ? [column] : []))
  return [...renamed, name].flatMap((column) => {
    // a reference may be shown as the object
    const isShown = Object.hasOwn(response, column) && resource?.fields[column]?.column && !resource.fields[column].nested
    if (isShown) return [{ column, value: response[column] }]
    return Object.hasOwn(row, column) ? [{ column, value: row[column] }] : []
  })
}

const countChange = ({ changed }: KindComparison, name: string, reason: string): void => {
  const line = `${name}: ${reason}`
  changed.set(line, (changed.get(line) ?? 0) + 1)
}

/** Compares the groups of an account. */
function compareGroups(comparison: KindComparison, record: IndexedRecord, response: Object, dump: Dump): void {
  comparison.compared++
  const dumpValue = dump.relations.getGroupKeys(record).toSorted()
  const candidates = ((response.groups ?? []) as { pk: number }[]).map(({ pk }) => pk).toSorted()
  if (dumpValue.join() !== candidates.join())
    addDamage(comparison, `${record.pk} groups: ${dumpValue.join(', ')} are ${candidates.join(', ')}`)
}

/** The key of the account or group that a record names. */
function resolveKey(dump: Dump, column: string, dumpValue: unknown): unknown {
  if (!Array.isArray(dumpValue) || column === 'tags') return dumpValue
  try {
    return dump.relations.resolveKey(column, dumpValue)
  } catch {
    return dumpValue
  }
}
