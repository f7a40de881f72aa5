import type { Resource } from '../definition/resource.ts'
import { quote } from '../sql/sql.ts'
import { parseReferencedKey } from '../values/json.ts'

/**
 * A resource's `locksFirst` that locks the objects to which its rows refer, and those that a body names: the written values depend on them.
 * A change or deletion of such an object locks the rows after the object, too.
 * @param rows the table of the resource
 * @param column its column that refers to `referred`
 */
export const lockReferred =
  (rows: string, column: string, referred: string): Required<Resource>['locksFirst'] =>
  (tx, pks, body) =>
    tx.query(
      `select from ${quote(referred)} where pk in (
         select ${quote(column)} from ${quote(rows)} where pk = any($1::integer[]) union all select $2::integer
       ) order by pk for share`,
      [pks, parseReferencedKey(body[column])],
    )
