import { getTableColumns, getTableName } from 'drizzle-orm'
import type { Resource } from '../../kit/definition/resource.ts'
import { runList } from '../../kit/reading/list.ts'
import { allFlags } from '../../kit/reading/objects.ts'
import type { Services } from '../../kit/services/services.ts'
import { quote } from '../../kit/sql/sql.ts'
import { parseJson } from '../../kit/values/json.ts'
import { sampleCaller } from '../../resources/callers.ts'
import { resources } from '../../resources/index.ts'
import { type Kind, kinds, NOT_IMPORTED_YET, tagModels, unsupportedReason } from '../loading/kinds.ts'
import type { Dump, IndexedRecord } from '../reading/dump.ts'
import { changeOf, isEmptyValue, omissionReason } from './changes.ts'
import { isSame } from './same.ts'

/** The result for one kind of record in a dump. */
export type KindComparison = {
  model: string
  /** Records in the dump, those of them that exist, and how many more exist. */
  read: number
  found: number
  more: number
  /** Number of values compared. */
  compared: number
  /** Number of intentionally changed values by reason. */
  changed: Map<string, number>
  /** Descriptions of damage; the first of them. */
  damage: string[]
  damages: number
}

/** Maximum number of damage descriptions; the rest is only counted. */
const MAX_LISTED_DAMAGES = 20

/** A caller who may see everything. */
const superuserCaller = sampleCaller({ pk: 0, isStaff: true, isSuperuser: true })

/** Compares a dump with the responses of the service, kind by kind. Nothing may change during that. */
export async function compareDump(dump: Dump, services: Services): Promise<KindComparison[]> {
  const verdicts: KindComparison[] = []
  for (const kind of kinds) if (dump.count(kind.model) > 0) verdicts.push(await compareKind(kind, dump, services))
  const supportedModels = new Set([...kinds.map(({ model }) => model), ...tagModels])
  for (const model of dump.models()) {
    if (supportedModels.has(model)) continue
    const verdict = verdictOf(model, dump.count(model))
    const why = unsupportedReason(model)
    if (why === NOT_IMPORTED_YET) addDamage(verdict, 'no record of this kind is imported yet')
    else verdict.changed.set(`no record of this kind is imported: ${why}`, verdict.read)
    verdicts.push(verdict)
  }
  return verdicts
}

const verdictOf = (model: string, read: number): KindComparison => ({
  model,
  read,
  found: 0,
  more: 0,
  compared: 0,
  changed: new Map(),
  damage: [],
  damages: 0,
})

async function compareKind(kind: Kind, dump: Dump, services: Services): Promise<KindComparison> {
  const verdict = verdictOf(kind.model, dump.count(kind.model))
  const resource = resources.find(({ table, rows }) => table === kind.table && !rows)
  for await (const records of dump.records(kind.model)) {
    const keys = records.map(({ pk }) => pk)
    const [response, stored] = await Promise.all([readResponses(resource, keys, services), storedRows(kind, keys, services)])
    for (const record of records) {
      const row = stored.get(record.pk)
      if (!row || (resource && !response.has(record.pk))) {
        addDamage(verdict, `${record.pk} is missing`)
        continue
      }
      verdict.found++
      compareRecord(verdict, kind, record, { response: response.get(record.pk) ?? {}, row, resource }, dump)
    }
  }
  const [{ count } = { count: 0 }] = await services.database.read<{ count: number }>({
    text: `select count(*)::integer as count from ${quote(getTableName(kind.table))}`,
  })
  verdict.more = Math.max(count - verdict.found, 0)
  // a fresh database has rows of this kind of its own
  if (verdict.more > 0 && !kind.replaces) addDamage(verdict, `${verdict.more} more exist than in the dump`)
  return verdict
}

