import { sql } from 'drizzle-orm'
import { type AnyPgColumn, check, index, integer, numeric, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  createOrderIndexes,
  day,
  flag,
  metadata,
  notes,
  primaryKey,
  reference,
  tags,
  text,
  urlColumn,
  varchar,
  varcharNotNull,
} from '../../kit/sql/columns.ts'
import { supplierPart } from '../company/part/supplier-part.table.ts'
import { stockLocation } from '../stock/location/stock-location.table.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'
import { partCategory } from './category/part-category.table.ts'

/** A thing that is bought, built, stored or sold. Its quantities are in `part_quantity`, its prices in `part_pricing`. */
export const part = pgTable(
  'part',
  {
    pk: primaryKey(),
    name: varchar(100).notNull(),
    /** Internal part number. */
    IPN: varchar(100),
    revision: varchar(100),
    /** Display name of the part, by the setting PART_NAME_FORMAT. Maintained by a trigger. */
    full_name: text().notNull().default(''),
    description: varcharNotNull(250),
    keywords: varchar(250),
    category: reference(() => partCategory.pk, 'set null'),
    /** The template that this part is a variant of. A trigger derives `path` and `level` from it. */
    variant_of: reference((): AnyPgColumn => part.pk, 'set null'),
    path: integer().array().notNull().default(sql`'{}'`),
    level: integer().notNull().default(0),
    /** The part that this one is a revision of. */
    revision_of: reference((): AnyPgColumn => part.pk, 'set null'),
    link: urlColumn(),
    /** Path of the image below the media folder. */
    image: varchar(100),
    /** The unit of its quantities; empty for pieces. */
    units: varchar(20).default(''),
    default_location: reference(() => stockLocation.pk, 'set null'),
    default_supplier: reference((): AnyPgColumn => supplierPart.pk, 'set null'),
    /** Shelf life of new stock, in days; 0 if it does not expire. */
    default_expiry: integer().notNull().default(0),
    /** Minimum stock, in units of the part; less is low stock. */
    minimum_stock: numeric({ precision: 19, scale: 6 }).notNull().default('0'),
    /** Maximum stock, in units of the part; 0 for none. */
    maximum_stock: numeric({ precision: 19, scale: 6 }).notNull().default('0'),
    active: flag(true),
    assembly: flag(false),
    component: flag(true),
    /** Whether every BOM line with it is consumable. */
    consumable: flag(false),
    is_template: flag(false),
    /** Whether its BOM and its parameters cannot be changed, and it cannot be deleted. A trigger rejects changes of the BOM. */
    locked: flag(false),
    purchaseable: flag(true),
    salable: flag(false),
    /** Whether it can have tests, as a trackable part can. */
    testable: flag(false),
    trackable: flag(false),
    virtual: flag(false),
    responsible: reference(() => owner.pk, 'set null'),
    creation_date: day().default(sql`current_date`),
    creation_user: accountReference(() => userAccount.pk, 'set null'),
    last_stocktake: day(),
    /** Charged once for each line of a sale, whatever its quantity. */
    base_cost: numeric({ precision: 19, scale: 6 }).notNull().default('0'),
    /** The part is sold in multiples of this number. */
    multiple: integer().notNull().default(1),
    /** Checksum of the BOM when it was last validated, with the account and the day. */
    bom_checksum: varcharNotNull(128),
    bom_checked_by: accountReference(() => userAccount.pk, 'set null'),
    bom_checked_date: day(),
    notes: notes(),
    ...barcode(),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    // An empty IPN or revision counts as equal to a missing one.
    uniqueIndex('part_name_IPN_revision_key').on(
      table.name,
      sql`coalesce(${table.IPN}, '')`,
      sql`coalesce(${table.revision}, '')`,
    ),
    index('part_name_idx').on(table.name, table.pk),
    index('part_category_idx').on(table.category, table.name, table.pk),
    index('part_variant_of_idx').on(table.variant_of).where(sql`${table.variant_of} is not null`),
    index('part_revision_of_idx').on(table.revision_of).where(sql`${table.revision_of} is not null`),
    index('part_path_idx').using('gin', table.path),
    index('part_IPN_idx').on(sql`lower(${table.IPN})`),
    index('part_default_location_idx').on(table.default_location).where(sql`${table.default_location} is not null`),
    index('part_default_supplier_idx').on(table.default_supplier).where(sql`${table.default_supplier} is not null`),
    index('part_responsible_idx').on(table.responsible).where(sql`${table.responsible} is not null`),
    index('part_creation_user_idx').on(table.creation_user).where(sql`${table.creation_user} is not null`),
    index('part_bom_checked_by_idx').on(table.bom_checked_by).where(sql`${table.bom_checked_by} is not null`),
    index('part_image_idx').on(table.image).where(sql`${table.image} is not null`),
    index('part_tags_idx').using('gin', table.tags),
    ...createOrderIndexes(
      'part',
      table.pk,
      table.creation_date,
      table.default_location,
      table.IPN,
      table.last_stocktake,
      table.units,
    ),
    check('part_default_expiry_check', sql`${table.default_expiry} >= 0`),
    check('part_minimum_stock_check', sql`${table.minimum_stock} >= 0`),
    check('part_maximum_stock_check', sql`${table.maximum_stock} >= 0`),
    check('part_multiple_check', sql`${table.multiple} >= 1`),
  ],
)
