import type { Tx } from '../../kit/sql/tx.ts'
import { accountErrors } from '../auth/account-errors.ts'

/** Why an account can be neither removed, deactivated nor demoted. */
export const LAST_SUPERUSER = accountErrors.last_superuser

const LOCK = `pg_advisory_xact_lock(hashtextextended('last superuser', 0))`

/**
 * Lets nobody else change a superuser until the transaction ends. It is taken before the accounts themselves are: what a superuser
 * does is recorded under their name, and two who change each other would wait for each other's account.
 */
export const lockSuperusers = (tx: Tx, accounts: readonly number[]) =>
  tx.query(`select ${LOCK} from (select from user_account where pk = any($1::integer[]) and is_superuser limit 1) found`, [
    accounts,
  ])

/**
 * Whether an account, which is an active superuser, is the only one (decision 40). Until the transaction ends nobody else
 * learns the answer, so that of two superusers who demote each other at once the second is refused.
 */
export async function isLastSuperuser(tx: Tx, user: number): Promise<boolean> {
  await tx.query(`select ${LOCK}`)
  const another = await tx.first('select from user_account where is_superuser and is_active and pk <> $1 limit 1', [user])
  return another === undefined
}
