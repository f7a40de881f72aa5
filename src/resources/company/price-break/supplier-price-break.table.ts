import { sql } from 'drizzle-orm'
import { check, index, pgTable, unique } from 'drizzle-orm/pg-core'
import { createOrderIndexes, currency, instant, money, primaryKey, quantity, reference } from '../../../kit/sql/columns.ts'
import { supplierPart } from '../part/supplier-part.table.ts'

/** The price per pack of a supplier part from a minimum number of packs on. */
export const supplierPriceBreak = pgTable(
  'supplier_price_break',
  {
    pk: primaryKey(),
    /** The supplier part. */
    part: reference(() => supplierPart.pk, 'cascade').notNull(),
    /** Minimum number of packs for this price. */
    quantity: quantity().notNull().default('1'),
    /** Price of one pack. */
    price: money(),
    price_currency: currency().notNull(),
    updated: instant(),
  },
  (table) => [
    unique('supplier_price_break_part_quantity_key').on(table.part, table.quantity),
    index('supplier_price_break_quantity_idx').on(table.quantity, table.pk),
    ...createOrderIndexes('supplier_price_break', table.pk, table.price),
    check('supplier_price_break_quantity_check', sql`${table.quantity} >= 1`),
  ],
)
