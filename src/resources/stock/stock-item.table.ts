import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  createOrderIndexes,
  currency,
  day,
  flag,
  instant,
  metadata,
  money,
  notes,
  primaryKey,
  quantity,
  reference,
  tags,
  urlNotNull,
  varchar,
} from '../../kit/sql/columns.ts'
import { buildOrder } from '../build/build.table.ts'
import { company } from '../company/company.table.ts'
import { supplierPart } from '../company/part/supplier-part.table.ts'
import { purchaseOrder } from '../order/po/po.table.ts'
import { salesOrder } from '../order/so/so.table.ts'
import { part } from '../part/part.table.ts'
import { owner } from '../user/owner/owner.table.ts'
import { userAccount } from '../user/user-account.table.ts'
import { stockLocation } from './location/stock-location.table.ts'

/** A quantity of a part, in one location and with one status. */
export const stockItem = pgTable(
  'stock_item',
  {
    pk: primaryKey(),
    part: reference(() => part.pk, 'cascade').notNull(),
    supplier_part: reference(() => supplierPart.pk, 'set null'),
    location: reference(() => stockLocation.pk, 'set null'),
    /** In the units of the part. */
    quantity: quantity().notNull().default('1'),
    /**
     * Opening balance (ADR 0015): `quantity` is always this plus the sum of `quantity_change` in its history. A trigger sets it to the
     * quantity of a row that is inserted without it. Not exposed to clients.
     */
    opening_quantity: quantity().notNull(),
    /** Serial number, unique among the part, its template and all variants; enforced by the application. */
    serial: varchar(100),
    /** The number at the start of the serial, otherwise at its end, otherwise 0; serials are sorted and filtered by it. */
    serial_int: integer()
      .notNull()
      .generatedAlwaysAs(
        sql`least(coalesce(substring(serial from '^[0-9]+'), substring(serial from '[0-9]+$'), '0')::numeric, 2147483647)::integer`,
      ),
    batch: varchar(100),
    packaging: varchar(50),
    /** Stock status code: 10 is OK. */
    status: integer().notNull().default(10),
    /** Custom state of this status; null for none. A trigger clears it when only the status changes. */
    status_custom_key: integer(),
    /** The item that this one was split from. */
    parent: reference((): AnyPgColumn => stockItem.pk, 'set null'),
    /** The item in which this one is installed. */
    belongs_to: reference((): AnyPgColumn => stockItem.pk, 'cascade'),
    customer: reference(() => company.pk, 'set null'),
    purchase_order: reference(() => purchaseOrder.pk, 'set null'),
    /** The sales order that it was shipped with. */
    sales_order: reference(() => salesOrder.pk, 'set null'),
    /** Quantity in open allocations to sales orders, which has not shipped. Maintained by a trigger, at most `quantity`. */
    allocated_to_sales_orders: quantity().notNull().default('0'),
    /** The same for build orders. */
    allocated_to_build_orders: quantity().notNull().default('0'),
    /** The same for transfer orders. Together they are at most `quantity`. */
    allocated_to_transfer_orders: quantity().notNull().default('0'),
    /** The build order that makes it. */
    build: reference(() => buildOrder.pk, 'set null'),
    is_building: flag(false),
    /** The build order that consumed it. Consumed items are deleted with it: otherwise they would count as in stock again. */
    consumed_by: reference(() => buildOrder.pk, 'cascade'),
    /** Whether it is in stock and usable. One definition for lists, for actions and for the sums in `part_quantity`. */
    in_stock: boolean()
      .notNull()
      .generatedAlwaysAs(
        sql`quantity > 0 and sales_order is null and customer is null and belongs_to is null and consumed_by is null and not is_building and status in (10, 50, 55, 85)`,
      ),
    /** Purchase price of one unit. */
    purchase_price: money(),
    purchase_price_currency: currency().notNull(),
    expiry_date: day(),
    /** Date of the last count, followed by the account that counted. */
    stocktake_date: day(),
    stocktake_user: accountReference(() => userAccount.pk, 'set null'),
    /** Whether the item is deleted when its quantity reaches 0. */
    delete_on_deplete: flag(true),
    owner: reference(() => owner.pk, 'set null'),
    link: urlNotNull(),
    notes: notes(),
    updated: instant().default(sql`now()`),
    /** Time of its creation; null if it is older than this column. */
    creation_date: instant().default(sql`now()`),
    ...barcode(),
    tags: tags(),
    metadata: metadata(),
  },
  (table) => [
    // The default list order is part name, quantity, location: with this index the list is read part by part, and the stock of a part is
    // counted.
    index('stock_item_part_idx').on(table.part, table.quantity, table.location, table.pk, table.in_stock),
    // Finds items that are no longer in stock.
    index('stock_item_gone_idx').on(table.part, table.pk).where(sql`not ${table.in_stock}`),
    // Finds the item that has a serial number; the part determines its tree.
    index('stock_item_serial_idx').on(table.serial, table.part).where(sql`${table.serial} is not null`),
    index('stock_item_location_idx').on(table.location),
    index('stock_item_supplier_part_idx').on(table.supplier_part),
    index('stock_item_parent_idx').on(table.parent).where(sql`${table.parent} is not null`),
    index('stock_item_belongs_to_idx').on(table.belongs_to).where(sql`${table.belongs_to} is not null`),
    index('stock_item_customer_idx').on(table.customer).where(sql`${table.customer} is not null`),
    // Finds the first location of the goods of an order line.
    index('stock_item_purchase_order_idx')
      .on(table.purchase_order, table.supplier_part, table.pk)
      .where(sql`${table.purchase_order} is not null`),
    index('stock_item_sales_order_idx').on(table.sales_order).where(sql`${table.sales_order} is not null`),
    index('stock_item_build_idx').on(table.build).where(sql`${table.build} is not null`),
    index('stock_item_consumed_by_idx').on(table.consumed_by).where(sql`${table.consumed_by} is not null`),
    index('stock_item_stocktake_user_idx').on(table.stocktake_user).where(sql`${table.stocktake_user} is not null`),
    index('stock_item_owner_idx').on(table.owner).where(sql`${table.owner} is not null`),
    ...createOrderIndexes(
      'stock_item',
      table.pk,
      table.batch,
      table.creation_date,
      table.expiry_date,
      table.quantity,
      table.status,
      table.stocktake_date,
      table.updated,
    ),
    index('stock_item_by_stock_idx').on(table.quantity, table.serial_int, table.serial, table.pk),
    index('stock_item_tags_idx').using('gin', table.tags),
    check('stock_item_quantity_check', sql`${table.quantity} >= 0`),
    check(
      'stock_item_allocated_check',
      sql`${table.allocated_to_sales_orders} >= 0 and ${table.allocated_to_build_orders} >= 0 and ${table.allocated_to_transfer_orders} >= 0 and ${table.allocated_to_sales_orders} + ${table.allocated_to_build_orders} + ${table.allocated_to_transfer_orders} <= ${table.quantity}`,
    ),
    check('stock_item_serial_quantity_check', sql`${table.serial} is null or ${table.serial} = '' or ${table.quantity} = 1`),
    index('stock_item_status_custom_key_idx').on(table.status_custom_key).where(sql`${table.status_custom_key} is not null`),
    check('stock_item_status_check', sql`${table.status} in (10, 50, 55, 60, 65, 70, 75, 85)`),
    check('stock_item_belongs_to_check', sql`${table.belongs_to} <> ${table.pk}`),
  ],
)
