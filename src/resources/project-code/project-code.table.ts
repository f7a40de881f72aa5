import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { flag, metadata, primaryKey, reference, varchar, varcharNotNull } from '../../kit/sql/columns.ts'
import { owner } from '../user/owner/owner.table.ts'

/** A project that orders are assigned to. */
export const projectCode = pgTable(
  'project_code',
  {
    pk: primaryKey(),
    code: varchar(50).notNull(),
    description: varcharNotNull(200),
    active: flag(true),
    responsible: reference(() => owner.pk, 'set null'),
    metadata: metadata(),
  },
  (table) => [unique('project_code_code_key').on(table.code), index('project_code_responsible_idx').on(table.responsible)],
)
