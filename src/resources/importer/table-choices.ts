import type { Separator } from '../../spreadsheets/delimited-text.ts'
import type { TableChoices } from '../../spreadsheets/read-table.ts'
import type { Encoding } from '../../spreadsheets/text-encoding.ts'
import type { SessionRow } from './import-rows.ts'

/** How the file of a session is read. */
export const getTableChoices = ({ sheet, heading_row, separator, encoding }: SessionRow): TableChoices => ({
  sheet: sheet ?? undefined,
  headingRow: heading_row,
  separator: (separator ?? undefined) as Separator | undefined,
  encoding: (encoding ?? undefined) as Encoding | undefined,
})
