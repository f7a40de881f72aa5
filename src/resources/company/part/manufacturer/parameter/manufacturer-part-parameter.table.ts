import { foreignKey, integer, pgTable, unique } from 'drizzle-orm/pg-core'
import { createOrderIndexes, primaryKey, varchar } from '../../../../../kit/sql/columns.ts'
import { manufacturerPart } from '../manufacturer-part.table.ts'

/** A property of a manufacturer part, such as its voltage, as text. */
export const manufacturerPartParameter = pgTable(
  'manufacturer_part_parameter',
  {
    pk: primaryKey(),
    manufacturer_part: integer().notNull(),
    name: varchar(500).notNull(),
    value: varchar(500).notNull(),
    units: varchar(64),
  },
  (table) => [
    ...createOrderIndexes('manufacturer_part_parameter', table.pk, table.name, table.value, table.units),
    // Named by hand, because Drizzle's generated name exceeds the limit of PostgreSQL.
    foreignKey({
      name: 'manufacturer_part_parameter_manufacturer_part_fk',
      columns: [table.manufacturer_part],
      foreignColumns: [manufacturerPart.pk],
    }).onDelete('cascade'),
    unique('manufacturer_part_parameter_manufacturer_part_name_key').on(table.manufacturer_part, table.name),
  ],
)
