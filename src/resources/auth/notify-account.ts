import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { sendMail } from '../email/mail.ts'

/** Notifies the owner of an account by email that a sign-in method was added or removed. */
export async function notifyAccount(
  context: Pick<Services, 'config' | 'jobs'> & { tx: Tx },
  user: number,
  kind: 'second_factor_on' | 'second_factor_off' | 'social_linked',
): Promise<void> {
  const account = await context.tx.first<{ email: string }>('select email from user_account where pk = $1', [user])
  if (account?.email) await sendMail(context, { kind, user, address: account.email })
}
