import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  filledVarchar,
  flag,
  metadata,
  primaryKey,
  reference,
  textArray,
  varchar,
} from '../../../kit/sql/columns.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** A place in the tree by which parts are sorted. `path`, `level`, `pathstring` and `name_path` are kept by a trigger. */
export const partCategory = pgTable(
  'part_category',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    description: filledVarchar(250),
    parent: reference((): AnyPgColumn => partCategory.pk, 'set null'),
    /** Where parts of the category are stored if they do not say it themselves. */
    default_location: reference(() => stockLocation.pk, 'set null'),
    default_keywords: varchar(250),
    /** Holds categories, but no parts. */
    structural: flag(false),
    icon: filledVarchar(100),
    metadata: metadata(),
    /** Keys from the root down to the category itself. */
    path: integer().array().notNull().default(sql`'{}'`),
    /** Number of categories above it. */
    level: integer().notNull().default(0),
    /** Names from the root down, for people: joined by "/", shortened in the middle beyond 250 characters. */
    pathstring: varchar(250).notNull().default(''),
    /** Names from the root down. Ordered by this, a tree comes depth-first. */
    name_path: textArray().notNull().default(sql`'{}'`),
  },
  (table) => [
    unique('part_category_parent_name_key').on(table.parent, table.name),
    uniqueIndex('part_category_root_name_key').on(table.name).where(sql`${table.parent} is null`),
    index('part_category_default_location_idx').on(table.default_location),
    index('part_category_path_idx').using('gin', table.path),
  ],
)

/** Which account follows which category. */
export const partCategoryStar = pgTable(
  'part_category_star',
  {
    pk: primaryKey(),
    category: reference(() => partCategory.pk, 'cascade').notNull(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
  },
  (table) => [
    unique('part_category_star_category_user_key').on(table.category, table.user),
    index('part_category_star_user_idx').on(table.user),
  ],
)
