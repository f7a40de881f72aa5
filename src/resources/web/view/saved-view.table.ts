import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, createOrderIndexes, flag, primaryKey, varchar, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userAccount } from '../../user/user-account.table.ts'

/** State of a page of a web interface, saved under a name. */
export const savedView = pgTable(
  'saved_view',
  {
    pk: primaryKey(),
    /** The account that owns it. */
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    name: varchar(100).notNull(),
    path: varchar(200).notNull(),
    query: varcharNotNull(2000),
    shared: flag(false),
  },
  (table) => [
    unique('saved_view_user_path_name_key').on(table.user, table.path, table.name),
    index('saved_view_path_idx').on(table.path, table.pk),
    index('saved_view_shared_idx').on(table.shared, table.pk),
    createOrderIndexes('saved_view', table.pk, table.name),
  ],
)
