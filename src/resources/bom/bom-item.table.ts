import { sql } from 'drizzle-orm'
import { check, index, numeric, pgTable } from 'drizzle-orm/pg-core'
import {
  createOrderIndexes,
  flag,
  metadata,
  primaryKey,
  quantity,
  reference,
  text,
  varchar,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { part } from '../part/part.table.ts'

/** A BOM line: the quantity of a component that one unit of an assembly needs. Triggers reject a line that makes an assembly contain itself. */
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
    /** The quantity as it was entered, with its unit, such as `500 mg`; null if it was entered as a number. */
    entered_quantity: varchar(25),
    /** Positions in the assembly, such as R1, R2. */
    reference: varcharNotNull(5000),
    note: varcharNotNull(500),
    /** Loss when it is built: a number for each build order, or a share, as `5 %`. `bom_required()` reads it, and what follows. */
    overage: varcharNotNull(24),
    /** Taken once for each build order, in units of the component: what setting up a machine uses. */
    setup_quantity: quantity().notNull().default('0'),
    /** Loss, as a percentage of what is used. */
    attrition: numeric({ precision: 6, scale: 3 }).notNull().default('0'),
    /** The required quantity of a build order is rounded up to a multiple of it; null for no rounding. */
    rounding_multiple: quantity(),
    optional: flag(false),
    consumable: flag(false),
    /** The line also belongs to all variants below the assembly. */
    inherited: flag(false),
    allow_variants: flag(false),
    /** The digest of the line when it was last validated; empty if it never was, or no longer is. */
    checksum: varcharNotNull(128),
    /** Digest of the line's current contents, equal to the checksum while the line is valid. */
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
    ...createOrderIndexes(
      'bom_item',
      table.pk,
      table.allow_variants,
      table.inherited,
      table.optional,
      table.consumable,
      table.quantity,
    ),
    check('bom_item_quantity_check', sql`${table.quantity} >= 0`),
    check('bom_item_setup_quantity_check', sql`${table.setup_quantity} >= 0`),
    check('bom_item_attrition_check', sql`${table.attrition} between 0 and 100`),
    check('bom_item_rounding_multiple_check', sql`${table.rounding_multiple} > 0`),
    check('bom_item_parts_check', sql`${table.part} <> ${table.sub_part}`),
  ],
)
