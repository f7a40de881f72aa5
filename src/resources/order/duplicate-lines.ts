import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { lineColumns } from './order.columns.ts'
import { type OrderKind, tableName } from './order-kind.ts'

/**
 * Copies the lines, the other charges or both of one order to another. The copies start fresh: they keep the fields of their type of order,
 * and those that every line has. (The reference description of orders and stock, section 7.)
 */
export async function duplicateLines(
  tx: Tx,
  kind: OrderKind,
  from: number,
  to: number,
  { lines, extraLines }: { lines: boolean; extraLines: boolean },
): Promise<void> {
  if (lines) await copy(tx, kind.lines.table, [...SHARED, ...kind.lines.copied], from, to)
  if (extraLines) await copy(tx, kind.extraLines, Object.keys(getTableColumns(kind.extraLines)).filter(isCopied), from, to)
}

const isCopied = (column: string): boolean => column !== 'pk' && column !== 'order'

const SHARED = Object.keys(lineColumns(() => undefined as never)).filter(isCopied)

function copy(tx: Tx, lines: PgTable, columns: readonly string[], from: number, to: number) {
  const names = columns.map(quote).join(', ')
  return tx.query(
    `insert into ${tableName(lines)} ("order", ${names})
     select $2, ${names} from ${tableName(lines)} where "order" = $1 order by pk`,
    [from, to],
  )
}
