import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/** Keeps the sessions of rows of a table from being deleted: a deletion locks a session before its rows, so others do as well. */
export const lockSessions =
  (table: 'import_column_mapping' | 'import_row') =>
  async (tx: Tx, pks: readonly number[]): Promise<void> => {
    await tx.query(
      `select from import_session where pk in (select session from ${quote(table)} where pk = any($1::integer[])) order by pk for key share`,
      [pks],
    )
  }
