import { getTableName } from 'drizzle-orm'
import type { PendingReference, Reading, ReferredColumns } from '../definition/input.ts'
import { unknownReference } from '../request/errors.ts'
import { Parameters, quote, Scope } from '../sql/sql.ts'
import { getStatementName } from '../sql/statement.ts'
import type { Tx } from '../sql/tx.ts'

/**
 * Looks up every reference of a body in one statement, and reports those that do not exist or are not allowed; then runs the checks that
 * its values require.
 * @returns by field, the requested columns of the objects found
 */
export async function checkReferences(tx: Tx, reading: Reading): Promise<ReferredColumns> {
  const [referred = {}] = await checkAllReferences(tx, [reading])
  return referred
}

/** Does the same for several bodies, still in one statement, and returns the objects found for each. */
export async function checkAllReferences(tx: Tx, readings: readonly Reading[]): Promise<ReferredColumns[]> {
  const objects = await findReferencedObjects(
    tx,
    readings.flatMap(({ references }) => references),
  )
  const referred = readings.map(({ references }) => resolveReferences(references, objects))
  for (const { checks = [] } of readings) for (const check of checks) await check(tx)
  return referred
}

/** Does the same for references without checks, which need no transaction. */
export const lookUpReferences = async (
  executor: Pick<Tx, 'queryAsText'>,
  references: readonly PendingReference[],
): Promise<ReferredColumns> => resolveReferences(references, await findReferencedObjects(executor, references))

/** The requested columns of the object of each reference; a reference without an object is absent. */
type ReferencedObjects = ReadonlyMap<PendingReference, { extraColumns: Record<string, unknown> | null; isAllowed: boolean }>

/** Looks up references in one statement. */
async function findReferencedObjects(
  executor: Pick<Tx, 'queryAsText'>,
  references: readonly PendingReference[],
): Promise<ReferencedObjects> {
  if (references.length === 0) return new Map()
  const groups = new Map<string, { sql: string; pks: Set<number>; entries: PendingReference[] }>()
  for (const reference of references) {
    const key = `${getTableName(reference.table)} ${reference.only?.where ?? ''} ${reference.extraColumns ?? ''}`
    const group = groups.get(key) ?? { sql: buildLookupSql(reference), pks: new Set(), entries: [] }
    group.pks.add(reference.pk)
    group.entries.push(reference)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const text = all.map((group, index) => group.sql.replace('$1', `$${index + 1}`).replace('#', String(index))).join(' union all ')
  const rows = await executor.queryAsText({ text, values: all.map((group) => [...group.pks]), name: getStatementName(text) })
  const objects = new Map(
    rows.map(([index, pk, extraColumns, allowed]) => [
      `${index} ${pk}`,
      { extraColumns: extraColumns ? JSON.parse(extraColumns) : null, isAllowed: allowed === 't' },
    ]),
  )
  return new Map(
    all.flatMap(({ entries }, index) =>
      entries.flatMap((entry) => {
        const object = objects.get(`${index} ${entry.pk}`)
        return object ? [[entry, object] as const] : []
      }),
    ),
  )
}

/** Reports the references of a body that were not found, and returns the columns of the others. */
function resolveReferences(references: readonly PendingReference[], objects: ReferencedObjects): ReferredColumns {
  const referred: ReferredColumns = {}
  for (const entry of references) {
    const object = objects.get(entry)
    if (!object) entry.fail([unknownReference(entry.pk)])
    else if (entry.only && !object.isAllowed) entry.fail([entry.only.error])
    else if (object.extraColumns && entry.name) referred[entry.name] = object.extraColumns
  }
  return referred
}

function buildLookupSql(reference: PendingReference): string {
  const scope = new Scope(reference.table, 'r', new Parameters())
  const allowed = reference.only ? `(${scope.expression(reference.only.where)}) is true` : 'true'
  const extraColumns = reference.extraColumns?.map((name) => `'${name}', r.${quote(name)}`).join(', ')
  return `select # as index, r.pk, ${extraColumns ? `json_build_object(${extraColumns})` : 'null::json'} as extra_columns, ${allowed} as allowed from ${quote(getTableName(reference.table))} r ${scope.joins} where r.pk = any($1::integer[])`
}
