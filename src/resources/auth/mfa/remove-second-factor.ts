import type { Services } from '../../../kit/services.ts'
import type { Tx } from '../../../kit/tx.ts'
import { sendMail } from '../../../mail/mail.ts'

/**
 * Takes the second factor and the recovery codes from an account; one that is being enrolled too. A mail tells its owner.
 * @returns false when it had none
 */
export async function removeSecondFactor(context: Services & { tx: Tx }, user: number): Promise<boolean> {
  const { tx } = context
  const removed = await tx.first<{ confirmed: string | null }>(
    'delete from second_factor where "user" = $1 returning confirmed',
    [user],
  )
  await tx.query('delete from recovery_code where "user" = $1', [user])
  if (removed?.confirmed) await tellOwner(context, user, 'second_factor_off')
  return removed !== undefined
}

/** Tells the owner of an account, by a mail to its address, that its second factor was set up or removed. */
export async function tellOwner(
  context: Services & { tx: Tx },
  user: number,
  kind: 'second_factor_on' | 'second_factor_off',
): Promise<void> {
  const account = await context.tx.first<{ email: string }>('select email from user_account where pk = $1', [user])
  if (account?.email) await sendMail(context, { kind, user, address: account.email })
}
