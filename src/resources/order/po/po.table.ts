import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import {
  accountReference,
  barcode,
  currency,
  day,
  filledVarchar,
  metadata,
  money,
  notes,
  primaryKey,
  reference,
  varchar,
} from '../../../kit/sql/columns.ts'
import { address } from '../../company/address/address.table.ts'
import { company } from '../../company/company.table.ts'
import { contact } from '../../company/contact/contact.table.ts'
import { projectCode } from '../../project-code/project-code.table.ts'
import { owner } from '../../user/owner/owner.table.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** An order of parts from a supplier. */
export const purchaseOrder = pgTable(
  'purchase_order',
  {
    pk: primaryKey(),
    reference: varchar(64).notNull(),
    /** The number in the reference, at most 2147483647: orders are listed by it. */
    reference_int: integer().notNull().default(0),
    description: filledVarchar(250),
    /** Null once the company is deleted. */
    supplier: reference(() => company.pk, 'set null'),
    /** The supplier's own reference of the order. */
    supplier_reference: filledVarchar(64),
    /** Purchase order status code: 10 is pending, 20 placed, 30 complete. */
    status: integer().notNull().default(10),
    creation_date: day().default(sql`current_date`),
    created_by: accountReference(() => userAccount.pk, 'set null'),
    target_date: day(),
    issue_date: day(),
    complete_date: day(),
    received_by: accountReference(() => userAccount.pk, 'set null'),
    /** Number of lines, and of those that came in full. Kept by a trigger; extra lines do not count. */
    line_items: integer().notNull().default(0),
    completed_lines: integer().notNull().default(0),
    /** Sum over all lines in `total_price_currency`. Null when an exchange rate is missing. */
    total_price: money(),
    total_price_currency: currency().notNull(),
    /** Null or empty: the supplier's currency, then the default currency. */
    order_currency: varchar(3),
    link: filledVarchar(200),
    notes: notes(),
    contact: reference(() => contact.pk, 'set null'),
    address: reference(() => address.pk, 'set null'),
    project_code: reference(() => projectCode.pk, 'set null'),
    responsible: reference(() => owner.pk, 'set null'),
    ...barcode(),
    metadata: metadata(),
  },
  (table) => [
    unique('purchase_order_reference_key').on(table.reference),
    // Read backwards, these give the default list order: alone, and for the filters that are used most.
    index('purchase_order_order_idx').on(table.reference_int, table.reference, table.pk),
    index('purchase_order_status_idx').on(table.status, table.reference_int, table.reference, table.pk),
    index('purchase_order_supplier_idx').on(table.supplier, table.reference_int, table.reference, table.pk),
    index('purchase_order_open_idx').on(table.reference_int, table.reference, table.pk).where(sql`${table.status} in (10, 20)`),
    index('purchase_order_target_date_idx').on(table.target_date, table.pk),
    index('purchase_order_creation_date_idx').on(table.creation_date, table.pk),
    index('purchase_order_created_by_idx').on(table.created_by).where(sql`${table.created_by} is not null`),
    index('purchase_order_received_by_idx').on(table.received_by).where(sql`${table.received_by} is not null`),
    index('purchase_order_contact_idx').on(table.contact).where(sql`${table.contact} is not null`),
    index('purchase_order_address_idx').on(table.address).where(sql`${table.address} is not null`),
    index('purchase_order_project_code_idx').on(table.project_code).where(sql`${table.project_code} is not null`),
    index('purchase_order_responsible_idx').on(table.responsible).where(sql`${table.responsible} is not null`),
    uniqueIndex('purchase_order_barcode_hash_key').on(table.barcode_hash).where(sql`${table.barcode_hash} <> ''`),
    check('purchase_order_status_check', sql`${table.status} in (10, 20, 30, 40, 50, 60)`),
  ],
)
