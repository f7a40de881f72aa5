import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../../kit/sql/tx.ts'
import { parseReferencedKey } from '../../kit/values/json.ts'
import { type HeaderKind, tableName } from './order-kind.ts'

/**
 * Locks the orders of these lines or extra lines, and the order that a body names, in the order of their keys. Writers of an order's lines
 * serialize on the order's row: code that creates or locks a line has locked its order first, so that its status cannot change concurrently.
 */
export const createOrderLock =
  (kind: HeaderKind, lines: PgTable) =>
  (tx: Tx, pks: readonly number[], body: { order?: unknown }): Promise<unknown> =>
    tx.query(
      `select from ${tableName(kind.table)}
       where pk in (select "order" from ${tableName(lines)} where pk = any($1::integer[]) union all select $2::integer)
       order by pk for no key update`,
      [pks, parseReferencedKey(body.order)],
    )
