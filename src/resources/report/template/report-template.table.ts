import { pgTable } from 'drizzle-orm/pg-core'
import { flag, varchar } from '../../../kit/sql/columns.ts'
import { templateColumns, templateIndexes } from '../../printing/template.columns.ts'

/** Templates of reports, of all kinds of objects. */
export const reportTemplate = pgTable(
  'report_template',
  {
    ...templateColumns(),
    description: varchar(250).notNull(),
    page_size: varchar(20).notNull().default('A4'),
    landscape: flag(false),
    /** Pattern for the name of the printed file. */
    filename_pattern: varchar(100).notNull().default('report.pdf'),
    /** Whether it prints all objects in one document, as `instances`. */
    merge: flag(false),
    /** For stock items: whether to include the items installed in the item. */
    include_installed: flag(false),
  },
  (table) => templateIndexes('report_template', table),
)
