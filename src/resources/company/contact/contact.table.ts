import { index, pgTable } from 'drizzle-orm/pg-core'
import { metadata, primaryKey, reference, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { company } from '../company.table.ts'

/** A person at a company. */
export const contact = pgTable(
  'contact',
  {
    pk: primaryKey(),
    company: reference(() => company.pk, 'cascade').notNull(),
    name: varchar(100).notNull(),
    phone: varcharNotNull(100),
    email: varcharNotNull(254),
    role: varcharNotNull(100),
    metadata: metadata(),
  },
  (table) => [index('contact_company_idx').on(table.company), index('contact_name_idx').on(table.name, table.pk)],
)
