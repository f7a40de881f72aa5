import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { createOrderIndexes, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { bomItem } from '../../bom/bom-item.table.ts'
import { part } from '../../part/part.table.ts'
import { buildOrder } from '../build.table.ts'

/** A component's quantity in a build order. Triggers create a line for each BOM line, and update it while the build order is active. */
export const buildLine = pgTable(
  'build_line',
  {
    pk: primaryKey(),
    build: reference(() => buildOrder.pk, 'cascade').notNull(),
    bom_item: reference(() => bomItem.pk, 'cascade').notNull(),
    /** The component of `bom_item`, maintained by a trigger; clients do not write it. */
    part: reference(() => part.pk, 'cascade').notNull(),
    /** In units of the component, including loss. */
    quantity: quantity().notNull().default('1'),
    /** The part of it that the build order has consumed, or installed in its outputs. */
    consumed: quantity().notNull().default('0'),
  },
  (table) => [
    unique('build_line_build_bom_item_key').on(table.build, table.bom_item),
    index('build_line_bom_item_idx').on(table.bom_item),
    index('build_line_part_idx').on(table.part),
    ...createOrderIndexes('build_line', table.pk, table.quantity, table.consumed),
    check('build_line_quantity_check', sql`${table.quantity} >= 0`),
    check('build_line_consumed_check', sql`${table.consumed} >= 0`),
  ],
)
