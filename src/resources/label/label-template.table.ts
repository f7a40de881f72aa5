import { sql } from 'drizzle-orm'
import { index, numeric, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, text, textArray, varchar } from '../../kit/sql/columns.ts'

/** A side of a label, in millimetres. */
const millimetres = () => numeric({ precision: 7, scale: 3 })

/** The templates of one kind of label. */
const labels = (name: string) =>
  pgTable(
    name,
    {
      pk: primaryKey(),
      name: varchar(100).notNull(),
      description: varchar(250),
      /** The template: a path below the media folder, or an address that is kept as it was given. */
      label: text().notNull(),
      /** Which objects it fits: `src/printing/filters.ts`. */
      filters: filledVarchar(250),
      enabled: flag(true),
      width: millimetres().notNull().default('50'),
      height: millimetres().notNull().default('20'),
      /** What the name of the file is made of that is printed. */
      filename_pattern: varchar(100).notNull().default('label.pdf'),
      /** What keeps the template from being printed: tags and filters that there are not. */
      problems: textArray().notNull().default(sql`'{}'`),
      metadata: metadata(),
    },
    (table) => [index(`${name}_label_idx`).using('hash', table.label)],
  )

export type LabelTable = ReturnType<typeof labels>

export const partLabel = labels('part_label')
export const stockItemLabel = labels('stock_item_label')
export const stockLocationLabel = labels('stock_location_label')
export const buildLineLabel = labels('build_line_label')
