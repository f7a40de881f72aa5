import { sql } from 'drizzle-orm'
import { index, pgTable, unique } from 'drizzle-orm/pg-core'
import { accountReference, bytes, flag, instant, primaryKey, reference, varcharNotNull } from '../../../kit/sql/columns.ts'
import { userGroup } from '../group/user-group.table.ts'
import { userAccount } from '../user-account.table.ts'

/** An open invitation to create an account. It is deleted when it is accepted or revoked. */
export const invitation = pgTable(
  'invitation',
  {
    pk: primaryKey(),
    /** The address of the invited person; empty if it is unknown. */
    email: varcharNotNull(254),
    /** Permissions of the account that it creates. */
    is_staff: flag(false),
    is_superuser: flag(false),
    /** SHA-256 of the token of its link; null until the email with the link is written. */
    token_hash: bytes(),
    /** Whether the link was emailed to the address, and not shown: who has it reads that address. */
    is_mailed: flag(false),
    created: instant().notNull().default(sql`now()`),
    expires: instant().notNull(),
    /** The superuser who invited. The invitation is void when that account no longer is an active superuser. */
    created_by: accountReference(() => userAccount.pk, 'cascade').notNull(),
  },
  (table) => [
    unique('invitation_token_hash_key').on(table.token_hash),
    index('invitation_created_by_idx').on(table.created_by),
    index('invitation_expires_idx').on(table.expires),
  ],
)

/** A group that the invited person joins. */
export const invitationGroup = pgTable(
  'invitation_group',
  {
    pk: primaryKey(),
    invitation: reference(() => invitation.pk, 'cascade').notNull(),
    group: accountReference(() => userGroup.pk, 'cascade').notNull(),
  },
  (table) => [
    unique('invitation_group_invitation_group_key').on(table.invitation, table.group),
    index('invitation_group_group_idx').on(table.group),
  ],
)
