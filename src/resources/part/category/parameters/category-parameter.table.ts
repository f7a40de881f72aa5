import { foreignKey, index, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { metadata, primaryKey, reference, varcharNotNull } from '../../../../kit/sql/columns.ts'
import { parameterTemplate } from '../../../parameter/template/parameter-template.table.ts'
import { partCategory } from '../part-category.table.ts'

/** A parameter that new parts of a category get, with its default value. */
export const categoryParameter = pgTable(
  'part_category_parameter_template',
  {
    pk: primaryKey(),
    category: reference(() => partCategory.pk, 'cascade').notNull(),
    parameter_template: integer().notNull(),
    default_value: varcharNotNull(500),
    metadata: metadata(),
  },
  (table) => [
    // Named explicitly, because the name that Drizzle generates is longer than PostgreSQL allows.
    foreignKey({
      name: 'part_category_parameter_template_parameter_template_fk',
      columns: [table.parameter_template],
      foreignColumns: [parameterTemplate.pk],
    }).onDelete('cascade'),
    unique('part_category_parameter_template_category_template_key').on(table.category, table.parameter_template),
    index('part_category_parameter_template_parameter_template_idx').on(table.parameter_template),
  ],
)
