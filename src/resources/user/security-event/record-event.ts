import type { Client } from '../../../kit/request/exchange.ts'
import type { Tx } from '../../../kit/sql/tx.ts'

/** All recorded events. */
export const EVENTS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'registered',
  'token_made',
  'token_revoked',
  'session_ended',
  'password_changed',
  'password_reset',
  'password_reset_asked',
  'address_added',
  'address_verified',
  'address_removed',
  'address_primary',
  'second_factor_enrolled',
  'second_factor_removed',
  'second_factor_failed',
  'recovery_codes_made',
  'recovery_code_used',
  'social_linked',
  'social_unlinked',
  'account_made',
  'account_changed',
  'account_deleted',
  'invitation_made',
  'invitation_renewed',
  'invitation_revoked',
  'password_link_made',
  'group_changed',
  'rights_changed',
  'setting_changed',
  'template_made',
  'template_changed',
  'template_deleted',
  'backup_downloaded',
  'backup_deleted',
  'plugin_changed',
] as const
export type EventKind = (typeof EVENTS)[number]

export type SecurityEvent = {
  kind: EventKind
  /** The affected account. */
  user?: number
  /** Its name, or the one that was tried. Read from the account if missing. */
  username?: string
  /** The account that caused it, if that is another one. */
  actor?: number
  /** Further details; never a secret. */
  details?: Record<string, unknown>
}

/** Records a change of credentials, permissions, global settings or templates, in the same transaction. */
export async function recordEvent(
  { tx, exchange }: { tx: Tx; exchange?: Client },
  { kind, user, username, actor, details = {} }: SecurityEvent,
): Promise<void> {
  await tx.query(
    `insert into security_event (kind, "user", username, actor, address, user_agent, details)
     values ($1, $2, coalesce($3, (select a.username from user_account a where a.pk = $2), ''), coalesce($4, $2), $5, $6, $7)`,
    [
      kind,
      user ?? null,
      username?.slice(0, 254) ?? null,
      actor ?? null,
      exchange?.address ?? '',
      exchange?.userAgent ?? '',
      JSON.stringify(details),
    ],
  )
}
