import type { PoolClient } from 'pg'
import { OperatorError } from '../../operator-error.ts'
import type { Dump, IndexedRecord } from '../reading/dump.ts'
import { InvalidRecord } from '../reading/record.ts'
import { Problems } from '../report.ts'
import { getQuotedTable, kinds, type RecordKind } from './kinds.ts'
import type { ExistingCounts } from './presets.ts'

/**
 * Finds the kinds of a dump that the database already has: none in a fresh database, whose few rows are renumbered; in a database with
 * objects, the kinds whose tables are in use.
 * @throws OperatorError when the objects are not those of the dump, or the dump holds nothing else
 */
export async function countExistingRecords(client: PoolClient, dump: Dump): Promise<ExistingCounts> {
  const usedKinds: RecordKind[] = []
  for (const kind of kinds) if (await isUsed(client, kind)) usedKinds.push(kind)
  if (usedKinds.every(({ replaces }) => replaces !== undefined)) return new Map()

  const conflicts = new Problems()
  const existing = new Map<string, number>()
  for (const kind of usedKinds) existing.set(kind.model, await countPresentRecords(client, dump, kind, conflicts))
  if (conflicts.count > 0)
    throw new OperatorError(`${conflicts.describe().join('\n')}\nNothing was imported: the database has other objects.`)
  for (const kind of usedKinds) if (holdsOnlyOtherObjects(kind, dump, existing)) throw createInUseError(kind)
  const [firstUsed] = usedKinds.filter(({ replaces }) => replaces === undefined)
  if (firstUsed && !usedKinds.some(({ model, replaces }) => replaces === undefined && existing.get(model)))
    throw createInUseError(firstUsed)
  if (kinds.every(({ model }) => dump.count(model) === 0 || existing.has(model)))
    throw new OperatorError(
      'nothing was imported: the database already has objects of every kind in this dump. It may have been imported before.',
    )
  return existing
}

/** Whether a table is in use and holds none of the objects that the dump has for it. */
const holdsOnlyOtherObjects = ({ model, identifiedBy }: RecordKind, dump: Dump, existing: ExistingCounts): boolean =>
  identifiedBy !== undefined && dump.count(model) > 0 && existing.get(model) === 0

const createInUseError = (kind: RecordKind): OperatorError =>
  new OperatorError(
    `nothing was imported: ${getQuotedTable(kind)} already has rows, and none of them comes from this dump. A dump requires an empty database, or the one that it was imported into before.`,
  )

async function isUsed(client: PoolClient, kind: RecordKind): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(`select exists (select from ${getQuotedTable(kind)}) used`)
  return rows[0]?.used === true
}

/** Counts the records of a kind that exist in the database. Reports a record whose key belongs to another object as a conflict. */
async function countPresentRecords(client: PoolClient, dump: Dump, kind: RecordKind, conflicts: Problems): Promise<number> {
  const { model, identifiedBy = [] } = kind
  if (dump.count(model) === 0) return 0
  const columns = ['pk', ...identifiedBy].map((name) => `"${name}"`).join(', ')
  const roots = identifiedBy.includes('part') ? await readRootParts(client) : new Map()
  let present = 0
  for await (const records of dump.records(model)) {
    const { rows } = await client.query<{ pk: number }>(`select ${columns} from ${getQuotedTable(kind)} where pk = any($1)`, [
      records.map(({ pk }) => pk),
    ])
    const objectsByKey = new Map<number, Record<string, unknown>>(rows.map((row) => [row.pk, row]))
    for (const record of records) {
      const object = objectsByKey.get(record.pk)
      if (!object) continue
      present++
      const reason = describeDifference(kind, record, object, roots)
      if (reason !== undefined) conflicts.add({ line: record.line, record, reason })
    }
  }
  return present
}

/** Maps each variant to the part at the root of its tree. */
async function readRootParts(client: PoolClient): Promise<Map<unknown, number>> {
  const { rows } = await client.query<{ pk: number; root: number }>(
    'select pk, path[1] as root from part where variant_of is not null',
  )
  return new Map(rows.map(({ pk, root }) => [pk, root]))
}

/** Describes how an object differs from a record in its identifying columns. All other columns may have changed. */
function describeDifference(
  kind: RecordKind,
  record: IndexedRecord,
  object: Record<string, unknown>,
  roots: ReadonlyMap<unknown, number>,
): string | undefined {
  const values = { ...record.fields, ...readIdentifyingValues(kind, record) }
  const isGiven = (name: string) => values[name] !== undefined && values[name] !== null && values[name] !== ''
  const identifyingFields = (kind.identifiedBy ?? []).filter(isGiven)
  // a stock item may have been converted to another variant
  const toComparable = (name: string, value: unknown) => String(name === 'part' ? (roots.get(value) ?? value) : value)
  if (
    identifyingFields.length === 0 ||
    identifyingFields.some((name) => toComparable(name, values[name]) === toComparable(name, object[name]))
  )
    return undefined
  const formatFields = (fields: Record<string, unknown>) =>
    identifyingFields.map((name) => `${name} ${JSON.stringify(fields[name])}`).join(', ')
  return `its key belongs to another object, with ${formatFields(object)} instead of ${formatFields(values)}`
}

/** Identifying values of a record. A record that cannot become a row was not loaded before. */
function readIdentifyingValues(kind: RecordKind, record: IndexedRecord): Record<string, unknown> | undefined {
  try {
    return kind.values?.(record)
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
  }
}
