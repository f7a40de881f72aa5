import { getTableName } from 'drizzle-orm'
import type { PendingReference, Reading, Referred } from '../definition/input.ts'
import { texts } from '../request/errors.ts'
import { Parameters, quote, Scope } from '../sql/sql.ts'
import { nameOf } from '../sql/statement.ts'
import type { Tx } from '../sql/tx.ts'

/**
 * Looks up every reference of a body in one statement, and reports those that do not exist or are not allowed; then carries
 * out the checks that its values asked for.
 * @returns by field, the columns to keep of the objects that were found
 */
export async function checkReferences(tx: Tx, { references, checks = [] }: Reading): Promise<Referred> {
  const referred = await lookUpReferences(tx, references)
  for (const check of checks) await check(tx)
  return referred
}

/** The same where there are no checks, for which a transaction is not needed. */
export async function lookUpReferences(through: Pick<Tx, 'texts'>, references: readonly PendingReference[]): Promise<Referred> {
  if (references.length === 0) return {}
  const groups = new Map<string, { sql: string; pks: Set<number>; entries: PendingReference[] }>()
  for (const reference of references) {
    const key = `${getTableName(reference.table)} ${reference.where ?? ''} ${reference.keep ?? ''}`
    const group = groups.get(key) ?? { sql: lookup(reference), pks: new Set(), entries: [] }
    group.pks.add(reference.pk)
    group.entries.push(reference)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const text = all.map((group, at) => group.sql.replace('$1', `$${at + 1}`).replace('#', String(at))).join(' union all ')
  const rows = await through.texts({ text, values: all.map((group) => [...group.pks]), name: nameOf(text) })
  const found = new Map(rows.map(([at, pk, kept]) => [`${at} ${pk}`, kept ? JSON.parse(kept) : null]))
  const referred: Referred = {}
  for (const [at, group] of all.entries()) {
    for (const entry of group.entries) {
      const kept = found.get(`${at} ${entry.pk}`)
      if (kept === undefined) entry.fail([texts.reference(entry.pk)])
      else if (kept && entry.name) referred[entry.name] = kept
    }
  }
  return referred
}

function lookup(reference: PendingReference): string {
  const scope = new Scope(reference.table, 'r', new Parameters())
  const where = reference.where ? ` and (${scope.expression(reference.where)})` : ''
  const kept = reference.keep?.map((name) => `'${name}', r.${quote(name)}`).join(', ')
  return `select # as at, r.pk, ${kept ? `json_build_object(${kept})` : 'null::json'} as kept from ${quote(getTableName(reference.table))} r ${scope.joins} where r.pk = any($1::integer[])${where}`
}
