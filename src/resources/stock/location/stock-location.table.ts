import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  barcode,
  flag,
  metadata,
  primaryKey,
  reference,
  tags,
  textArray,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { owner } from '../../user/owner/owner.table.ts'
import { stockLocationType } from '../location-type/stock-location-type.table.ts'

/** A stock location in the tree. `path`, `level`, `pathstring` and `name_path` are maintained by a trigger. */
export const stockLocation = pgTable(
  'stock_location',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    description: varcharNotNull(250),
    parent: reference((): AnyPgColumn => stockLocation.pk, 'set null'),
    location_type: reference(() => stockLocationType.pk, 'set null'),
    owner: reference(() => owner.pk, 'set null'),
    /** Overrides the icon of the type. */
    custom_icon: varcharNotNull(100),
    /** Whether it holds only locations, and no stock. */
    structural: flag(false),
    /** Whether it is outside the workshop: its stock counts in `external_stock`. */
    external: flag(false),
    ...barcode(),
    tags: tags(),
    metadata: metadata(),
    /** Keys from the root down to the location itself. */
    path: integer().array().notNull().default(sql`'{}'`),
    /** Number of locations above it. */
    level: integer().notNull().default(0),
    /** Names from the root down, for display: joined by "/", shortened in the middle beyond 250 characters. */
    pathstring: varchar(250).notNull().default(''),
    /** Names from the root down. Sorting by this lists a tree depth-first. */
    name_path: textArray().notNull().default(sql`'{}'`),
  },
  (table) => [
    unique('stock_location_parent_name_key').on(table.parent, table.name),
    uniqueIndex('stock_location_root_name_key').on(table.name).where(sql`${table.parent} is null`),
    index('stock_location_location_type_idx').on(table.location_type),
    index('stock_location_owner_idx').on(table.owner),
    index('stock_location_path_idx').using('gin', table.path),
    index('stock_location_tags_idx').using('gin', table.tags),
  ],
)
