import type { Tx } from '../../kit/sql/tx.ts'
import { accountErrors } from '../auth/account-errors.ts'

/** Reason why an account can be neither deleted, deactivated nor demoted. */
export const LAST_SUPERUSER = accountErrors.last_superuser

const LOCK = `pg_advisory_xact_lock(hashtextextended('last superuser', 0))`

/**
 * Prevents concurrent changes of superusers until the transaction ends. Must be called before the accounts themselves are locked: actions
 * of a superuser are recorded under their account, and two who change each other would deadlock.
 */
export const lockSuperusers = (tx: Tx, accounts: readonly number[]) =>
  tx.query(`select ${LOCK} from (select from user_account where pk = any($1::integer[]) and is_superuser limit 1) found`, [
    accounts,
  ])

/**
 * Whether an account, which is an active superuser, is the only one. Other transactions wait with this check until the transaction ends, so
 * that of two superusers who demote each other concurrently, the second is rejected.
 */
export async function isLastSuperuser(tx: Tx, user: number): Promise<boolean> {
  await tx.query(`select ${LOCK}`)
  const another = await tx.first('select from user_account where is_superuser and is_active and pk <> $1 limit 1', [user])
  return another === undefined
}
