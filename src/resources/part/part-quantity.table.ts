import { sql } from 'drizzle-orm'
import { integer, numeric, pgTable } from 'drizzle-orm/pg-core'
import { reference } from '../../kit/sql/columns.ts'
import { part } from './part.table.ts'

/** The total quantity of many items: more digits than the quantity of one item has. */
const sumOfStock = () => numeric({ precision: 30, scale: 5 }).notNull().default('0')

/** Quantity times pack size, exact. */
const sumOfPacks = () => numeric({ precision: 40, scale: 15 }).notNull().default('0')

/**
 * Stock, incoming and allocated quantities of a part, in the units of the part. They are read with every part and derive from many rows, so
 * triggers update them in the transaction that changes those rows. `verify_quantities()` recomputes them.
 */
export const partQuantity = pgTable('part_quantity', {
  /** The part. */
  pk: reference(() => part.pk, 'cascade').primaryKey(),
  /** Quantity of the part's own items that are in stock. */
  in_stock: sumOfStock(),
  /** Number of the part's own items, in stock or not. */
  stock_item_count: integer().notNull().default(0),
  /** Number of those that are in stock. */
  in_stock_item_count: integer().notNull().default(0),
  /** Quantity of `in_stock` in external locations. */
  external_stock: sumOfStock(),
  /** `in_stock` of all variants below the part. */
  variant_stock: sumOfStock(),
  total_in_stock: numeric({ precision: 30, scale: 5 }).notNull().generatedAlwaysAs(sql`in_stock + variant_stock`),
  /** Outstanding quantity on open purchase orders. */
  ordering: sumOfPacks(),
  /** Number of supplier parts. */
  suppliers: integer().notNull().default(0),
  /** Maintained for build orders and sales orders. */
  allocated_to_build_orders: sumOfStock(),
  allocated_to_sales_orders: sumOfStock(),
  allocated_to_transfer_orders: sumOfStock(),
  building: sumOfStock(),
  required_for_build_orders: sumOfStock(),
  required_for_sales_orders: sumOfStock(),
  /** Allocations of variants are not subtracted. */
  unallocated_stock: numeric({ precision: 30, scale: 5 })
    .notNull()
    .generatedAlwaysAs(
      sql`in_stock + variant_stock - allocated_to_build_orders - allocated_to_sales_orders - allocated_to_transfer_orders`,
    ),
})
