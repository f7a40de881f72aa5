import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, varchar } from '../../../../kit/sql/columns.ts'

/** A property that parts may have, such as their resistance: its name, and its allowed values. */
export const parameterTemplate = pgTable(
  'part_parameter_template',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    /** The unit of the values; empty for text and plain numbers. */
    units: filledVarchar(25),
    description: filledVarchar(250),
    /** Whether the values are yes and no. */
    checkbox: flag(false),
    /** Allowed values, separated by commas; empty for any. */
    choices: filledVarchar(5000),
    /** Whether an earlier version computed the numbers of the values, and read some differently; the next start recomputes them. */
    numbers_outdated: flag(false),
    metadata: metadata(),
  },
  (table) => [uniqueIndex('part_parameter_template_name_key').on(sql`lower(${table.name})`)],
)
