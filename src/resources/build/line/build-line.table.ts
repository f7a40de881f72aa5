import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { orderedBy, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { bomItem } from '../../bom/bom-item.table.ts'
import { part } from '../../part/part.table.ts'
import { buildOrder } from '../build.table.ts'

/**
 * How much of a component a build order takes. Triggers make a line for each line of the bill of materials, and follow it while the
 * build order is worked on.
 */
export const buildLine = pgTable(
  'build_line',
  {
    pk: primaryKey(),
    build: reference(() => buildOrder.pk, 'cascade').notNull(),
    bom_item: reference(() => bomItem.pk, 'cascade').notNull(),
    /** The component that `bom_item` names. A trigger keeps it. No client writes it. */
    part: reference(() => part.pk, 'cascade').notNull(),
    /** In units of the component, with what is lost. */
    quantity: quantity().notNull().default('1'),
  },
  (table) => [
    unique('build_line_build_bom_item_key').on(table.build, table.bom_item),
    index('build_line_bom_item_idx').on(table.bom_item),
    index('build_line_part_idx').on(table.part),
    ...orderedBy('build_line', table.pk, table.quantity),
    check('build_line_quantity_check', sql`${table.quantity} >= 0`),
  ],
)
