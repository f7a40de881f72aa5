import { sql } from 'drizzle-orm'
import { index, pgTable } from 'drizzle-orm/pg-core'
import {
  accountReference,
  createOrderIndexes,
  instant,
  metadata,
  primaryKey,
  varchar,
  varcharNotNull,
} from '../../../kit/sql/columns.ts'
import { userAccount } from '../user-account.table.ts'

/** A change or use of an account's credentials or permissions. Rows are written once and never changed. */
export const securityEvent = pgTable(
  'security_event',
  {
    pk: primaryKey(),
    created: instant().notNull().default(sql`now()`),
    /** Kind of event: `sign_in`, `sign_in_failed` ... */
    kind: varchar(50).notNull(),
    /** The affected account; null if there is none, or it was deleted. */
    user: accountReference(() => userAccount.pk, 'set null'),
    /** Its name at that time, or the one that was tried. */
    username: varcharNotNull(254),
    /** The account that caused it. */
    actor: accountReference(() => userAccount.pk, 'set null'),
    /** Network address of the request. */
    address: varcharNotNull(45),
    user_agent: varcharNotNull(255),
    details: metadata(),
  },
  (table) => [
    index('security_event_user_idx').on(table.user),
    index('security_event_actor_idx').on(table.actor),
    index('security_event_created_idx').on(table.created),
    ...createOrderIndexes('security_event', table.pk, table.kind, table.username),
  ],
)
