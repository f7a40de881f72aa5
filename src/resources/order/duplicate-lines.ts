import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { lineColumns } from './order.columns.ts'
import { type OrderKind, tableName } from './order-kind.ts'

/**
 * Copies the lines, the other charges or both of one order to another. Copied lines keep the fields that every line has and those in
 * `kind.lines.copied`; other charges keep all fields.
 */
export async function duplicateLines(
  tx: Tx,
  kind: OrderKind,
  source: number,
  target: number,
  { lines, extraLines }: { lines: boolean; extraLines: boolean },
): Promise<void> {
  if (lines) await copyLines(tx, kind.lines.table, [...SHARED_COLUMNS, ...kind.lines.copied], source, target)
  if (extraLines)
    await copyLines(tx, kind.extraLines, Object.keys(getTableColumns(kind.extraLines)).filter(isCopied), source, target)
}

const isCopied = (column: string): boolean => column !== 'pk' && column !== 'order'

const SHARED_COLUMNS = Object.keys(lineColumns(() => undefined as never)).filter(isCopied)

function copyLines(tx: Tx, lines: PgTable, columns: readonly string[], source: number, target: number) {
  const names = columns.map(quote).join(', ')
  return tx.query(
    `insert into ${tableName(lines)} ("order", ${names})
     select $2, ${names} from ${tableName(lines)} where "order" = $1 order by pk`,
    [source, target],
  )
}
