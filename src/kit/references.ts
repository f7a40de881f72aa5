import { getTableName } from 'drizzle-orm'
import { texts } from './errors.ts'
import type { PendingReference, Reading } from './input.ts'
import { Parameters, quote, Scope } from './sql.ts'
import type { Tx } from './tx.ts'

/**
 * Looks up every reference of a body in one statement, and reports those that do not exist or are not allowed; then carries
 * out the checks that its values asked for.
 */
export async function checkReferences(tx: Tx, { references, checks = [] }: Reading): Promise<void> {
  if (references.length) await lookUp(tx, references)
  for (const check of checks) await check(tx)
}

async function lookUp(tx: Tx, references: readonly PendingReference[]): Promise<void> {
  const groups = new Map<string, { sql: string; pks: Set<number>; entries: PendingReference[] }>()
  for (const reference of references) {
    const key = `${getTableName(reference.table)} ${reference.where ?? ''}`
    const group = groups.get(key) ?? { sql: lookup(reference), pks: new Set(), entries: [] }
    group.pks.add(reference.pk)
    group.entries.push(reference)
    groups.set(key, group)
  }
  const all = [...groups.values()]
  const text = all.map((group, at) => group.sql.replace('$1', `$${at + 1}`).replace('#', String(at))).join(' union all ')
  const rows = await tx.query<{ at: number; pk: number }>(
    text,
    all.map((group) => [...group.pks]),
  )
  const found = new Set(rows.map((row) => `${row.at} ${row.pk}`))
  for (const [at, group] of all.entries()) {
    for (const entry of group.entries) if (!found.has(`${at} ${entry.pk}`)) entry.fail([texts.reference(entry.pk)])
  }
}

function lookup(reference: PendingReference): string {
  const scope = new Scope(reference.table, 'r', new Parameters())
  const where = reference.where ? ` and (${scope.expression(reference.where)})` : ''
  return `select # as at, r.pk from ${quote(getTableName(reference.table))} r ${scope.joins} where r.pk = any($1::integer[])${where}`
}
