import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { quote } from '../../kit/sql/sql.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { lineColumns } from './order.columns.ts'
import { type HeaderKind, hasPrices, tableName } from './order-kind.ts'

/**
 * Copies the lines, the other charges or both of one order to another. Copied lines keep the fields that every line has and those in
 * `kind.lines.copied`; other charges keep all fields.
 */
export async function duplicateLines(
  tx: Tx,
  kind: HeaderKind,
  source: number,
  target: number,
  { lines, extraLines }: { lines: boolean; extraLines: boolean },
): Promise<void> {
  if (lines) await copyLines(tx, kind.lines.table, [...SHARED_COLUMNS, ...kind.lines.copied], source, target)
  if (extraLines && hasPrices(kind))
    await copyLines(tx, kind.extraLines, listCopied(getTableColumns(kind.extraLines)), source, target)
}

/** The names of columns that are copied: not keys, and not computed ones. */
const listCopied = (columns: object): string[] =>
  Object.keys(columns).filter((column) => !['pk', 'order', 'line_int'].includes(column))

const SHARED_COLUMNS = listCopied(lineColumns(() => undefined as never))

function copyLines(tx: Tx, lines: PgTable, columns: readonly string[], source: number, target: number) {
  const names = columns.map(quote).join(', ')
  return tx.query(
    `insert into ${tableName(lines)} ("order", ${names})
     select $2, ${names} from ${tableName(lines)} where "order" = $1 order by line_int, line, pk`,
    [source, target],
  )
}
