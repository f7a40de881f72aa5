import type { Caller } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { isUsableHash } from '../../user/password.ts'

/** The proof that a session is used by the owner of its account: its password, otherwise its second factor, otherwise a new sign-in. */
type ConfirmationMethod = 'password' | 'code' | 'sign_in'

/** Returns what an account has to enter. An account without a password signs in at a provider. */
export async function findConfirmationMethod(database: Services['database'], { pk }: Caller): Promise<ConfirmationMethod> {
  const [account] = await database.read<{ password: string; has_second_factor: boolean }>({
    text: `select password, exists (select from second_factor where "user" = $1 and confirmed is not null) as has_second_factor
      from user_account where pk = $1`,
    values: [pk],
  })
  if (isUsableHash(account?.password ?? '')) return 'password'
  return account?.has_second_factor ? 'code' : 'sign_in'
}
