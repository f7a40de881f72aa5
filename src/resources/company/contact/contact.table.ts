import { index, pgTable } from 'drizzle-orm/pg-core'
import { filledVarchar, metadata, primaryKey, reference, varchar } from '../../../kit/sql/columns.ts'
import { company } from '../company.table.ts'

/** A person at a company. */
export const contact = pgTable(
  'contact',
  {
    pk: primaryKey(),
    company: reference(() => company.pk, 'cascade').notNull(),
    name: varchar(100).notNull(),
    phone: filledVarchar(100),
    email: filledVarchar(254),
    role: filledVarchar(100),
    metadata: metadata(),
  },
  (table) => [index('contact_company_idx').on(table.company), index('contact_name_idx').on(table.name, table.pk)],
)
