import type { Client, Pool } from 'pg'
import { withMigrationLock } from '../../database/migrate.ts'
import { toBarcodeColumns } from './barcode-hash.ts'
import { type BarcodeKind, kinds } from './kinds.ts'

/** Builds a select of the objects of these kinds that have a code, with its hash and key. */
const selectCodes = (ofKinds: readonly BarcodeKind[]): string =>
  ofKinds
    .map(
      ({ key, table }) =>
        `select ${kinds.findIndex((kind) => kind.key === key)} as place, '${key}' as kind, pk, barcode_hash as hash,
           coalesce(nullif(barcode_key, ''), barcode_hash) as key
         from ${table} where barcode_hash <> ''`,
    )
    .join(' union all ')

/**
 * Builds a statement that inserts the codes of objects of these kinds into `linked_code`. A code that several objects have goes to the first in
 * the order of the kinds, and within one kind to the oldest. Existing owners keep their code.
 */
export const insertCodes = (ofKinds: readonly BarcodeKind[]): string =>
  `insert into linked_code (hash, key, kind, object)
   select hash, key, kind, pk from (${selectCodes(ofKinds)}) object order by place, pk on conflict do nothing`

/** Builds a select of the objects of these kinds whose code does not lead to them: `model`, `pk`, `problem` with the result of a scan, and `place`. */
export const selectMisdirectedCodes = (ofKinds: readonly BarcodeKind[]): string =>
  `select object.place, object.kind as model, object.pk, coalesce(
       (select format('a scan of its barcode %s finds %s %s', object.hash, other.kind, other.object)
        from linked_code other where other.hash = object.hash or other.key = object.key
        order by other.hash = object.hash desc limit 1),
       format('a scan of its barcode %s finds nothing until it is linked again', object.hash)) as problem
   from (${selectCodes(ofKinds)}) object
   left join linked_code link on link.hash = object.hash and link.kind = object.kind and link.object = object.pk
   where link.hash is null`

/** Number of codes decoded at a time. */
const BATCH_SIZE = 5_000

/**
 * Decodes all codes, and rebuilds their links, if an update has left any without a key: because it predates keys, or because this
 * version decodes more than the previous one. Otherwise it only checks.
 */
export async function decodeCodes(pool: Pool): Promise<void> {
  await withMigrationLock(pool, async (client) => {
    const { rowCount } = await client.query('select from linked_code where key is null limit 1')
    if (!rowCount) return
    await client.query('begin; lock table linked_code in exclusive mode')
    for (const { table } of kinds) await decodeTable(client, table)
    await client.query(`delete from linked_code; ${insertCodes(kinds)}; commit`)
  })
}

async function decodeTable(client: Client, table: string): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const { rows }: { rows: { pk: number; text: string }[] } = await client.query(
      `select pk, barcode_data as text from ${table} where barcode_hash <> '' and pk > $1 order by pk limit ${BATCH_SIZE}`,
      [last],
    )
    const decoded = rows.map(({ pk, text }) => ({ pk, key: toBarcodeColumns(text).barcode_key }))
    await client.query(
      `update ${table} object set barcode_key = decoded.key
       from json_to_recordset($1::json) decoded (pk integer, key text) where object.pk = decoded.pk and object.barcode_key <> decoded.key`,
      [JSON.stringify(decoded)],
    )
    last = rows.at(-1)?.pk
  }
}
