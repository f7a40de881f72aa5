import type { Caller } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { requiresSecondFactor } from '../../auth/mfa/verify-code.ts'
import { requireValidAccess } from '../../auth/sessions.ts'

/**
 * Verifies that the caller may get the key of a token now: its credentials are still valid, and include the second factor of the account, if
 * it has one. Locks the account.
 * @throws Problem 401
 */
export async function requireTokenAccess({ tx, caller }: { tx: Tx; caller: Caller }): Promise<void> {
  const isSecondFactorRequired = await requiresSecondFactor(tx, caller.pk)
  await requireValidAccess(tx, caller)
  if (isSecondFactorRequired && !caller.passedSecondFactor)
    throw new Problem('mfa_required', accountErrors.second_factor_for_token)
}
