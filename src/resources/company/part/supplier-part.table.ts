import { sql } from 'drizzle-orm'
import { check, index, integer, numeric, pgTable, unique } from 'drizzle-orm/pg-core'
import {
  barcode,
  createOrderIndexes,
  flag,
  instant,
  metadata,
  notes,
  primaryKey,
  reference,
  tags,
  urlColumn,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { part } from '../../part/part.table.ts'
import { company } from '../company.table.ts'
import { manufacturerPart } from './manufacturer/manufacturer-part.table.ts'

/** A part as a supplier sells it. */
export const supplierPart = pgTable(
  'supplier_part',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    supplier: reference(() => company.pk, 'cascade').notNull(),
    manufacturer_part: reference(() => manufacturerPart.pk, 'cascade'),
    /** The supplier's part number. */
    SKU: varchar(100).notNull(),
    active: flag(true),
    description: varchar(250),
    link: urlColumn(),
    note: varchar(100),
    packaging: varchar(50),
    /** Contents of one pack, as entered ("10", "5 inches"). Empty means 1. */
    pack_quantity: varcharNotNull(25),
    /** The same as a number, in the units of the part. */
    pack_quantity_native: numeric({ precision: 25, scale: 10 }).notNull().default('1'),
    /** Charged once per line, whatever its quantity, in the currency of the price. */
    base_cost: numeric({ precision: 19, scale: 6 }).notNull().default('0'),
    /** Quantities are sold in multiples of this number. */
    multiple: integer().notNull().default(1),
    /** Quantity that the supplier has available. */
    available: numeric({ precision: 19, scale: 5 }).notNull().default('0'),
    availability_updated: instant(),
    /** Time of the last change. Null for imported rows that never changed. */
    updated: instant(),
    notes: notes(),
    ...barcode(),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    unique('supplier_part_part_supplier_SKU_key').on(table.part, table.supplier, table.SKU),
    index('supplier_part_supplier_idx').on(table.supplier, table.pk),
    index('supplier_part_manufacturer_part_idx').on(table.manufacturer_part),
    index('supplier_part_SKU_idx').on(table.SKU),
    // labels match regardless of case
    index('supplier_part_upper_SKU_idx').on(sql`upper(${table.SKU})`),
    index('supplier_part_tags_idx').using('gin', table.tags),
    ...createOrderIndexes('supplier_part', table.pk, table.active, table.packaging, table.updated),
    index('supplier_part_by_pack_quantity_idx').on(table.pack_quantity_native, table.pack_quantity, table.pk),
    check('supplier_part_pack_quantity_native_check', sql`${table.pack_quantity_native} > 0`),
    check('supplier_part_multiple_check', sql`${table.multiple} >= 1`),
  ],
)
