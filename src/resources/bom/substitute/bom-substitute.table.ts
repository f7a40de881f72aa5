import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { metadata, primaryKey, reference } from '../../../kit/sql/columns.ts'
import { part } from '../../part/part.table.ts'
import { bomItem } from '../bom-item.table.ts'

/** A substitute: a part that may be used in place of the component of a line. */
export const bomSubstitute = pgTable(
  'bom_item_substitute',
  {
    pk: primaryKey(),
    bom_item: reference(() => bomItem.pk, 'cascade').notNull(),
    part: reference(() => part.pk, 'cascade').notNull(),
    metadata: metadata(),
  },
  (table) => [
    unique('bom_item_substitute_bom_item_part_key').on(table.bom_item, table.part),
    index('bom_item_substitute_part_idx').on(table.part),
  ],
)
