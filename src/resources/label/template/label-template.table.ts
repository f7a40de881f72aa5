import { numeric, pgTable } from 'drizzle-orm/pg-core'
import { varchar } from '../../../kit/sql/columns.ts'
import { templateColumns, templateIndexes } from '../../printing/template.columns.ts'

/** Length of a side, in millimetres. */
export const millimetres = () => numeric({ precision: 7, scale: 3 })

/** Templates of labels, of all kinds of objects. */
export const labelTemplate = pgTable(
  'label_template',
  {
    ...templateColumns(),
    description: varchar(250),
    width: millimetres().notNull().default('50'),
    height: millimetres().notNull().default('20'),
    /** Pattern for the name of the printed file. */
    filename_pattern: varchar(100).notNull().default('label.pdf'),
  },
  (table) => templateIndexes('label_template', table),
)
