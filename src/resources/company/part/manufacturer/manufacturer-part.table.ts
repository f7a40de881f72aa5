import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import {
  barcode,
  createOrderIndexes,
  metadata,
  notes,
  primaryKey,
  reference,
  tags,
  urlColumn,
  varchar,
} from '../../../../kit/sql/columns.ts'
import { part } from '../../../part/part.table.ts'
import { company } from '../../company.table.ts'

/** A part as a manufacturer makes it. */
export const manufacturerPart = pgTable(
  'manufacturer_part',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    manufacturer: reference(() => company.pk, 'cascade').notNull(),
    /** The manufacturer's part number. */
    MPN: varchar(100),
    description: varchar(250),
    link: urlColumn(),
    notes: notes(),
    ...barcode(),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    unique('manufacturer_part_part_manufacturer_MPN_key').on(table.part, table.manufacturer, table.MPN),
    index('manufacturer_part_manufacturer_idx').on(table.manufacturer),
    index('manufacturer_part_MPN_idx').on(table.MPN),
    // labels match regardless of case
    index('manufacturer_part_upper_MPN_idx').on(sql`upper(${table.MPN})`),
    index('manufacturer_part_tags_idx').using('gin', table.tags),
    ...createOrderIndexes('manufacturer_part', table.pk, table.description, table.barcode_hash),
  ],
)
