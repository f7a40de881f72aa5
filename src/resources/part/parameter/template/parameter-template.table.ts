import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, primaryKey, varchar } from '../../../../kit/sql/columns.ts'

/** A property that parts may have, such as their resistance: what it is called, and what values it takes. */
export const parameterTemplate = pgTable(
  'part_parameter_template',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    /** The unit of the values. Empty: texts, or plain numbers. */
    units: filledVarchar(25),
    description: filledVarchar(250),
    /** The values are yes and no. */
    checkbox: flag(false),
    /** The values that may be chosen, separated by commas. Empty: any. */
    choices: filledVarchar(5000),
    /** The numbers of the values were worked out by an earlier version, which read some differently; the next start does so again. */
    numbers_outdated: flag(false),
    metadata: metadata(),
  },
  (table) => [uniqueIndex('part_parameter_template_name_key').on(sql`lower(${table.name})`)],
)
