import type { Caller } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/**
 * To be called once the locks of a change of accounts are held. Rights were looked at before the request waited for these, and
 * whoever held them may have demoted, deactivated or removed the caller meanwhile (decision 40).
 * @throws Problem 403 where the caller is an active superuser no more
 */
export async function requireStillSuperuser({ tx, caller }: { tx: Tx; caller: Caller }): Promise<void> {
  const found = await tx.first('select from user_account where pk = $1 and is_superuser and is_active', [caller.pk])
  if (!found) throw new Problem('permission_denied')
}