function addDamage(verdict: KindComparison, text: string): void {
  verdict.damages++
  if (verdict.damage.length < MAX_LISTED_DAMAGES) verdict.damage.push(text)
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
      flags: new Set([...allFlags(resource)].filter((flag) => !/_detail$/.test(flag))),
      window: { limit: keys.length, offset: 0 },
    },
    superuserCaller,
    services,
  )
  return new Map((parseJson(rows) as (Object & { pk: number })[]).map((object) => [object.pk, object]))
}

/** Database rows by key, for kinds that no list shows. */
async function storedRows(kind: Kind, keys: number[], services: Services): Promise<Map<number, Object>> {
  const rows = await services.database.read<{ pk: number; row: Object }>({
    text: `select pk, to_jsonb(t) as row from ${quote(getTableName(kind.table))} t where pk = any($1::integer[])`,
    values: [keys],
  })
  return new Map(rows.map(({ pk, row }) => [pk, row]))
}

type StoredRecord = { response: Object; row: Object; resource: Resource | undefined }

function compareRecord(
  verdict: KindComparison,
  kind: Kind,
  record: IndexedRecord,
  { response, row, resource }: StoredRecord,
  dump: Dump,
): void {
  const columns = getTableColumns(kind.table)
  for (const [name, dumpValue] of Object.entries(record.fields)) {
    const candidates = valuesOf(kind, name, { response, row, resource })
    if (candidates.length === 0) {
      const why = kind.model === 'auth.user' && name === 'groups' ? undefined : omissionReason(kind.model, name)
      if (why !== undefined) countChange(verdict, name, why)
      else if (name === 'groups') compareGroups(verdict, record, response, dump)
      else if (!isEmptyValue(dumpValue)) addDamage(verdict, `${record.pk} ${name}: ${JSON.stringify(dumpValue)} is not stored`)
      continue
    }
    verdict.compared++
    const isThere = candidates.some(({ column, value }) =>
      isSame(keyOf(dump, column, dumpValue), value, columns[column]?.getSQLType()),
    )
    if (isThere) continue
    const [{ column, value }] = candidates as [Candidate]
    const isDefaulted = isEmptyValue(dumpValue) && columns[column]?.notNull && columns[column].hasDefault
    const why = isDefaulted ? 'null where a value is needed is its default' : changeOf(kind.model, name, dumpValue, value)
    if (why === undefined) addDamage(verdict, `${record.pk} ${name}: ${JSON.stringify(dumpValue)} is ${JSON.stringify(value)}`)
    else countChange(verdict, name, why)
  }
}

type Candidate = { column: string; value: unknown }

/** Values to compare with a field of the dump: from the list if it shows the field, else from the row; several if the field fills several columns. */
function valuesOf({ fieldNames = {} }: Kind, name: string, { response, row, resource }: StoredRecord): Candidate[] {
  const renamed = Object.entries(fieldNames).flatMap(([column, field]) => (field === name ? [column] : []))
  return [...renamed, name].flatMap((column) => {
    if (Object.hasOwn(response, column) && resource?.fields[column]?.column) return [{ column, value: response[column] }]
    return Object.hasOwn(row, column) ? [{ column, value: row[column] }] : []
  })
}

const countChange = ({ changed }: KindComparison, name: string, why: string): void => {
  const line = `${name}: ${why}`
  changed.set(line, (changed.get(line) ?? 0) + 1)
}

/** Compares the groups of an account. */
function compareGroups(verdict: KindComparison, record: IndexedRecord, response: Object, dump: Dump): void {
  verdict.compared++
  const dumpValue = dump.relations.groupsOf(record).toSorted()
  const candidates = ((response.groups ?? []) as { pk: number }[]).map(({ pk }) => pk).toSorted()
  if (dumpValue.join() !== candidates.join())
    addDamage(verdict, `${record.pk} groups: ${dumpValue.join(', ')} are ${candidates.join(', ')}`)
}

/** The key of the account or group that a record names. */
function keyOf(dump: Dump, column: string, dumpValue: unknown): unknown {
  if (!Array.isArray(dumpValue) || column === 'tags') return dumpValue
  try {
    return dump.relations.keyOf(column, dumpValue)
  } catch {
    return dumpValue
  }
}
