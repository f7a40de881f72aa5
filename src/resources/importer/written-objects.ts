import { getTableName } from 'drizzle-orm'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { getImportShape, type ImportModel } from './import-models.ts'

/** Fields that the service itself sets when other objects change. */
const DERIVED = new Set(['validated'])

/** The SQL of a digest of the columns that users write, of a row `t`. */
function buildDigest(model: ImportModel): string {
  const { fields } = model.resource
  const columns = Object.keys(getImportShape(model)).flatMap((name) => {
    const column = DERIVED.has(name) ? undefined : fields[name]?.column
    return column ? [`t.${quote(column.name)}`] : []
  })
  return `md5(jsonb_build_array(${columns.join(', ')})::text)`
}

/**
 * The SQL of a digest of an object as it is, so that a later change of it is noticed.
 * @param key the SQL of its key
 */
export const digestSql = (model: ImportModel, key: string): string =>
  `(select ${buildDigest(model)} from ${quote(getTableName(model.resource.table))} t where t.pk = ${key})`

/** The digests of objects as they are now, by key; those that do not exist are missing. */
export async function readDigests(tx: Tx, model: ImportModel, keys: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await tx.query<{ pk: number; digest: string }>(
    `select t.pk, ${buildDigest(model)} as digest from ${quote(getTableName(model.resource.table))} t where t.pk = any($1::integer[])`,
    [keys],
  )
  return new Map(rows.map(({ pk, digest }) => [pk, digest]))
}
