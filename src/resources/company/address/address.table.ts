import { sql } from 'drizzle-orm'
import { index, pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { flag, primaryKey, reference, urlNotNull, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { company } from '../company.table.ts'

/** An address of a company. At most one of a company's addresses is the primary one. */
export const address = pgTable(
  'address',
  {
    pk: primaryKey(),
    company: reference(() => company.pk, 'cascade').notNull(),
    title: varchar(100).notNull(),
    primary: flag(false),
    line1: varcharNotNull(50),
    line2: varcharNotNull(50),
    postal_code: varcharNotNull(10),
    postal_city: varcharNotNull(50),
    province: varcharNotNull(50),
    country: varcharNotNull(50),
    /** Notes for the carrier. */
    shipping_notes: varcharNotNull(100),
    /** Internal notes. */
    internal_shipping_notes: varcharNotNull(100),
    link: urlNotNull(),
  },
  (table) => [
    index('address_company_idx').on(table.company),
    index('address_title_idx').on(table.title, table.pk),
    uniqueIndex('address_company_primary_key').on(table.company).where(sql`${table.primary}`),
  ],
)
