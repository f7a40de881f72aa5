import { sql } from 'drizzle-orm'
import { check, index, json, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, flag, metadata, primaryKey, varchar } from '../../../../kit/sql/columns.ts'
import { userGroup } from '../../group/user-group.table.ts'
import { userAccount } from '../../user-account.table.ts'

/** Details that an account gives of itself, and its preferences for web interfaces. A trigger creates one with each account. */
export const userProfile = pgTable(
  'user_profile',
  {
    pk: primaryKey(),
    user: accountReference(() => userAccount.pk, 'cascade').notNull(),
    language: varchar(10),
    /** Colors and arrangement of web interfaces: any JSON, as they store it. */
    theme: json(),
    widgets: json(),
    displayname: varchar(255),
    position: varchar(255),
    status: varchar(2000),
    location: varchar(2000),
    active: flag(true),
    contact: varchar(255),
    type: varchar(10).notNull().default('internal'),
    organisation: varchar(255),
    primary_group: accountReference(() => userGroup.pk, 'set null'),
    metadata: metadata(),
  },
  (table) => [
    unique('user_profile_user_key').on(table.user),
    index('user_profile_primary_group_idx').on(table.primary_group).where(sql`${table.primary_group} is not null`),
    check('user_profile_type_check', sql`${table.type} in ('bot', 'internal', 'external', 'guest')`),
  ],
)
