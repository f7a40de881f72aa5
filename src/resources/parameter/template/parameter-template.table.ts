import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { flag, metadata, primaryKey, reference, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { selectionList } from '../../selection/selection-list.table.ts'

/** A property that parts and other objects may have, such as their resistance: its name, and its allowed values. */
export const parameterTemplate = pgTable(
  'parameter_template',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    /** The unit of the values; empty for text and plain numbers. */
    units: varcharNotNull(25),
    description: varcharNotNull(250),
    /** The kind of object that has it, as `part.part`; null for any. */
    model_type: varchar(50),
    /** Whether the values are yes and no. */
    checkbox: flag(false),
    /** Allowed values, separated by commas; empty for any. */
    choices: varcharNotNull(5000),
    /** The list whose active entries are the allowed values, instead of `choices`. */
    selectionlist: reference(() => selectionList.pk, 'set null'),
    /** Whether objects can get it. Existing parameters remain. */
    enabled: flag(true),
    /** Whether values are unique: 0 no, 1 among objects of one kind, 2 among all. */
    unique: integer().notNull().default(0),
    /** Whether an earlier version computed the numbers of the values, and read some differently; the next start recomputes them. */
    numbers_outdated: flag(false),
    metadata: metadata(),
  },
  (table) => [
    uniqueIndex('parameter_template_name_key').on(sql`lower(${table.name})`),
    index('parameter_template_selectionlist_idx').on(table.selectionlist).where(sql`${table.selectionlist} is not null`),
    check('parameter_template_unique_check', sql`${table.unique} between 0 and 2`),
  ],
)
