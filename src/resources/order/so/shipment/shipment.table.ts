import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  day,
  metadata,
  notes,
  primaryKey,
  reference,
  tags,
  urlNotNull,
  varchar,
  varcharNotNull,
} from '../../../../kit/sql/columns.ts'
import { address } from '../../../company/address/address.table.ts'
import { userAccount } from '../../../user/user-account.table.ts'
import { salesOrder } from '../so.table.ts'

/** Goods of a sales order that ship together. */
export const salesOrderShipment = pgTable(
  'sales_order_shipment',
  {
    pk: primaryKey(),
    order: reference(() => salesOrder.pk, 'cascade').notNull(),
    reference: varchar(100).notNull().default('1'),
    /** Day on which it was shipped; null before. */
    shipment_date: day(),
    /** The shipping address, if it is not the address of the order. */
    shipment_address: reference(() => address.pk, 'set null'),
    delivery_date: day(),
    checked_by: accountReference(() => userAccount.pk, 'set null'),
    tracking_number: varcharNotNull(100),
    invoice_number: varcharNotNull(100),
    link: urlNotNull(),
    notes: notes(),
    tags: tags(),
    ...barcode(),
    metadata: metadata(),
  },
  (table) => [
    unique('sales_order_shipment_order_reference_key').on(table.order, table.reference),
    index('sales_order_shipment_address_idx').on(table.shipment_address).where(sql`${table.shipment_address} is not null`),
    index('sales_order_shipment_checked_by_idx').on(table.checked_by).where(sql`${table.checked_by} is not null`),
    index('sales_order_shipment_tags_idx').using('gin', table.tags),
  ],
)
