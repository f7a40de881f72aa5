import type { Tx } from '../../kit/tx.ts'

/** Why an account can be neither removed, deactivated nor demoted. */
export const LAST_SUPERUSER = 'This is the last active superuser: without one nobody could manage accounts any more.'

/**
 * Whether an account, which is an active superuser, is the only one (decision 40). Until the transaction ends nobody else learns the answer, so
 * that of two superusers who demote each other at once the second is refused.
 */
export async function isLastSuperuser(tx: Tx, user: number): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('last superuser', 0))`)
  const another = await tx.first('select from user_account where is_superuser and is_active and pk <> $1 limit 1', [user])
  return another === undefined
}
