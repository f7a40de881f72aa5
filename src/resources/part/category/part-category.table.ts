import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  flag,
  metadata,
  primaryKey,
  reference,
  textArray,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { stockLocation } from '../../stock/location/stock-location.table.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** A category in the tree of parts. `path`, `level`, `pathstring` and `name_path` are maintained by a trigger. */
export const partCategory = pgTable(
  'part_category',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    description: varcharNotNull(250),
    parent: reference((): AnyPgColumn => partCategory.pk, 'set null'),
    /** Default location of the category's parts that have none of their own. */
    default_location: reference(() => stockLocation.pk, 'set null'),
    default_keywords: varchar(250),
    /** Whether it holds only categories, and no parts. */
    structural: flag(false),
    icon: varcharNotNull(100),
    metadata: metadata(),
    /** Keys from the root down to the category itself. */
    path: integer().array().notNull().default(sql`'{}'`),
    /** Number of categories above it. */
    level: integer().notNull().default(0),
    /** Names from the root down, for display: joined by "/", shortened in the middle beyond 250 characters. */
    pathstring: varchar(250).notNull().default(''),
    /** Names from the root down. Sorting by this lists a tree depth-first. */
    name_path: textArray().notNull().default(sql`'{}'`),
  },
  (table) => [
    unique('part_category_parent_name_key').on(table.parent, table.name),
    uniqueIndex('part_category_root_name_key').on(table.name).where(sql`${table.parent} is null`),
    index('part_category_default_location_idx').on(table.default_location),
    index('part_category_path_idx').using('gin', table.path),
  ],
)

/** Category subscriptions, by account. */
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
