import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { primaryKey, text, varchar } from '../../../kit/sql/columns.ts'

/** A file that templates include by its name, such as a logo. */
export const reportAsset = pgTable(
  'report_asset',
  {
    pk: primaryKey(),
    /** A path below the media folder, or a URL as entered. */
    asset: text().notNull(),
    /** File name of the upload, by which templates find it; null for a URL. */
    filename: varchar(255),
    description: varchar(250).notNull(),
  },
  (table) => [unique('report_asset_filename_key').on(table.filename), index('report_asset_asset_idx').using('hash', table.asset)],
)
