import { index, numeric, pgTable, unique } from 'drizzle-orm/pg-core'
import { filledVarchar, metadata, primaryKey, reference } from '../../../kit/sql/columns.ts'
import { part } from '../part.table.ts'
import { parameterTemplate } from './template/parameter-template.table.ts'

/** The value of a parameter of a part. */
export const partParameter = pgTable(
  'part_parameter',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    template: reference(() => parameterTemplate.pk, 'cascade').notNull(),
    /** The value as entered. Empty if a category added the parameter without a value. */
    data: filledVarchar(500),
    /** The value as a number in the units of the template; null if it is not numeric. */
    data_numeric: numeric(),
    metadata: metadata(),
  },
  (table) => [
    unique('part_parameter_part_template_key').on(table.part, table.template),
    index('part_parameter_template_data_numeric_idx').on(table.template, table.data_numeric),
    index('part_parameter_template_data_idx').on(table.template, table.data),
    index('part_parameter_by_data_idx').on(table.data_numeric, table.data, table.pk),
  ],
)
