import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { invalidateAccounts } from '../../user/invalidate-accounts.ts'
import { notifyAccount } from '../notify-account.ts'

/**
 * Removes the second factor and the recovery codes of an account, even one that is being enrolled. Notifies its owner by email.
 * @returns false when it had none
 */
export async function removeSecondFactor(context: Services & { tx: Tx }, user: number): Promise<boolean> {
  const { tx } = context
  invalidateAccounts(context)
  const removed = await tx.first<{ confirmed: string | null }>(
    'delete from second_factor where "user" = $1 returning confirmed',
    [user],
  )
  await tx.query('delete from recovery_code where "user" = $1', [user])
  if (removed?.confirmed) await notifyAccount(context, user, 'second_factor_off')
  return removed !== undefined
}
