import { sql } from 'drizzle-orm'
import { index, numeric, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, text, textArray, varchar } from '../../kit/sql/columns.ts'

/** Length of a side, in millimetres. */
const millimetres = () => numeric({ precision: 7, scale: 3 })

/** The templates of one type of label. */
const createLabelTable = (name: string) =>
  pgTable(
    name,
    {
      pk: primaryKey(),
      name: varchar(100).notNull(),
      description: varchar(250),
      /** The template: a path below the media folder, or a URL stored as given. */
      label: text().notNull(),
      /** The objects that it applies to: `src/resources/printing/filters.ts`. */
      filters: filledVarchar(250),
      enabled: flag(true),
      width: millimetres().notNull().default('50'),
      height: millimetres().notNull().default('20'),
      /** Pattern for the name of the printed file. */
      filename_pattern: varchar(100).notNull().default('label.pdf'),
      /** Errors that prevent printing: unknown tags and filters. */
      problems: textArray().notNull().default(sql`'{}'`),
      /** The shipped template that this one was before its file was changed: its path below the media folder. */
      shipped: text(),
      metadata: metadata(),
    },
    (table) => [index(`${name}_label_idx`).using('hash', table.label)],
  )

export type LabelTable = ReturnType<typeof createLabelTable>

/** Templates of part labels. */
export const partLabel = createLabelTable('part_label')
/** Templates of stock item labels. */
export const stockItemLabel = createLabelTable('stock_item_label')
/** Templates of location labels. */
export const stockLocationLabel = createLabelTable('stock_location_label')
/** Templates of build line labels. */
export const buildLineLabel = createLabelTable('build_line_label')
