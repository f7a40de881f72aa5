import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { filledUrlColumn, filledVarchar, flag, primaryKey, reference, varchar } from '../../../kit/sql/columns.ts'
import { company } from '../company.table.ts'

/** An address of a company. At most one of a company's addresses is the primary one. */
export const address = pgTable(
  'address',
  {
    pk: primaryKey(),
    company: reference(() => company.pk, 'cascade').notNull(),
    title: varchar(100).notNull(),
    primary: flag(false),
    line1: filledVarchar(50),
    line2: filledVarchar(50),
    postal_code: filledVarchar(10),
    postal_city: filledVarchar(50),
    province: filledVarchar(50),
    country: filledVarchar(50),
    /** Notes for the carrier. */
    shipping_notes: filledVarchar(100),
    /** Internal notes. */
    internal_shipping_notes: filledVarchar(100),
    link: filledUrlColumn(),
  },
  (table) => [
    index('address_company_idx').on(table.company),
    index('address_title_idx').on(table.title, table.pk),
    uniqueIndex('address_company_primary_key').on(table.company).where(sql`${table.primary}`),
  ],
)
