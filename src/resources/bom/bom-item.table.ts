import { sql } from 'drizzle-orm'
import { check, index, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, flag, metadata, orderedBy, primaryKey, quantity, reference, text } from '../../kit/sql/columns.ts'
import { part } from '../part/part.table.ts'

/**
 * A line of a bill of materials: so much of a component goes into one unit of an assembly. Triggers refuse a line by which an
 * assembly would contain itself.
 */
export const bomItem = pgTable(
  'bom_item',
  {
    pk: primaryKey(),
    /** The assembly. */
    part: reference(() => part.pk, 'cascade').notNull(),
    /** The component. */
    sub_part: reference(() => part.pk, 'cascade').notNull(),
    /** For one unit of the assembly, in units of the component. */
    quantity: quantity().notNull().default('1'),
    /** Where in the assembly it goes, such as R1, R2. */
    reference: filledVarchar(5000),
    note: filledVarchar(500),
    /** What is lost when it is built: a number for each build order, or a share, as `5 %`. `bom_required()` reads it. */
    overage: filledVarchar(24),
    optional: flag(false),
    consumable: flag(false),
    /** The line is one of all variants below the assembly too. */
    inherited: flag(false),
    allow_variants: flag(false),
    /** The digest of the line when it was last found valid; empty if it never was, or is not any more. */
    checksum: filledVarchar(128),
    /** What the line says, as it is now: the checksum that it has when it is valid. */
    digest: text()
      .notNull()
      .generatedAlwaysAs(
        sql`bom_line_digest(part, sub_part, quantity, reference, optional, inherited, consumable, allow_variants)`,
      ),
    metadata: metadata(),
  },
  (table) => [
    index('bom_item_part_idx').on(table.part),
    index('bom_item_sub_part_idx').on(table.sub_part),
    ...orderedBy('bom_item', table.pk, table.allow_variants, table.inherited, table.optional, table.consumable, table.quantity),
    check('bom_item_quantity_check', sql`${table.quantity} >= 0`),
    check('bom_item_parts_check', sql`${table.part} <> ${table.sub_part}`),
  ],
)
