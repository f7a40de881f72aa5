import type { Caller } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'

/**
 * Checks the caller once the locks of a change of accounts are held. Rights were checked before the request waited for these locks, and the
 * previous holder may have demoted, deactivated or deleted the caller.
 * @throws Problem 403 when the caller is no longer an active superuser
 */
export async function requireStillSuperuser({ tx, caller }: { tx: Tx; caller: Caller }): Promise<void> {
  const row = await tx.first('select from user_account where pk = $1 and is_superuser and is_active', [caller.pk])
  if (!row) throw new Problem('permission_denied')
}
