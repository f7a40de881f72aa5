import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, metadata, primaryKey, reference, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { part } from '../part.table.ts'

/** A test that stock of a part, and of its variants, must pass. */
export const testTemplate = pgTable(
  'part_test_template',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    test_name: varchar(100).notNull(),
    /** Key that identifies the test's results: the letters and digits of its name. Unique among a template and its variants. */
    key: varchar(100).notNull(),
    description: varchar(100),
    enabled: flag(true),
    required: flag(true),
    requires_value: flag(false),
    requires_attachment: flag(false),
    /** Allowed values, separated by commas; empty for any. */
    choices: varcharNotNull(5000),
    metadata: metadata(),
  },
  (table) => [
    unique('part_test_template_part_key_key').on(table.part, table.key),
    index('part_test_template_test_name_idx').on(table.test_name, table.pk),
  ],
)
